import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, eachEngine, emptyDatabase } from '../../test/support/databases.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { Keyring } from '../crypto/keyring.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { secret } from '../kernel/secret.ts'
import { columnTypesOf } from '../storage/dialect.ts'
import { loadMigrations, type Migration, migrate } from '../storage/migrate.ts'
import { up } from '../storage/migrations/202611181100-installation.ts'
import { openStore } from '../storage/open.ts'
import { type ArchiveDeps, restoreArchive, takeArchive } from './index.ts'

const rootKey = secret(Buffer.alloc(32, 7))

/** A store as made by a version of the program that knew only these migrations. */
async function nodeOf(engine: Engine, migrations: readonly Migration[], dataDir: string): Promise<ArchiveDeps> {
  const database = await emptyDatabase(engine)
  const store = await openStore(database.options)
  onTestFinished(async () => {
    await store.close()
    await database.remove()
  })
  await migrate(store, migrations)
  const keyring = Keyring.create({ clock: systemClock, ids: randomIds }, rootKey)
  const facts = { cluster_id: 'c', cluster_name: 'c', initialised_at: 1, recovery: null }
  const terms = { type: 'auto', shares: 1, threshold: 1 } as const
  await store.db
    .insertInto('seal')
    .values({ id: 'seal', wrapped: keyring.serialize(), revision: 1, ...terms, ...facts })
    .execute()
  const settings = { dataDir, nodeName: 'n', version: '0', compatVersion: '0' }
  return { store, keyring, clock: systemClock, ids: randomIds, log: silentLog, settings }
}

eachEngine((engine) => {
  test('restoring an archive of an older version migrates it to the present version', async () => {
    const folder = ownFolder()
    const all = await loadMigrations()
    // Later migrations have added tables.
    const known = all.findIndex(({ name }) => name.includes('oauth-ssh-keys'))
    const older = await nodeOf(engine, all.slice(0, known), folder)
    // What an archive needs to be taken at all; it is in none.
    await up(older.store.db as unknown as Kysely<unknown>, columnTypesOf(engine))
    await older.store.db.insertInto('policies').values({ name: 'old', text: 'x', updated_at: 1 }).execute()
    const archive = await takeArchive(older)
    const file = join(folder, 'old.snap')
    await pipeline(archive.open(), createWriteStream(file))
    await archive.remove()

    const present = await nodeOf(engine, all, folder)
    const report = await restoreArchive(present, createReadStream(file), { force: true })
    expect(report).toMatchObject({ sealed: false })
    const policies = await present.store.db.selectFrom('policies').select('name').execute()
    expect(policies).toEqual([{ name: 'old' }])
    // A second migration finds nothing to do, and all tables are there.
    await migrate(present.store, all)
    const again = await takeArchive(present)
    await again.remove()
    expect(Object.keys(again.summary.tables).length).toBeGreaterThan(Object.keys(archive.summary.tables).length)
  })
})
