import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restoreArchive, takeArchive } from '../../server/archive/index.ts'
import { secret } from '../../server/kernel/secret.ts'
import { storeFinding } from '../../server/process/doctor/checks.ts'
import { openStore, type Store } from '../../server/storage/open.ts'
import { testEngines } from '../support/databases.ts'
import { type PoolerSettings, startPgBouncer } from '../support/pgbouncer.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { testApp } from '../support/test-app.ts'

/** A server on PostgreSQL whose store is reached through PgBouncer. */
async function pooledApp(settings: PoolerSettings) {
  const { deps, close } = await testApp({ engine: 'postgres' })
  onTestFinished(close)
  const url = await startPgBouncer(deps.store.url, settings)
  const store: Store = await openStore({ url, log: deps.log, clock: deps.clock, databaseClock: 'given' })
  onTestFinished(() => store.close())
  const addPolicy = (name: string) =>
    store.db.insertInto('policies').values({ name, text: '', updated_at: 1 }).execute()
  const hasPolicy = async (name: string) =>
    (await deps.db.selectFrom('policies').select('name').where('name', '=', name).execute()).length > 0
  return { deps: { ...deps, store, db: store.db, reads: store.reads }, addPolicy, hasPolicy }
}

describe.skipIf(!isInstalled('pgbouncer') || !testEngines.includes('postgres'))('pgbouncer', () => {
  test.each(['extra_float_digits', 'options'])(
    'a snapshot is restored in session mode, ignoring %s',
    async (ignored) => {
      const { deps, addPolicy, hasPolicy } = await pooledApp({ mode: 'session', ignored: [ignored] })
      await addPolicy('early')
      const archive = await takeArchive(deps)
      const bytes = await buffer(archive.open())
      await archive.remove()
      await addPolicy('late')
      await restoreArchive(deps, Readable.from([bytes]))
      expect([await hasPolicy('early'), await hasPolicy('late')]).toEqual([true, false])
      expect(deps.store.sharesSessions()).toBe(false)
    },
  )

  test('transaction mode is reported at the start and by doctor, and a restore is refused before it begins', async () => {
    const { deps, addPolicy, hasPolicy } = await pooledApp({ mode: 'transaction', ignored: ['options'] })
    expect(deps.store.sharesSessions()).toBe(true)
    const { url } = deps.store
    expect(await storeFinding({ storage: { engine: 'postgres', url: secret(url) } })).toMatchObject({
      state: 'fail',
      text: expect.stringContaining('transaction mode'),
    })
    const archive = await takeArchive(deps)
    const bytes = await buffer(archive.open())
    await archive.remove()
    await addPolicy('late')
    const restored = restoreArchive(deps, Readable.from([bytes]))
    await expect(restored).rejects.toMatchObject({ code: 'storage.shared-sessions' })
    expect(await hasPolicy('late')).toBe(true)
    const opened = openStore({ url, log: deps.log, clock: deps.clock, schema: 'public' })
    await expect(opened).rejects.toMatchObject({ code: 'storage.shared-sessions' })
  })
})
