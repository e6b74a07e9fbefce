import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { examineLog, settleLog } from './log-remains.ts'

const page = 4096 + 24

/** A database as an unclean stop leaves it, after these statements of a transaction each. */
function stopped(commits: number, unfinished = false) {
  const folder = ownFolder()
  const [live, file] = [join(folder, 'live.db'), join(folder, 'left.db')]
  const database = new DatabaseSync(live)
  onTestFinished(() => database.close())
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (n, filling)')
  for (let n = 1; n <= commits; n++) database.exec(`insert into t values (${n}, zeroblob(3000))`)
  const [{ log = 0 } = {}] = database.prepare('pragma wal_checkpoint(noop)').all() as { log: number }[]
  if (unfinished) {
    database.exec('pragma cache_size = 1; begin')
    for (let n = 0; n < 50; n++) database.exec('insert into t values (0, zeroblob(3000))')
  }
  copyFileSync(live, file)
  copyFileSync(`${live}-wal`, `${file}-wal`)
  const flip = (at: number): void => {
    const bytes = readFileSync(`${file}-wal`)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(`${file}-wal`, bytes)
  }
  return { file, frames: log, flip }
}

const countRows = (file: string): unknown => {
  const database = new DatabaseSync(file)
  try {
    return database.prepare('select count(*) as n from t').get()?.n
  } finally {
    database.close()
  }
}

test('log of the database: after an unclean stop all frames are counted, as SQLite counts them', async () => {
  const { file, frames } = stopped(20)
  expect(frames).toBeGreaterThan(20)
  expect(await examineLog(file)).toEqual({ recovered: frames, lost: 0 })
})

test('log of the database: an unfinished transaction, and a last frame that was cut off, are no loss', async () => {
  const { file } = stopped(5, true)
  const { frames } = stopped(5)
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(32 + (frames + 10) * page)
  expect(await examineLog(file)).toEqual({ recovered: frames, lost: 0 })
  const cut = stopped(5)
  truncateSync(`${cut.file}-wal`, 32 + cut.frames * page - 100)
  const { recovered, lost } = await examineLog(cut.file)
  expect([recovered < cut.frames, lost]).toEqual([true, 0])
})

test('log of the database: a byte flipped in the middle loses what comes after it, and that is counted', async () => {
  const { file, frames, flip } = stopped(20)
  flip(32 + 10 * page + 2_000)
  const { recovered, lost } = await examineLog(file)
  expect(recovered).toBeGreaterThan(0)
  expect([recovered <= 10, recovered + lost]).toEqual([true, frames])
  settleLog(file)
  expect(countRows(file)).toBeLessThan(20)
  expect(await examineLog(file)).toEqual({ recovered: 0, lost: 0 })
})

test('log of the database: with a damaged header all of it is lost', async () => {
  const { file, frames, flip } = stopped(3)
  flip(17)
  expect(await examineLog(file)).toEqual({ recovered: 0, lost: frames })
})

test.each([
  ['without a log', undefined],
  ['with an empty log', 0],
  ['with a log of zeros', 9_000],
])('log of the database: %s nothing is found', async (_what, size) => {
  const file = join(ownFolder(), 'some.db')
  if (size !== undefined) writeFileSync(`${file}-wal`, Buffer.alloc(size))
  expect(await examineLog(file)).toEqual({ recovered: 0, lost: 0 })
})
