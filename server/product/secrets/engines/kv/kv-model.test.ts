import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'

type State = 'live' | 'hidden' | 'destroyed'

/** What the specification says of one secret, in as few words as possible. */
type Model = { current: number; oldest: number; versions: Map<number, { value: object; state: State }> }

type Command =
  | { readonly do: 'write' | 'patch'; readonly value: Record<string, number | null>; readonly cas: number | null }
  | { readonly do: 'read' | 'delete' | 'undelete' | 'destroy' | 'restore'; readonly version: number }
  | { readonly do: 'hide' | 'remove' | 'list' }

const number = fc.integer({ min: 0, max: 6 })
const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.integer({ min: 0, max: 3 })), { maxKeys: 3 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('write' as const), value, cas: fc.option(number, { freq: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('patch' as const), value, cas: fc.option(number) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'read' as const,
        'delete' as const,
        'undelete' as const,
        'destroy' as const,
        'restore' as const,
      ),
      version: number,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hide' as const, 'remove' as const, 'list' as const) }) },
)

const kept = 3
const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
const blank = (): Model => ({ current: 0, oldest: 0, versions: new Map() })

function add(model: Model, written: object): number {
  const next = model.current + 1
  if (next - model.oldest >= kept) {
    model.oldest = next - kept + 1
    for (const each of [...model.versions.keys()]) if (each < model.oldest) model.versions.delete(each)
  }
  model.current = next
  model.versions.set(next, { value: written, state: 'live' })
  return next
}

const patched = (before: object, patch: Record<string, number | null>): object =>
  Object.fromEntries(
    Object.entries({ ...before, ...patch }).filter(([name, each]) => each !== null || !(name in patch)),
  )

eachEngine((engine) => {
  const app = sharedApp({ engine })
  let secrets = 0

  beforeAll(async () => {
    await app.root.post('/v1/sys/mounts/m', { type: 'kv-v2' })
    await app.root.post('/v1/m/config', { max_versions: kept })
  })

  /** Does a command, and expects the answer that the model gives. */
  async function obey(model: Model, key: string, each: Command): Promise<void> {
    const at = (verb: string) => `/v1/m/${verb}/${key}`
    const found = (wanted: number) => model.versions.get(wanted === 0 ? model.current : wanted)
    const isRefused = (cas: number | null) => cas !== null && cas !== model.current
    switch (each.do) {
      case 'write': {
        const options = each.cas === null ? {} : { cas: each.cas }
        const answer = await app.root.put(at('data'), { data: each.value, options })
        if (isRefused(each.cas)) expect(answer.status).toBe(400)
        else expect(answer.body.data?.version).toBe(add(model, each.value))
        return
      }
      case 'patch': {
        const options = each.cas === null ? {} : { cas: each.cas }
        const answer = await app.root.patch(at('data'), { data: each.value, options }, merge)
        const last = found(0)
        if (last?.state !== 'live') expect(answer.status).toBe(404)
        else if (isRefused(each.cas)) expect(answer.status).toBe(400)
        else expect(answer.body.data?.version).toBe(add(model, patched(last.value, each.value)))
        return
      }
      case 'restore': {
        if (each.version === 0) return
        const answer = await app.root.post(at('restore'), { version: each.version })
        const from = found(each.version)
        if (from?.state !== 'live') expect(answer.status).toBe(404)
        else expect(answer.body.data?.version).toBe(add(model, from.value))
        return
      }
      case 'read':
        return
      case 'list': {
        const answer = await app.root.list(`/v1/m/metadata/${key.split('/')[0]}`)
        expect(answer.status).toBe(model.current > 0 ? 200 : 404)
        return
      }
      case 'remove':
        expect((await app.root.delete(at('metadata'))).status).toBe(204)
        Object.assign(model, blank())
        return
      case 'hide':
      case 'delete':
      case 'undelete':
      case 'destroy': {
        const wanted = 'version' in each ? each.version : 0
        if (each.do !== 'hide' && wanted === 0) return
        const answer =
          each.do === 'hide'
            ? await app.root.delete(at('data'))
            : await app.root.post(at(each.do), { versions: [wanted] })
        expect(answer.status).toBe(204)
        const version = found(wanted)
        if (!version || version.state === 'destroyed') return
        version.state = each.do === 'destroy' ? 'destroyed' : each.do === 'undelete' ? 'live' : 'hidden'
      }
    }
  }

  /** Everything that can be read is as the model has it. */
  async function compare(model: Model, key: string): Promise<void> {
    const metadata = await app.root.get(`/v1/m/metadata/${key}`)
    expect(metadata.status).toBe(model.current === 0 ? 404 : 200)
    if (model.current > 0) {
      const { current_version: current, oldest_version: oldest, versions } = metadata.body.data
      expect([current, oldest]).toEqual([model.current, model.oldest])
      expect(Object.keys(versions).map(Number)).toEqual([...model.versions.keys()])
    }
    for (let version = 0; version <= model.current + 1; version++) {
      const read = await app.root.get(`/v1/m/data/${key}?version=${version}`)
      const known = model.versions.get(version === 0 ? model.current : version)
      expect(read.status).toBe(known?.state === 'live' ? 200 : 404)
      expect(read.body.data?.data).toEqual(known && (known.state === 'live' ? known.value : null))
      expect(read.body.data?.metadata.destroyed).toBe(known && known.state === 'destroyed')
    }
  }

  test('kv: any sequence of requests does to a secret what the model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), async (commands) => {
        const key = `k${secrets++}/secret`
        const model = blank()
        for (const each of commands) await obey(model, key, each)
        await compare(model, key)
      }),
      { numRuns: 40 },
    )
    const { holdfast } = (await app.root.get('/v1/sys/mounts/m')).body.data
    const rows = await app.deps.db.selectFrom('kv_versions').select('size').execute()
    expect(holdfast).toMatchObject({
      secrets: (await app.deps.db.selectFrom('kv_secrets').select('id').execute()).length,
      versions: rows.length,
      bytes: rows.reduce((sum, { size }) => sum + size, 0),
    })
  }, 60_000)
})
