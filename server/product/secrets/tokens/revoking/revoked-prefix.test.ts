import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, eachEngine, testStore } from '../../../../../test/support/databases.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../../test/support/test-app.ts'
import { invalidTokenAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { later } from '../../../../kernel/clock.ts'
import { loadPayload } from '../../../../kit/job-store.ts'
import { createMetrics } from '../../../../kit/metrics.ts'
import type { Db, Store } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { toRow } from '../records/token-store.ts'
import { continueRevoking, pathJobName, revokeByPath, sweep } from './revocation-actions.ts'

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

    expect((await app.root.put('/v1/sys/leases/revoke-prefix/auth/token/create/part')).status).toBe(202)

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
  })

  test('a revocation by path that is cut off revives nothing, and its job does the rest', async () => {
    const data = await testStore(engine)
    const depsOf = (opened: Store) => ({
      ...{ db: opened.db, store: opened, clock: app.clock, metrics: createMetrics() },
    })
    await store(data.db, 'auth/cut/login', 6_000)
    const count = async (revoked: 0 | 1) =>
      (await data.db.selectFrom('tokens').select('id').where('revoked', '=', revoked).execute()).length
    const dying = await data.openAnother()
    const cut = expect(revokeByPath(depsOf(dying), 'auth/cut')).rejects.toThrow()
    await expect.poll(() => count(1), { interval: 1 }).toBeGreaterThan(500)
    await dying.close()
    await cut
    const [marked, left] = [await count(1), await count(0)]
    expect([marked + left, left > 0]).toEqual([6_000, true])

    const payload = await loadPayload(data.db, pathJobName, 'auth/cut')
    expect(payload).toEqual({ until: app.clock.now() })
    await continueRevoking(depsOf(data.store), { key: 'auth/cut', payload })
    expect(await count(0)).toBe(0)
    await sweep(depsOf(data.store))
    expect(await count(1)).toBe(0)
  })
})
