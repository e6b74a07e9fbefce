import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { finishRemovals, holdRemovals } from '../../../../../test/support/removals.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'
import { later } from '../../../../kernel/clock.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { insertToken } from '../records/token-store.ts'
import { pathJobName, revocationJobs } from './revocation-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const roles = ['old', 'twice', 'ahead', 'before']
  beforeAll(async () => {
    for (const name of roles) await app.root.post(`/v1/auth/token/roles/${name}`, {})
  })

  const pathOf = (role: string) => `auth/token/create/${role}`
  const by = (role: string) => calls.create({ policies: ['default'], ttl: '1h' }, app.root, `create/${role}`)
  const store = (role: string, count: number, ahead = 0) =>
    inTransaction(app.deps.db, async (tx) => {
      for (let index = 0; index < count; index++) {
        const token = blankToken(app.deps, `${role}-${ahead}-${index}`)
        const createdAt = later(app.clock.now(), ahead)
        await insertToken(tx, { ...token, path: pathOf(role), createdAt, expiresAt: later(createdAt, 3_600_000) })
      }
    })
  const left = async (role: string): Promise<number> =>
    ((await app.root.list(`/v1/sys/leases/lookup/${pathOf(role)}`)).body.data?.keys ?? []).length
  const revoke = async (role: string, fields = {}, status = 204) =>
    mustBe(await app.root.put(`/v1/sys/leases/revoke-prefix/${pathOf(role)}`, fields), status)

  test('revoke-prefix: a token created after the answer survives the job, one from before does not', async () => {
    await store('old', 600)
    const mend = holdRemovals(app, 'tokens')
    await revoke('old')
    app.clock.advance('1s')
    const fresh = await by('old')
    mend()
    await finishRemovals(app)
    expect(await left('old')).toBe(1)
    expect(await calls.isAlive(fresh)).toBe(true)
  })

  test('revoke-prefix asked for twice: the job ends what existed at the later time', async () => {
    await store('twice', 600)
    const mend = holdRemovals(app, 'tokens')
    await revoke('twice')
    app.clock.advance('1s')
    const between = await by('twice')
    await revoke('twice')
    app.clock.advance('1s')
    const fresh = await by('twice')
    expect(await calls.isAlive(between)).toBe(false)
    mend()
    await finishRemovals(app)
    expect(await calls.isAlive(between)).toBe(false)
    expect(await calls.isAlive(fresh)).toBe(true)
  })

  test('revoke-prefix: tokens of a node whose clock is ahead are revoked as well', async () => {
    await store('ahead', 300, 60_000)
    await revoke('ahead', { sync: true }, 204)
    expect(await left('ahead')).toBe(0)
  })

  test('a job that an earlier version asked for ends all tokens of its path', async () => {
    await store('before', 300, 60_000)
    const job = revocationJobs.find(({ name }) => name === pathJobName)
    await job?.run(app.deps, { key: pathOf('before'), payload: null } as JobRun)
    expect(await left('before')).toBe(0)
  })
})
