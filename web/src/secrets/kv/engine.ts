import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useAnswer } from '../../api/answers.ts'
import {
  type AnswerOf,
  callAt,
  type InputOf,
  isForbidden,
  isMissing,
  type OperationName,
  type Schemas,
} from '../../api/client.ts'
import type { Value } from './values.ts'

/** An engine that keeps secrets by path. */
export type Engine = { readonly path: string; readonly hasVersions: boolean; readonly description: string }

/** A secret or a folder of an engine. */
export type Spot = { readonly engine: Engine; readonly key: string }

export type Metadata = Schemas['SecretMetadata']

/** What a change of secrets may change. */
export const kvSubjects = ['kv', 'kv1'] as const

type Visible = Readonly<
  Record<string, { type: string; description?: string; options?: { version?: string } | null } | undefined>
>

/** The engines with keys and values that the person may use. */
export function useEngines() {
  const asked = useAnswer('mounts.list-visible', {})
  const { secret = {} } = (asked.data as { data: { secret: Visible } } | undefined)?.data ?? {}
  const engines = Object.entries(secret).flatMap(([path, mount]) =>
    mount?.type === 'kv'
      ? [{ path, hasVersions: mount.options?.version === '2', description: mount.description ?? '' }]
      : [],
  )
  return { ...asked, data: asked.data && engines.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** Where a path leads that begins with the mount. */
export function useSpot(path: string) {
  const asked = useEngines()
  const engine = asked.data?.find((each) => `${path}/`.startsWith(each.path))
  const spot: Spot | undefined = engine && { engine, key: path.slice(engine.path.length) }
  return { ...asked, data: asked.data && { spot } }
}

/** The path as people write it. */
export const nameOf = ({ engine, key }: Spot): string => `${engine.path}${key}`

/** Calls an operation of the engine. */
export const callIn = <Name extends OperationName>(
  { engine }: Pick<Spot, 'engine'>,
  name: Name,
  input: InputOf<Name>,
): Promise<AnswerOf<Name>> => callAt(engine.path, name, input)

type Page = { readonly after?: string | undefined; readonly limit: number }

/** The names in a folder; those of folders end with a slash. */
export function useNames({ engine, key }: Spot, page: Page) {
  const query = { list: 'true', limit: page.limit, ...(page.after !== undefined && { after: page.after }) } as const
  return useQuery<readonly string[]>({
    queryKey: ['kv.list', engine.path, key, page],
    queryFn: async () => {
      try {
        return await listed({ engine, key }, query)
      } catch (error) {
        // An empty list is answered as missing.
        if (isMissing(error)) return []
        throw error
      }
    },
    placeholderData: (before) => before,
  })
}

/** A list is the read of a folder with one more word in the query, and so has no operation of its own. */
async function listed({ engine, key }: Spot, query: object): Promise<readonly string[]> {
  const isRoot = key === ''
  const name = engine.hasVersions
    ? isRoot
      ? 'kv.no-get-metadata'
      : 'kv.read-metadata'
    : isRoot
      ? 'kv1.list-all'
      : 'kv1.read'
  const params = { query, ...(isRoot ? {} : { path: { path: key } }) }
  const answer = await callIn({ engine }, name, { params } as never)
  return (answer as { data: { keys: readonly string[] } }).data.keys
}

/** A secret that was read, with its version if the engine keeps versions. */
export type Read = { readonly value: Value; readonly version: number | undefined }

/** Reads a secret. What it returns is shown or written, and never stored, not even in the cache of answers. */
export async function readSecret(spot: Spot, version?: number): Promise<Read> {
  const path = { path: spot.key }
  if (!spot.engine.hasVersions) {
    const { data } = (await callIn(spot, 'kv1.read', { params: { path } })) as { data: Value }
    return { value: data, version: undefined }
  }
  const query = version === undefined ? {} : { version }
  const { data } = await callIn(spot, 'kv.read', { params: { path, query } })
  return { value: data.data ?? {}, version: data.metadata.version }
}

/** The names in a secret. Those who may not read names alone read the secret, of which only the names are kept. */
export function useKeys(spot: Spot, version: number | undefined): UseQueryResult<readonly string[]> {
  return useQuery({
    queryKey: ['kv.keys', spot.engine.path, spot.key, version],
    queryFn: async () => Object.keys(await keysOf(spot, version)).sort(),
  })
}

async function keysOf(spot: Spot, version: number | undefined): Promise<object> {
  if (!spot.engine.hasVersions) return (await readSecret(spot)).value
  try {
    const query = { depth: 1, ...(version !== undefined && { version }) }
    const asked = await callIn(spot, 'kv.read-subkeys', { params: { path: { path: spot.key }, query } })
    return (asked as { data: { subkeys: object | null } }).data.subkeys ?? {}
  } catch (error) {
    if (isForbidden(error)) return (await readSecret(spot, version)).value
    throw error
  }
}

/** What is known about a secret and its versions. */
export const useMetadata = (spot: Spot) =>
  useAnswer(
    'kv.read-metadata',
    { params: { path: { path: spot.key } } },
    { mount: spot.engine.path, when: spot.engine.hasVersions },
  ) as UseQueryResult<{ data: Metadata }>
