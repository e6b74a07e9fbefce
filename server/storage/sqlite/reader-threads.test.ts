import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { SqliteConnection } from './connection.ts'
import { ReaderThreads, type ReadLimits } from './reader-threads.ts'

/** Threads on a file with a few rows, and every thread that was started. */
function testThreads(limits: Partial<ReadLimits> = {}) {
  const folder = temporaryFolder()
  const file = join(folder, 'read.db')
  const writer = new SqliteConnection(file, { readOnly: false, durable: false })
  writer.run('create table t (id integer primary key, name text, bytes blob)')
  writer.run("insert into t values (1, 'one', x'78'), (2, null, null)")
  const started: Worker[] = []
  const note = (worker: Worker): void => void started.push(worker)
  process.on('worker', note)
  const threads = new ReaderThreads({ file, clock: systemClock, log: silentLog, limits })
  onTestFinished(async () => {
    process.off('worker', note)
    await threads.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const read = async (sql: string, ...parameters: unknown[]) => (await threads.read({ sql, parameters })).rows
  return { read, started, writer, threads }
}

const names = 'select id, name from t order by id'

const bothNames = [
  { id: 1, name: 'one' },
  { id: 2, name: null },
]

/** A statement that takes long in one step; each number makes one of its own. */
const countTo = (last: number): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${last}) select count(*) as counted from n`

test('reader threads: rows have the shape and the values that a connection gives them', async () => {
  const { read, writer } = testThreads()
  const all = 'select *, id * 2 as doubled from t where id >= ? order by id'
  expect(await read(all, 1)).toEqual(writer.run(all, [1]).rows)
  writer.run('alter table t add column late text')
  expect(await read(all, 1)).toEqual(writer.run(all, [1]).rows)
})

test('reader threads: a thread that was killed is replaced, and only its own read fails', async () => {
  const { read, started } = testThreads()
  const lost = read(countTo(1_000_000)).catch((error) => error)
  await expect.poll(() => started.length).toBe(1)
  const [ended] = await Promise.all([lost, started[0]?.terminate()])
  expect(ended).toMatchObject({ kind: 'unavailable', code: 'storage.no-answer' })
  expect(await read(names)).toEqual(bothNames)
  expect(started).toHaveLength(2)
})

test('reader threads: a statement that was slow before does not keep quick ones waiting', async () => {
  const { read } = testThreads({ slow: 20 })
  const slow = countTo(1_000_000)
  // Both threads have started then.
  await Promise.all([read(slow), read(slow)])
  const ended: string[] = []
  const note = (name: string) => (): void => void ended.push(name)
  await Promise.all([
    ...[1, 2, 3].map(() => read(slow).then(note('slow'))),
    ...[1, 2, 3].map(() => read(names).then(note('quick'))),
  ])
  expect(ended.indexOf('slow')).toBeGreaterThan(ended.lastIndexOf('quick'))
})

test('reader threads: a read beyond its deadline fails as on PostgreSQL, and later reads go on', async () => {
  const { read } = testThreads({ deadline: 150 })
  await expect(read(countTo(2_000_000))).rejects.toMatchObject({ kind: 'unavailable', code: 'storage.no-answer' })
  await expect.poll(() => read(names).catch(() => undefined)).toEqual(bothNames)
})

test('reader threads: more reads than may wait are refused', async () => {
  const { read } = testThreads({ reads: 5 })
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => read(names)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'storage.saturated' } })
  expect(await read(names)).toEqual(bothNames)
})

test('reader threads: close ends the threads and refuses further reads', async () => {
  const { read, started, threads } = testThreads()
  await read(names)
  await threads.close()
  expect(started.map(({ threadId }) => threadId)).toEqual([-1])
  await expect(read(names)).rejects.toMatchObject({ code: 'storage.closed' })
})
