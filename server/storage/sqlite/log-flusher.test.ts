import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { SqliteConnection } from './connection.ts'
import { LogFlusher } from './log-flusher.ts'
import { WriteQueue } from './write-queue.ts'

/** Flushes for real, but only when the test lets it, and may be told to fail. */
class HeldFlusher extends LogFlusher {
  readonly held: PromiseWithResolvers<void>[] = []

  override async flush(): Promise<void> {
    const gate = Promise.withResolvers<void>()
    this.held.push(gate)
    await gate.promise
    await super.flush()
  }
}

function testQueue() {
  const folder = temporaryFolder()
  const file = join(folder, 'flushed.db')
  const connection = new SqliteConnection(file, { readOnly: false, durable: true })
  connection.control('create table t (id text primary key)')
  const flusher = new HeldFlusher(file)
  const limits = { overlapSize: 4 }
  const queue = new WriteQueue(connection, { clock: systemClock, log: silentLog, flusher, limits })
  onTestFinished(async () => {
    for (const gate of flusher.held) gate.resolve()
    await queue.close()
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const answered: string[] = []
  const insert = async (id: string): Promise<void> => {
    await queue.run((session) => session.run('insert into t values (?)', [id]), { single: true })
    answered.push(id)
  }
  const flushes = (count: number) => expect.poll(() => flusher.held.length, { interval: 1 }).toBe(count)
  const stored = () => connection.run<{ id: string }>('select id from t order by id').rows.map((row) => row.id)
  return { queue, insert, answered, flusher, flushes, stored }
}

test('flusher: a write is answered only after its flush; writes that come meanwhile share the next flush', async () => {
  const { insert, answered, flusher, flushes } = testQueue()
  const first = insert('first')
  await flushes(1)
  const others = Promise.all([insert('second'), insert('third')])
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(answered).toEqual([])
  flusher.held[0]?.resolve()
  await first
  expect(answered).toEqual(['first'])
  await flushes(2)
  flusher.held[1]?.resolve()
  await others
  expect(answered).toEqual(['first', 'second', 'third'])
})

test('flusher: after a failed flush all waiting and later writes fail with storage.not-durable', async () => {
  const { queue, insert, answered, flusher, flushes } = testQueue()
  const first = insert('first')
  await flushes(1)
  expect(queue.broken).toBeUndefined()
  const waiting = insert('second')
  flusher.held[0]?.reject(new Error('EIO'))
  await expect(first).rejects.toMatchObject({ kind: 'unavailable', code: 'storage.not-durable' })
  await expect(waiting).rejects.toMatchObject({ code: 'storage.not-durable' })
  await expect(insert('third')).rejects.toMatchObject({ code: 'storage.not-durable' })
  expect(answered).toEqual([])
  expect(flusher.held).toHaveLength(1)
  expect(queue.broken).toMatchObject({ code: 'storage.not-durable' })
})

test('flusher: a missing log file is an error', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await expect(new LogFlusher(join(folder, 'none.db')).flush()).rejects.toMatchObject({ code: 'ENOENT' })
})

test('flusher: during a flush a large group commits, a small one waits; only earlier writes are answered', async () => {
  const { insert, answered, flusher, flushes, stored } = testQueue()
  const first = insert('a')
  await flushes(1)
  const few = ['b', 'c', 'd'].map(insert)
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(stored()).toEqual(['a'])
  const many = [...few, insert('e')]
  await expect.poll(stored).toEqual(['a', 'b', 'c', 'd', 'e'])
  flusher.held[0]?.resolve()
  await first
  await flushes(2)
  expect(answered).toEqual(['a'])
  flusher.held[1]?.resolve()
  await Promise.all(many)
  expect(answered).toHaveLength(5)
})

test('flusher: a failed flush also fails the writes that were committed while it ran', async () => {
  const { insert, answered, flusher, flushes, stored } = testQueue()
  const first = insert('a')
  await flushes(1)
  const works = [first, ...['b', 'c', 'd', 'e'].map(insert)]
  await expect.poll(stored).toHaveLength(5)
  flusher.held[0]?.reject(new Error('the disk is gone'))
  const settled = await Promise.allSettled([...works, insert('f')])
  expect(settled.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
    Array(6).fill('storage.not-durable'),
  )
  expect(answered).toEqual([])
})

test('flusher: a log that cannot be opened once is opened at the next flush, and closing does not throw', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'late.db')
  const flusher = new LogFlusher(file)
  await expect(flusher.flush()).rejects.toThrow('ENOENT')
  await flusher.close()
  await expect(flusher.flush()).rejects.toThrow('ENOENT')
  writeFileSync(`${file}-wal`, '')
  await flusher.flush()
  await flusher.close()
})
