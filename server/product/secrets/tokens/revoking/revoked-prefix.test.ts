import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { finishRemovals, holdRemovals } from '../../../../../test/support/removals.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../../test/support/test-app.ts'
import { invalidTokenAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { later } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { toRow } from '../records/token-store.ts'
import { sweep } from './revocation-actions.ts'

eachEngine((engine: Engine) => {
  const app = sharedApp({ engine })
  let other: TestApp
  beforeAll(async () => {
    other = await testApp({ beside: app })
  })
  afterAll(() => other.close())

  /** Stores tokens of a path, and returns their texts and accessors. */
  async function store(db: Db, path: string, count: number) {
    const tokens = Array.from({ length: count }, (_, index) => {
      const text = `${path}-${index}`
      const expiresAt = later(app.clock.now(), 3_600_000)
      const token = { ...blankToken(app.deps, text), path, expiresAt, policies: ['maker'], renewable: true }
      return { text, accessor: token.accessor, lease: `${path}/${token.id}`, row: toRow({ ...token, creationTtl: 60 }) }
    })
    for (let from = 0; from < count; from += 400) {
      const rows = tokens.slice(from, from + 400).map(({ row }) => row)
      await inTransaction(db, (tx) => tx.insertInto('tokens').values(rows).execute())
    }
    return tokens
  }

  test('revoke-prefix: when it is answered, no token of the prefix works, on any node and in any way', async () => {
    const calls = await tokenCalls(app)
    const path = 'auth/token/create/part'
    const tokens = (await store(app.deps.db, path, 1_100)).filter((_, index) => index % 50 === 49)
    const child = await calls.create({ ttl: '1h' }, app.root.as(tokens.at(-1)?.text ?? ''))
    const [bystander] = await store(app.deps.db, `${path}-time`, 1)
    const texts = [...tokens.map(({ text }) => text), child.client_token]
    const lookUp = (node: TestApp, text = '') => node.root.as(text).get('/v1/auth/token/lookup-self')
    // Both nodes know the tokens by now.
    for (const node of [app, other]) for (const text of texts) expect((await lookUp(node, text)).status).toBe(200)

    expect((await app.root.put('/v1/sys/leases/revoke-prefix/auth/token/create/part')).status).toBe(204)

    for (const node of [app, other]) {
      for (const text of texts) {
        expect(await lookUp(node, text)).toMatchObject(invalidTokenAnswer)
        const caller = node.root.as(text)
        for (const call of ['renew-self', 'create']) {
          expect(await caller.post(`/v1/auth/token/${call}`, {})).toMatchObject(invalidTokenAnswer)
        }
        for (const call of ['lookup', 'renew']) {
          expect((await node.root.post(`/v1/auth/token/${call}`, { token: text })).status).toBeGreaterThanOrEqual(400)
        }
      }
      for (const { accessor, lease } of tokens) {
        for (const call of ['lookup-accessor', 'renew-accessor']) {
          expect((await node.root.post(`/v1/auth/token/${call}`, { accessor })).status).toBe(400)
        }
        expect((await node.root.put('/v1/sys/leases/lookup', { lease_id: lease })).status).toBe(400)
      }
      expect((await node.root.list(`/v1/sys/leases/lookup/${path}`)).status).toBe(404)
      expect((await lookUp(node, bystander?.text)).status).toBe(200)
    }
    await finishRemovals(app)
  })

  const stored = async (path: string): Promise<number> =>
    (await app.deps.db.selectFrom('tokens').select('id').where('path', '=', path).execute()).length
  const removals = async () => mustBe(await app.root.get('/v1/sys/removals'), 200).body.data.removals
  const list = (path: string) => app.root.list(`/v1/sys/leases/lookup/${path}`)

  test('revoke-prefix: what has not been removed when the server dies is dead, shown as removed, and removed later', async () => {
    const path = 'auth/cut/login'
    const [token] = await store(app.deps.db, path, 600)
    const isAlive = async () => (await app.root.as(token?.text ?? '').get('/v1/auth/token/lookup-self')).status === 200
    expect(await isAlive()).toBe(true)
    const accessor = { accessor: token?.accessor }
    const mend = holdRemovals(app, 'tokens')
    mustBe(await app.root.put('/v1/sys/leases/revoke-prefix/auth/cut', {}), 204)
    expect([await isAlive(), (await app.root.post('/v1/auth/token/lookup-accessor', accessor)).status]).toEqual([
      false,
      400,
    ])
    expect((await list(path)).status).toBe(404)
    expect((await list('auth')).body.data?.keys ?? []).not.toContain('cut/')
    expect((await app.root.list('/v1/auth/token/accessors')).body.data.keys).not.toContain(token?.accessor)
    expect(await removals()).toMatchObject([
      { kind: 'tokens', name: 'auth/cut', requested_by: 'root', rows_left: 600, last_error: '' },
    ])
    expect(await stored(path)).toBe(600)
    mend()
    await finishRemovals(app)
    expect([await stored(path), await removals()]).toEqual([0, []])
    expect(await app.deps.db.selectFrom('revoked_paths').selectAll().execute()).toEqual([])
  })

  test('a token of a path whose tokens are being removed works if it was created afterwards', async () => {
    const path = 'auth/token/create/busy'
    const calls = await tokenCalls(app)
    await app.root.post('/v1/auth/token/roles/busy', {})
    await store(app.deps.db, path, 3)
    const mend = holdRemovals(app, 'tokens')
    mustBe(await app.root.put(`/v1/sys/leases/revoke-prefix/${path}`, {}), 204)
    app.clock.advance('1ms')
    const later = await calls.create({ ttl: '1h', renewable: true }, app.root, 'create/busy')
    const child = await calls.create({ ttl: '1h' }, calls.as(await calls.create({ policies: ['maker'] })))
    mend()
    expect((await list(path)).body.data.keys).toHaveLength(1)
    expect((await calls.as(later).post('/v1/auth/token/renew-self', {})).status).toBe(200)
    await finishRemovals(app)
    expect([await stored(path), await calls.isAlive(later), await calls.isAlive(child)]).toEqual([1, true, true])
  })

  test('the children of a token that comes from a revoked path are dead at once, wherever they come from', async () => {
    const calls = await tokenCalls(app)
    const [parent] = await store(app.deps.db, 'auth/kin/login', 1)
    const child = await calls.create({ ttl: '1h' }, app.root.as(parent?.text ?? ''))
    const grandchild = await calls.create({ ttl: '1h' }, calls.as(child))
    const mend = holdRemovals(app, 'tokens')
    mustBe(await app.root.put('/v1/sys/leases/revoke-prefix/auth/kin', {}), 204)
    for (const each of [child, grandchild]) expect(await calls.isAlive(each)).toBe(false)
    const { keys } = (await app.root.list('/v1/auth/token/accessors')).body.data
    const accessors = [child.accessor, grandchild.accessor]
    expect(keys.filter((key: string) => accessors.includes(key))).toEqual([])
    mend()
    await finishRemovals(app)
    await sweep(app.deps)
    expect(await app.deps.db.selectFrom('tokens').select('id').where('accessor', 'in', accessors).execute()).toEqual([])
  })
})
