import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe } from '../../../../test/support/platform.ts'
import { finishRemovals, holdRemovals } from '../../../../test/support/removals.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { later } from '../../../kernel/clock.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { blankToken } from '../../secrets/tokens/issuing/new-token-actions.ts'
import { toRow } from '../../secrets/tokens/records/token-store.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Stores tokens of a path and returns their texts. */
async function store(app: TestApp, path: string, count: number, mountId = ''): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, index) => `${path}-${index}`)
  const expiresAt = later(app.clock.now(), 3_600_000)
  const rows = texts.map((text) =>
    toRow({ ...blankToken(app.deps, text), path, mountId, expiresAt, policies: ['default'], creationTtl: 3_600 }),
  )
  await inTransaction(app.deps.db, (tx) => tx.insertInto('tokens').values(rows).execute())
  return texts
}

const works = async (app: TestApp, token = '') =>
  (await app.root.as(token).get('/v1/auth/token/lookup-self')).status === 200

/** Restores an archive; returns how many service tokens came back to life. */
async function revivedBy(app: TestApp, archive: Buffer): Promise<number> {
  const { status, body } = await sendSnapshot(app, archive)
  expect(status).toBe(200)
  return body.data.tokens.revived
}

const stored = async ({ deps }: TestApp, path: string): Promise<number> =>
  (await deps.db.selectFrom('tokens').select('id').where('path', '=', path).execute()).length

eachEngine((engine) => {
  test('restore: tokens of a revoked path are alive again from before it was revoked, and dead from afterwards', async () => {
    const app = await ownApp({ engine })
    const path = 'auth/cut/login'
    const [token] = await store(app, path, 300)
    expect(await works(app, token)).toBe(true)
    const before = await saveSnapshot(app)
    const mend = holdRemovals(app, 'tokens')
    mustBe(await app.root.put('/v1/sys/leases/revoke-prefix/auth/cut', {}), 204)
    const afterwards = await saveSnapshot(app)
    expect(await works(app, token)).toBe(false)

    expect(await revivedBy(app, before)).toBe(300)
    expect(await works(app, token)).toBe(true)

    expect(await revivedBy(app, afterwards)).toBe(0)
    expect([await works(app, token), await stored(app, path)]).toEqual([false, 300])
    mend()
    await finishRemovals(app)
    expect(await stored(app, path)).toBe(0)
  })

  test('restore: tokens of logins at a mount are alive again from before it was removed, and dead from afterwards', async () => {
    const app = await ownApp({ engine })
    mustBe(await app.root.post('/v1/sys/auth/gone', { type: 'cert' }), 204)
    const { id } = await app.deps.db
      .selectFrom('mounts')
      .select('id')
      .where('path', '=', 'auth/gone/')
      .executeTakeFirstOrThrow()
    const [token] = await store(app, 'auth/gone/login', 300, id)
    expect(await works(app, token)).toBe(true)
    const before = await saveSnapshot(app)
    holdRemovals(app, 'mount')
    mustBe(await app.root.delete('/v1/sys/auth/gone'), 204)
    const afterwards = await saveSnapshot(app)
    expect(await works(app, token)).toBe(false)

    expect(await revivedBy(app, before)).toBe(300)
    expect(await works(app, token)).toBe(true)

    expect(await revivedBy(app, afterwards)).toBe(0)
    expect([await works(app, token), await stored(app, 'auth/gone/login')]).toEqual([false, 300])
  })
})
