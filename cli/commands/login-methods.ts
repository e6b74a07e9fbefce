import { type Client, foreignServer } from '../connection/client.ts'
import { parseFields } from '../input/arguments.ts'
import { readSecret } from '../input/secret-input.ts'
import { CliFailure, type Io } from '../io.ts'
import { type ClientFlags, clientFor } from './context.ts'

/** What a login returns, as far as it is printed. */
export type Auth = {
  client_token: string
  accessor: string
  lease_duration: number
  renewable: boolean
  token_policies?: readonly string[]
}

/** The options that say how to log in. */
export type LoginFlags = ClientFlags & { path?: string; name?: string }

/** A login as it was typed: the words are a token or fields such as `name=web`. */
export type LoginCall = {
  readonly io: Io
  readonly client: Client
  readonly words: readonly string[]
  readonly flags: LoginFlags
}

/** A way to log in; its name is also the path where it is mounted, unless `--path` says otherwise. */
type LoginMethod = { readonly name: string; readonly login: (call: LoginCall) => Promise<Auth> }

const cert: LoginMethod = {
  name: 'cert',
  login: async (call) => {
    const { cert: certificate, key } = call.client.connection
    if (!certificate || !key)
      throw new CliFailure(
        'A login by certificate needs --client-cert and --client-key; a login by token needs the token.',
      )
    return await sendFields('cert', call)
  },
}

const token: LoginMethod = {
  name: 'token',
  login: async ({ io, words, flags }) => {
    const [word = flags.token] = words
    const text = word === '-' ? (await readSecret(io, 'Token')).trim() : word
    if (!text) throw new CliFailure('A login by token needs the token, or - to read it from standard input.')
    const client = clientFor(io, { ...flags, token: text })
    const { body } = await client.call({ method: 'GET', path: '/v1/auth/token/lookup-self' })
    const { data } = Object(body) as { data?: Record<string, unknown> }
    if (!data) throw foreignServer(client.connection)
    const { accessor, ttl, renewable, policies } = data
    return {
      client_token: text,
      accessor: String(accessor),
      lease_duration: Number(ttl),
      renewable: renewable === true,
      token_policies: policies as readonly string[],
    }
  },
}

/** The methods that are more than fields sent to the login of a mount; all others work by their name too. */
export const loginMethods: readonly LoginMethod[] = [cert, token]

/** The method of a name, or the one that the words mean. */
export function methodFor(name: string | undefined, call: LoginCall): LoginMethod {
  if (name === undefined) return isToken(call) ? token : cert
  return loginMethods.find((method) => method.name === name) ?? { name, login: (login) => sendFields(name, login) }
}

/**
 * A word that is no field must be a token, as in related command lines. What a certificate login could mean as well, `-`
 * and --token, means it only with a certificate.
 */
function isToken({ client, words, flags }: LoginCall): boolean {
  const [word, ...more] = words
  if (more.length > 0) return false
  if (word === undefined || word === '-')
    return client.connection.cert === undefined && (word !== undefined || flags.token !== undefined)
  return !/^@|=/.test(word)
}

async function sendFields(mount: string, { io, client, words, flags }: LoginCall): Promise<Auth> {
  const fields = { ...(flags.name !== undefined && { name: flags.name }), ...(await parseFields(io, [...words])) }
  const path = `/v1/auth/${flags.path ?? mount}/login`
  const { body } = await client.call({ method: 'POST', path, body: fields })
  const { auth } = Object(body) as { auth?: Auth | null }
  if (!auth) throw foreignServer(client.connection)
  return auth
}
