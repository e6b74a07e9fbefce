import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { type Client, foreignServer } from '../connection/client.ts'
import { tokenFile, variableOf } from '../connection/connection.ts'
import { parseFields } from '../input/arguments.ts'
import { readSecret } from '../input/secret-input.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { lineFor, renderData, renderTable, renderValue } from '../output/formats.ts'
import {
  type ClientFlags,
  clientFor,
  formatFor,
  warnOfTokenVariable,
  withClientFlags,
  withKnownValues,
} from './context.ts'

type LoginFlags = ClientFlags & {
  method?: string
  path?: string
  name?: string
  store: boolean
  tokenOnly?: boolean
}

type Auth = {
  client_token: string
  accessor: string
  lease_duration: number
  renewable: boolean
  token_policies?: readonly string[]
}

const methods = ['cert', 'token']

/** `holdfast login`: by client certificate or with a token; the token is kept for the commands that follow. */
export function addLogin(program: Command, io: Io): void {
  withClientFlags(program.command('login'))
    .description('log in with the client certificate, or with a token')
    .argument(
      '[fields...]',
      'the token to log in with, or - for standard input; else fields of the login such as name=web',
    )
    .addOption(withKnownValues(new Option('--method <method>', 'by default token if one is given, else cert'), methods))
    .option('--path <mount>', 'where the method is mounted; by default the name of the method')
    .option('--name <role>', 'role to log in with; by default all are tried')
    .option('--no-store', 'print the token but do not store it')
    .option('--token-only', 'print nothing but the token')
    .action(async (words: string[], flags: LoginFlags) => {
      const client = clientFor(io, flags)
      const method = flags.method ?? methodFor(client, words, flags)
      const auth =
        method === 'token'
          ? await loginByToken(io, words, flags)
          : await loginByMethod(io, client, words, { ...flags, method })
      io.out(renderAuth(io, auth, flags))
      if (!flags.store) return
      storeToken(tokenFile(io), auth.client_token)
      if (!flags.tokenOnly) io.err(`The token is kept in ${tokenFile(io)}.\n`)
      if (variableOf(io, 'token') !== auth.client_token) warnOfTokenVariable(io)
    })
}

/**
 * A word that is no field must be a token, as in related command lines. What a certificate login could mean as well, `-`
 * and --token, means it only with a certificate.
 */
function methodFor({ connection }: Client, words: readonly string[], { token }: LoginFlags): 'cert' | 'token' {
  const [word, ...more] = words
  if (more.length > 0) return 'cert'
  if (word === undefined || word === '-')
    return connection.cert === undefined && (word !== undefined || token !== undefined) ? 'token' : 'cert'
  return /^@|=/.test(word) ? 'cert' : 'token'
}

async function loginByMethod(
  io: Io,
  client: Client,
  words: string[],
  flags: LoginFlags & { method: string },
): Promise<Auth> {
  const { connection } = client
  if (flags.method === 'cert' && (!connection.cert || !connection.key)) {
    throw new CliFailure(
      'A login by certificate needs --client-cert and --client-key; a login by token needs the token.',
    )
  }
  const fields = { ...(flags.name !== undefined && { name: flags.name }), ...(await parseFields(io, words)) }
  const path = `/v1/auth/${flags.path ?? flags.method}/login`
  const { body } = await client.call({ method: 'POST', path, body: fields })
  const { auth } = Object(body) as { auth?: Auth | null }
  if (!auth) throw foreignServer(connection)
  return auth
}

async function loginByToken(io: Io, words: string[], flags: LoginFlags): Promise<Auth> {
  const [word = flags.token] = words
  const token = word === '-' ? (await readSecret(io, 'Token')).trim() : word
  if (!token) throw new CliFailure('A login by token needs the token, or - to read it from standard input.')
  const client = clientFor(io, { ...flags, token })
  const { body } = await client.call({ method: 'GET', path: '/v1/auth/token/lookup-self' })
  const { data } = Object(body) as { data?: Record<string, unknown> }
  if (!data) throw foreignServer(client.connection)
  const { accessor, ttl, renewable, policies } = data
  return {
    client_token: token,
    accessor: String(accessor),
    lease_duration: Number(ttl),
    renewable: renewable === true,
    token_policies: policies as readonly string[],
  }
}

/** Whatever mode the file had, only its owner may read it before the token is in it; a device keeps its mode. */
function storeToken(path: string, token: string): void {
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
      writeFileSync(file, token)
    } finally {
      closeSync(file)
    }
  } catch (thrown) {
    throw fileFailure(path, 'written', thrown)
  }
}

function renderAuth(io: Io, auth: Auth, flags: LoginFlags): string {
  const format = formatFor(io, flags)
  if (flags.tokenOnly) return lineFor(io, auth.client_token)
  if (format !== 'table') return renderData({ auth }, format)
  return renderTable(
    ['Key', 'Value'],
    [
      ['token', auth.client_token],
      ['token_accessor', auth.accessor],
      ['token_duration', `${auth.lease_duration}s`],
      ['token_renewable', String(auth.renewable)],
      ['token_policies', renderValue(auth.token_policies ?? [])],
    ],
  )
}
