import type { Answer, Call, Client } from '../connection/client.ts'
import { isEmptyAnswer } from '../connection/client.ts'
import { CliFailure } from '../io.ts'
import type { Row, Session, VerbArgument, VerbFlag } from './noun.ts'

/** A secret or a folder, the engine that has it, and whether that keeps versions. */
export type Spot = { readonly mount: string; readonly key: string; readonly hasVersions: boolean }

/** Where a secret is, if the first word does not say it with the mount. */
export const mountFlag: VerbFlag = {
  term: '--mount <path>',
  text: 'where the engine is mounted; the path is then below it',
  names: 'kv-mount',
}

/** The secret that a verb is about. */
export const secretArgument: VerbArgument = {
  term: '<path>',
  text: 'path of the secret with its mount: secret/app/db',
  names: 'secret',
}

/** What is in the `data` of an answer. */
export const dataOf = ({ body }: Pick<Answer, 'body'>): Row => (Object(body) as { data?: Row | null }).data ?? {}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '')

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Engines that keep secrets by path. */
const keepsSecrets = new Set(['kv', 'generic', 'cubbyhole'])

/** Asks the server which engine a path belongs to, and which version of it answers there. */
export async function spotAt(client: Client, path: string, mount?: string): Promise<Spot> {
  const whole = trimmed(mount === undefined ? path : `${trimmed(mount)}/${trimmed(path)}`)
  if (whole === '') throw new CliFailure('Say where: a path begins with the mount, as in secret/app.')
  const answer = await client.call({ method: 'GET', path: `/v1/sys/internal/ui/mounts/${encoded(whole)}` })
  const found = dataOf(answer) as { path: string; type: string; options?: { version?: string } | null }
  if (!keepsSecrets.has(found.type))
    throw new CliFailure(`'${found.path}' is an engine of type ${found.type}, which keeps no keys and values.`, 2)
  if (mount !== undefined && trimmed(mount) !== trimmed(found.path))
    throw new CliFailure(`Nothing is mounted at '${trimmed(mount)}/'; that path belongs to '${found.path}'.`, 2)
  const key = whole.slice(found.path.length)
  return { mount: found.path, key, hasVersions: found.options?.version === '2' }
}

const givenMount = ({ flags }: Pick<Session, 'flags'>): string | undefined =>
  flags.mount === undefined ? undefined : String(flags.mount)

/** The folder or mount that the first word names; without a word, the mount of the flag. */
export const folderOf = (session: Session): Promise<Spot> =>
  spotAt(session.client, session.word(0), givenMount(session))

/** The secret that the first word names. */
export async function secretOf(session: Session): Promise<Spot> {
  const spot = await folderOf(session)
  if (spot.key !== '') return spot
  throw new CliFailure(`'${spot.mount}' is a mount: name a secret in it, as in ${spot.mount}app.`)
}

/** The same, for what only an engine with versions has. */
export async function versionedSecretOf(session: Session): Promise<Spot> {
  const spot = await secretOf(session)
  if (spot.hasVersions) return spot
  throw new CliFailure(
    `'${spot.mount}' keeps no versions, so it has nothing of the kind. 'holdfast kv enable-versioning ${trimmed(spot.mount)}' changes that.`,
    2,
  )
}

/** Parts of an engine with versions; one without has only the secrets themselves. */
type Area = 'data' | 'metadata' | 'delete' | 'undelete' | 'destroy' | 'restore' | 'diff' | 'history'

/** The address of a secret, or of something about it. */
export function addressOf({ mount, key, hasVersions }: Spot, area: Area): string {
  const inside = [...(hasVersions ? [area] : []), ...(key === '' ? [] : [encoded(key)])].join('/')
  return `/v1/${encoded(trimmed(mount))}${inside && `/${inside}`}`
}

/** The path as people write it. */
export const nameOf = ({ mount, key }: Spot): string => `${mount}${key}`

/** Sends a call about a secret; where there is none, it says how to see what is there. */
export async function callFor(client: Client, spot: Spot, call: Call): Promise<Answer> {
  const answer = await client.ask(call)
  if (isEmptyAnswer(answer)) throw noSecret(spot)
  return client.requireSuccess(call, answer)
}

/** The failure for a secret that is not there. */
export const noSecret = (spot: Spot): CliFailure => {
  const folder = nameOf(spot).replace(/[^/]+$/, '')
  return new CliFailure(`There is no secret '${nameOf(spot)}'. 'holdfast kv list ${folder}' shows what is there.`, 2)
}

/** The names in a folder; those of folders end with a slash. */
export async function namesIn(client: Client, folder: Spot): Promise<readonly string[]> {
  const call = { method: 'LIST', path: addressOf(folder, 'metadata') }
  const answer = await client.ask(call)
  if (isEmptyAnswer(answer)) return []
  return (dataOf(client.requireSuccess(call, answer)) as { keys: readonly string[] }).keys
}

/** The mounts that keep secrets, as far as the caller may see them. */
async function secretMounts(client: Client): Promise<readonly string[]> {
  const answer = await client.call({ method: 'GET', path: '/v1/sys/internal/ui/mounts' })
  const { secret } = dataOf(answer) as { secret: Readonly<Record<string, { type: string }>> }
  return Object.keys(secret).filter((path) => keepsSecrets.has(secret[path]?.type ?? ''))
}

/** What a path that has begun could be: the mounts, then what is in the folder. */
export async function pathsAfter(client: Client, begun: string, mount?: string): Promise<readonly string[]> {
  const folder = begun.replace(/[^/]*$/, '')
  if (folder === '' && mount === undefined) return await secretMounts(client)
  const names = await namesIn(client, await spotAt(client, folder, mount))
  return names.map((name) => `${folder}${name}`)
}

/** The mounts, for a flag that names one. */
export const mountNames = async (client: Client): Promise<readonly string[]> =>
  (await secretMounts(client)).map(trimmed)
