import fc from 'fast-check'
import type { Answer, Client } from './client.ts'

/** Versions that a secret of the model keeps; its mount must be told. */
export const keptVersions = 3

type Version = { readonly value: object; readonly state: 'live' | 'hidden' | 'destroyed' }

/** What the specification says of one secret, in as few words as possible. */
export type SecretModel = {
  readonly current: number
  readonly oldest: number
  readonly versions: ReadonlyMap<number, Version>
}

/** A request to a secret. */
export type SecretCommand =
  | { readonly do: 'write' | 'patch'; readonly value: Record<string, number | null>; readonly cas: number | null }
  | { readonly do: 'delete' | 'undelete' | 'destroy' | 'restore'; readonly version: number }
  | { readonly do: 'hide' | 'remove' | 'list' }

const number = fc.integer({ min: 0, max: 6 })
const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.integer({ min: 0, max: 3 })), {
  maxKeys: 3,
  noNullPrototype: true,
})
const one = <Name extends string>(...names: Name[]) => fc.constantFrom(...names)

/** Any request to a secret. */
export const anySecretCommand: fc.Arbitrary<SecretCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: one('write'), value, cas: fc.option(number, { freq: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: one('patch'), value, cas: fc.option(number) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('delete', 'undelete', 'destroy', 'restore'),
      version: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one('hide', 'remove', 'list') }) },
)

/** A secret that nobody has written yet. */
export const noSecret: SecretModel = { current: 0, oldest: 0, versions: new Map() }

/** What a request to the model leaves behind, and the answer: its status, and the number of a version that it wrote. */
export type Obeyed = { readonly after: SecretModel; readonly status: number; readonly wrote?: number }

/** Does a command to the model. */
export function obey(model: SecretModel, command: SecretCommand): Obeyed {
  const refused = (status: number): Obeyed => ({ after: model, status })
  const live = (wanted: number): object | undefined => {
    const version = model.versions.get(wanted)
    return version?.state === 'live' ? version.value : undefined
  }
  const isStale = 'cas' in command && command.cas !== null && command.cas !== model.current
  switch (command.do) {
    case 'write':
      return isStale ? refused(400) : add(model, command.value)
    case 'patch': {
      const before = live(model.current)
      if (!before) return refused(404)
      return isStale ? refused(400) : add(model, patched(before, command.value))
    }
    case 'restore': {
      const before = live(command.version)
      return before ? add(model, before) : refused(404)
    }
    case 'list':
      return refused(model.current > 0 ? 200 : 404)
    case 'remove':
      return { after: noSecret, status: 204 }
    case 'hide':
      return { after: changed(model, model.current, 'hidden'), status: 204 }
    case 'delete':
      return { after: changed(model, command.version, 'hidden'), status: 204 }
    case 'undelete':
      return { after: changed(model, command.version, 'live'), status: 204 }
    case 'destroy':
      return { after: changed(model, command.version, 'destroyed'), status: 204 }
  }
}

function add(model: SecretModel, written: object): Obeyed {
  const current = model.current + 1
  const oldest = current - model.oldest >= keptVersions ? current - keptVersions + 1 : model.oldest
  const left = [...model.versions].filter(([each]) => each >= oldest)
  const versions = new Map<number, Version>([...left, [current, { value: written, state: 'live' }]])
  return { after: { current, oldest, versions }, status: 200, wrote: current }
}

function changed(model: SecretModel, wanted: number, state: Version['state']): SecretModel {
  const version = model.versions.get(wanted)
  if (!version || version.state === 'destroyed') return model
  return { ...model, versions: new Map(model.versions).set(wanted, { ...version, state }) }
}

const patched = (before: object, patch: Record<string, number | null>): object =>
  Object.fromEntries(
    Object.entries({ ...before, ...patch }).filter(([name, each]) => each !== null || !(name in patch)),
  )

const merge = { headers: { 'content-type': 'application/merge-patch+json' } }

/** Sends a command about a secret of the mount `m`. */
export function sendCommand(root: Client, key: string, command: SecretCommand): Promise<Answer> {
  const at = (verb: string) => `/v1/m/${verb}/${key}`
  switch (command.do) {
    case 'write':
    case 'patch': {
      const body = { data: command.value, options: command.cas === null ? {} : { cas: command.cas } }
      return command.do === 'write' ? root.put(at('data'), body) : root.patch(at('data'), body, merge)
    }
    case 'restore':
      return root.post(at('restore'), { version: command.version })
    case 'list':
      return root.list(`/v1/m/metadata/${key.split('/')[0]}`)
    case 'remove':
      return root.delete(at('metadata'))
    case 'hide':
      return root.delete(at('data'))
    default:
      return root.post(at(command.do), { versions: [command.version] })
  }
}

/** A version as a reader sees it; null for what is not there. */
type Seen = { readonly status: number; readonly value: object | null; readonly destroyed: boolean | null }

/** All that can be read of a secret. */
export type SecretView = {
  readonly numbers: readonly number[]
  readonly current: number
  readonly oldest: number
  /** The latest version, then 1, 2 and so on, to one that does not exist yet. */
  readonly versions: readonly Seen[]
}

/** What must be read of a secret that is as the model says. */
export function viewOf(model: SecretModel): SecretView {
  const versions = Array.from({ length: model.current + 2 }, (_, wanted): Seen => {
    const version = model.versions.get(wanted === 0 ? model.current : wanted)
    const isLive = version?.state === 'live'
    return {
      status: isLive ? 200 : 404,
      value: isLive ? version.value : null,
      destroyed: version ? version.state === 'destroyed' : null,
    }
  })
  return { numbers: [...model.versions.keys()], current: model.current, oldest: model.oldest, versions }
}

/** Reads all there is of a secret of the mount `m`. */
export async function readView(root: Client, key: string): Promise<SecretView> {
  const { data } = (await root.get(`/v1/m/metadata/${key}`)).body
  const current: number = data?.current_version ?? 0
  const versions: Seen[] = []
  for (let version = 0; version <= current + 1; version++) {
    const { status, body } = await root.get(`/v1/m/data/${key}?version=${version}`)
    versions.push({ status, value: body.data?.data ?? null, destroyed: body.data?.metadata.destroyed ?? null })
  }
  const numbers = Object.keys(data?.versions ?? {}).map(Number)
  return { numbers, current, oldest: data?.oldest_version ?? 0, versions }
}
