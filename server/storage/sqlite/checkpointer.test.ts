import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { Checkpointer, type LogState } from './checkpointer.ts'
import { SqliteConnection } from './connection.ts'
import { WriteQueue } from './write-queue.ts'

/** A queue whose log is checkpointed early, and never by SQLite itself within a commit. */
function testQueue({ copied }: { copied?: string } = {}) {
  const folder = temporaryFolder()
  const file = join(folder, 'checkpointed.db')
  const writer = new SqliteConnection(file, { readOnly: false, durable: true })
  writer.run('pragma wal_autocheckpoint = 0')
  writer.control('create table t (id integer primary key, filling text)')
  const complaints: string[] = []
  const log = { ...silentLog, error: (_fields: object, message: string) => void complaints.push(message) }
  const checkpointer = new Checkpointer({ file: copied ?? file, writer, log, minPages: 100 })
  const queue = new WriteQueue(writer, { clock: systemClock, log: silentLog, checkpointer })
  onTestFinished(async () => {
    await queue.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let written = 0
  const write = async (): Promise<void> => {
    const row = [++written, 'x'.repeat(2_000)]
    await queue.run((session) => session.run('insert into t values (?, ?)', row), { single: true })
  }
  const logState = (): LogState => writer.run<LogState>('pragma wal_checkpoint(noop)').rows[0] as LogState
  const pages = (): number => logState().log
  /** Writes without a pause until it is so. */
  const writeUntil = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await Promise.all([write(), write(), write()])
  }
  const rows = (connection = writer): number =>
    Number(connection.run<{ count: number }>('select count(*) as count from t').rows[0]?.count)
  return { file, queue, writeUntil, pages, logState, rows, complaints, total: () => written }
}

test('checkpointer: under continuous writes the WAL is checkpointed and restarts again and again', async () => {
  const { file, writeUntil, pages, rows, total } = testQueue()
  for (let round = 0; round < 3; round++) {
    await writeUntil(() => pages() >= 100)
    await writeUntil(() => pages() < 100)
  }
  const other = new SqliteConnection(file, { readOnly: true, durable: true })
  onTestFinished(() => other.close())
  expect(rows(other)).toBe(total())
})

test('checkpointer: a long-running reader lets the WAL grow, but does not block writes', async () => {
  const { file, writeUntil, pages, rows, total } = testQueue()
  const reader = new SqliteConnection(file, { readOnly: true, durable: true })
  onTestFinished(() => reader.close())
  reader.control('begin')
  expect(rows(reader)).toBe(0)
  await writeUntil(() => pages() >= 500)
  expect(rows(reader)).toBe(0)
  expect(rows()).toBe(total())
  reader.control('commit')
  await writeUntil(() => pages() < 100)
})

test('checkpointer: if its thread fails, writes continue and the failure is logged', async () => {
  const { writeUntil, pages, rows, total, complaints } = testQueue({ copied: '/proc/no/such.db' })
  await writeUntil(() => pages() >= 500)
  expect(rows()).toBe(total())
  await expect.poll(() => complaints).toContain('background checkpoint of the database failed')
})

test('checkpointer: a program that only writes can exit', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = `
    import { Checkpointer } from '${import.meta.dirname}/checkpointer.ts'
    import { SqliteConnection } from '${import.meta.dirname}/connection.ts'
    import { WriteQueue } from '${import.meta.dirname}/write-queue.ts'
    import { systemClock as clock } from '${import.meta.dirname}/../../kernel/clock.ts'
    import { silentLog as log } from '${import.meta.dirname}/../../kernel/log.ts'
    const file = process.argv[1]
    const writer = new SqliteConnection(file, { readOnly: false, durable: true })
    writer.control('create table t (filling text)')
    const queue = new WriteQueue(writer, { clock, log, checkpointer: new Checkpointer({ file, writer, log, minPages: 100 }) })
    for (let n = 0; n < 5_000; n++) {
      await queue.run((session) => session.run('insert into t values (?)', ['x'.repeat(2_000)]), { single: true })
    }
    await queue.close()
    console.log('written')`
  const args = ['--input-type=module', '-e', script, join(folder, 'program.db')]
  expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('written\n')
})

test('checkpointer: close waits for a running checkpoint', async () => {
  const { queue, writeUntil, pages, logState } = testQueue()
  await writeUntil(() => pages() >= 200)
  await queue.close()
  const { log, checkpointed } = logState()
  // All pages present at the start are copied, unless the log has restarted since.
  expect(log < 100 || checkpointed >= 100).toBe(true)
})
