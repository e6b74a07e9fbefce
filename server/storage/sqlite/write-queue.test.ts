import { AsyncLocalStorage } from 'node:async_hooks'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { SqliteConnection } from './connection.ts'
import type { SqliteSession } from './session.ts'
import { type QueueLimits, WriteQueue } from './write-queue.ts'

/** The real connection, counting what the queue does with it. */
class CountingConnection extends SqliteConnection {
  commits = 0

  override control(sql: string): void {
    if (sql === 'commit') this.commits += 1
    super.control(sql)
  }
}

/** A group gathers for longer than any of these tests take, unless that is what is tested. */
function testQueue(limits: Partial<QueueLimits> = {}) {
  const folder = temporaryFolder()
  const file = join(folder, 'queue.db')
  const connection = new CountingConnection(file, { readOnly: false, durable: false })
  connection.control(
    'create table t (id text primary key, parent text references t (id) deferrable initially deferred)',
  )
  const queue = new WriteQueue(connection, {
    clock: systemClock,
    log: silentLog,
    limits: { groupTime: 60_000, ...limits },
  })
  onTestFinished(async () => {
    await queue.close()
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const insert = (id: string, parent: string | null = null) =>
    queue.run(async (session) => void session.run('insert into t values (?, ?)', [id, parent]))
  const ids = () => connection.run<{ id: string }>('select id from t order by id').rows.map((row) => row.id)
  return { file, connection, queue, insert, ids }
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code ?? error.message,
  )

test('queue: 64 concurrent writes share one commit', async () => {
  const { connection, insert, ids } = testQueue()
  await Promise.all(Array.from({ length: 64 }, (_, number) => insert(`${number}`)))
  expect(ids()).toHaveLength(64)
  expect(connection.commits).toBe(1)
})

test('queue: a group grows no further than its limit', async () => {
  const { connection, insert } = testQueue({ groupSize: 10 })
  await Promise.all(Array.from({ length: 64 }, (_, number) => insert(`${number}`)))
  expect(connection.commits).toBe(7)
})

test('queue: work items never interleave, even when they await', async () => {
  const { queue } = testQueue()
  const events: string[] = []
  const work = (name: string) =>
    queue.run(async (session) => {
      events.push(`${name} begins`)
      await sleep(1)
      session.run('insert into t values (?, null)', [name])
      events.push(`${name} ends`)
    })
  await Promise.all([work('a'), work('b'), work('c')])
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('queue: nobody is answered before the commit', async () => {
  const { connection, queue } = testQueue()
  const answered: number[] = []
  const work = () => queue.run(() => undefined).then(() => answered.push(connection.commits))
  await Promise.all([work(), work(), work()])
  expect(answered).toEqual([1, 1, 1])
})

test('queue: an item that exceeds its deadline is rolled back and cut off, and later items run', async () => {
  const { queue, insert, ids } = testQueue({ workDeadline: 30 })
  let isLateRefused = ''
  const never = Promise.withResolvers<void>()
  const stuck = queue.run(async (session) => {
    session.run("insert into t values ('stuck', null)")
    await never.promise
    isLateRefused = await outcome(Promise.try(() => session.run('select 1')))
  })
  const after = insert('after')
  expect(await outcome(stuck)).toBe('storage.body-too-slow')
  expect(await outcome(after)).toBe('ok')
  expect(ids()).toEqual(['after'])
  never.resolve()
  await sleep(1)
  expect(isLateRefused).toBe('storage.transaction-over')
})

test('queue: an item that lets others read has its time anew, and is cut off only if a step takes too long', async () => {
  const { queue, ids } = testQueue({ workDeadline: 60 })
  const steps = async (session: SqliteSession, id: string, each: number) => {
    for (let step = 0; step < 10; step++) {
      session.run('insert into t values (?, null)', [`${id}${step}`])
      const end = performance.now() + each
      while (performance.now() < end);
      await session.letOthersRead()
    }
    await sleep(1)
  }
  expect(await outcome(queue.run((session) => steps(session, 'a', 12)))).toBe('ok')
  expect(ids()).toHaveLength(10)
  expect(await outcome(queue.run((session) => steps(session, 'b', 80)))).toBe('storage.body-too-slow')
  expect(ids()).toHaveLength(10)
})

test('queue: a lock held by another connection is waited for without blocking the event loop', async () => {
  const { file, insert, ids } = testQueue()
  const other = new SqliteConnection(file, { readOnly: false, durable: false })
  other.control('begin immediate')
  const writing = Promise.all([insert('a'), insert('b')])
  // If it blocked, each of these turns would last as long as the lock is waited for: ten seconds.
  const began = performance.now()
  for (let turn = 0; turn < 20; turn++) await sleep(1)
  expect(performance.now() - began).toBeLessThan(5_000)
  other.control('commit')
  other.close()
  await writing
  expect(ids()).toEqual(['a', 'b'])
})

test('queue: a lock that is not released is reported as storage.busy with retryAfter', async () => {
  const { file, insert } = testQueue({ busyDeadline: 40 })
  const other = new SqliteConnection(file, { readOnly: false, durable: false })
  other.control('begin immediate')
  const refused = await insert('a').catch((error) => error)
  other.close()
  expect(refused).toMatchObject({ kind: 'unavailable', code: 'storage.busy', extras: { retryAfter: 1 } })
  expect(await outcome(insert('b'))).toBe('ok')
})

test('queue: when the disk is full, only the write that does not fit fails with storage.full', async () => {
  const { connection, queue, insert, ids } = testQueue()
  await insert('before')
  const { page_count: pages } = connection.run<{ page_count: number }>('pragma page_count').rows[0] ?? { page_count: 0 }
  connection.run(`pragma max_page_count = ${pages + 2}`)
  const small = [insert('a'), insert('b')]
  const large = queue.run((session) => session.run('insert into t values (hex(zeroblob(100000)), null)'))
  const later = insert('c')
  expect(await large.catch((error) => error)).toMatchObject({ kind: 'unavailable', code: 'storage.full' })
  expect(await Promise.all([...small, later].map(outcome))).toEqual(['ok', 'ok', 'ok'])
  expect(ids()).toEqual(['a', 'b', 'before', 'c'])
})

test('queue: a constraint checked at the commit fails only the item that broke it', async () => {
  const { insert, ids } = testQueue()
  const outcomes = await Promise.all([insert('a'), insert('b', 'nowhere'), insert('c', 'a')].map(outcome))
  expect(outcomes).toEqual(['ok', 'ERR_SQLITE_ERROR', 'ok'])
  expect(ids()).toEqual(['a', 'c'])
})

/** Items that insert the given ids in order; an empty id makes the item fail at that point. */
function worksOf(queue: WriteQueue) {
  const runs: Record<string, number> = {}
  const work = (name: string, ...inserts: string[]) =>
    outcome(
      queue.run((session) => {
        runs[name] = (runs[name] ?? 0) + 1
        for (const id of inserts) {
          if (id === '') throw new Error(`${name} fails`)
          session.run('insert into t values (?, null)', [id])
        }
      }),
    )
  return { runs, item: work }
}

test('queue: an item that fails halfway does not fail its group; in later groups nobody is run again', async () => {
  const { queue, ids } = testQueue()
  const { runs, item: work } = worksOf(queue)
  const outcomes = [work('a', 'a'), work('b', 'b', ''), work('c', 'c')]
  expect(await Promise.all(outcomes)).toEqual(['ok', 'b fails', 'ok'])
  expect(runs).toEqual({ a: 2, b: 2, c: 1 })
  expect(await Promise.all([work('d', 'd'), work('e', 'e', ''), work('f', 'f')])).toEqual(['ok', 'e fails', 'ok'])
  expect(runs).toMatchObject({ d: 1, e: 1, f: 1 })
  expect(ids()).toEqual(['a', 'c', 'd', 'f'])
})

test('queue: an item that fails at or before its first write causes no rerun of the others', async () => {
  const { connection, queue, ids } = testQueue()
  const { runs, item: work } = worksOf(queue)
  expect(await Promise.all([work('a', 'a'), work('b', ''), work('c', 'a'), work('d', 'd')])).toEqual([
    'ok',
    'b fails',
    'ERR_SQLITE_ERROR',
    'ok',
  ])
  expect(runs).toEqual({ a: 1, b: 1, c: 1, d: 1 })
  expect(connection.commits).toBe(1)
  expect(ids()).toEqual(['a', 'd'])
})

test('queue: an item that conflicts with another is judged by what that one finally wrote', async () => {
  const { queue, ids } = testQueue()
  const { item: work } = worksOf(queue)
  const outcomes = [work('a', 'shared', 'a', 'nothing'), work('b', 'b', 'shared'), work('c', 'nothing')]
  expect(await Promise.all(outcomes)).toEqual(['ok', 'ERR_SQLITE_ERROR', 'ERR_SQLITE_ERROR'])
  expect(ids()).toEqual(['a', 'nothing', 'shared'])
})

test('queue: close waits for items that run again after another item failed their commit', async () => {
  const { connection, queue, insert } = testQueue()
  const outcomes = [insert('a'), insert('b', 'nowhere'), insert('c', 'a')].map(outcome)
  await queue.close()
  connection.close()
  expect(await Promise.all(outcomes)).toEqual(['ok', 'ERR_SQLITE_ERROR', 'ok'])
})

test('queue: an item keeps the asynchronous context of its caller', async () => {
  const { queue } = testQueue()
  const request = new AsyncLocalStorage<string>()
  const callers = ['one', 'two', 'three'].map((name) =>
    request.run(name, () => queue.run(async () => request.getStore())),
  )
  expect(await Promise.all(callers)).toEqual(['one', 'two', 'three'])
})

test('queue: close finishes the accepted writes and refuses later ones with storage.closed', async () => {
  const { queue, insert, ids } = testQueue()
  const accepted = Array.from({ length: 10 }, (_, number) => insert(`${number}`))
  const closing = queue.close()
  expect(await outcome(insert('late'))).toBe('storage.closed')
  await closing
  await Promise.all(accepted)
  expect(ids()).toHaveLength(10)
})
