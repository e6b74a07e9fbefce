import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { temporaryFolder } from '../../test/support/folders.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { migrate } from './migrate.ts'
import { openStore, type Queryable } from './open.ts'
import { LogFlusher } from './sqlite/log-flusher.ts'
import { inTransaction } from './transaction.ts'
import { bumpVersion } from './versions.ts'

function folder(): string {
  const path = temporaryFolder()
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const open = (url: string) => openStore({ url, log: silentLog, clock: systemClock })

test('open: a new database file, its WAL and its shared memory have mode 600', async () => {
  const file = join(folder(), 'holdfast.db')
  const store = await open(`sqlite:${file}`)
  await migrate(store)
  const modes = [file, `${file}-wal`, `${file}-shm`].map((path) => (statSync(path).mode & 0o777).toString(8))
  await store.close()
  expect(modes).toEqual(['600', '600', '600'])
})

test('open: after a failed flush every write is refused and broken() gives the reason', async () => {
  const store = await open(`sqlite:${join(folder(), 'holdfast.db')}`)
  onTestFinished(() => store.close())
  await migrate(store)
  expect(store.broken()).toBeUndefined()
  vi.spyOn(LogFlusher.prototype, 'flush').mockRejectedValueOnce(new Error('EIO'))
  const write = () => inTransaction(store.db, async (tx) => bumpVersion(tx, 'tokens'))
  await expect(write()).rejects.toMatchObject({ code: 'storage.not-durable' })
  await expect(write()).rejects.toMatchObject({ code: 'storage.not-durable' })
  expect(store.broken()).toMatchObject({ kind: 'unavailable', code: 'storage.not-durable' })
})

test.each<[string, (path: string) => string, RegExp]>([
  ['in a folder that is not there', (path) => join(path, 'none', 'x.db'), /cannot be opened: .*no such file/],
  [
    'that is not a database',
    (path) => {
      const file = join(path, 'x.db')
      writeFileSync(
        file,
        'this is a text of more than one hundred bytes, so that it cannot be taken for a header. '.repeat(2),
      )
      return file
    },
    /cannot be opened: file is not a database/,
  ],
  [
    'that is a folder',
    (path) => {
      mkdirSync(join(path, 'x.db'))
      return join(path, 'x.db')
    },
    /cannot be opened: /,
  ],
])('open: a file %s is refused in one line that names it', async (_name, make, text) => {
  const file = make(folder())
  const refused = await open(`sqlite:${file}`).catch((error) => error)
  expect(refused).toMatchObject({ kind: 'unavailable', code: 'storage.cannot-open' })
  expect(refused.message).toMatch(text)
  expect(refused.message).toContain(file)
  expect(refused.message).not.toContain('\n')
})

test('open: a locked file is refused with a message that the database is busy', async () => {
  const file = join(folder(), 'x.db')
  const holder = new DatabaseSync(file)
  holder.exec('pragma journal_mode = delete; create table t (a); begin exclusive')
  await expect(open(`sqlite:${file}`)).rejects.toThrow(/cannot be opened: The database is busy; try again\.$/)
  holder.close()
})

test.skipIf(process.getuid?.() === 0)('open: a folder that cannot be written to is refused', async () => {
  const path = folder()
  chmodSync(path, 0o500)
  await expect(open(`sqlite:${join(path, 'x.db')}`)).rejects.toMatchObject({ code: 'storage.cannot-open' })
})

test.each(['mysql://h/db', 'sqlite:relative.db', '/var/lib/x.db', ''])(
  'open: the address %j is refused',
  async (url) => {
    await expect(open(url)).rejects.toMatchObject({ code: 'storage.unknown-address' })
  },
)

test('open: the memory for pages of the file is shared by all connections', async () => {
  const cacheBytes = 40 * 1024 * 1024
  const store = await openStore({
    url: `sqlite:${join(folder(), 'holdfast.db')}`,
    log: silentLog,
    clock: systemClock,
    cacheBytes,
  })
  onTestFinished(() => store.close())
  await migrate(store)
  const kibibytes = async (db: Queryable) =>
    (await sql<{ cache_size: number }>`pragma cache_size`.execute(db)).rows[0]?.cache_size
  const shares = [
    await kibibytes(store.db),
    await kibibytes(store.reads),
    await inTransaction(store.db, async (tx) => await kibibytes(tx)),
  ]
  expect(shares).toEqual([-8192, -8192, -8192])
})

eachEngine((engine) => {
  describe('close', () => {
    test('writes accepted before close are committed; later ones are refused', async () => {
      const { store, db, openAnother } = await testStore(engine)
      const other = await openAnother()
      const add = (id: string) =>
        inTransaction(other.db, (tx) => tx.insertInto('operations').values({ id, created_at: 1 }).execute())
      await Promise.all(['a', 'b', 'c'].map(add))
      await other.close()
      await expect(add('late')).rejects.toThrow()
      expect(await db.selectFrom('operations').select('id').execute()).toHaveLength(3)
      expect(await store.databaseNow()).toBeGreaterThan(0)
    })
  })
})
