import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines } from '../../../test/support/databases.ts'
import { postgresProxy } from '../../../test/support/fakes/postgres-proxy.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { migrate } from '../migrate.ts'
import { openStore, type Queryable, type Store } from '../open.ts'
import { inTransaction } from '../transaction.ts'
import { bumpVersion } from '../versions.ts'

/** A store that reaches its database through a faulty proxy, and one that reaches it directly. */
async function disturbedStore(patience = 5_000) {
  const database = await emptyDatabase('postgres')
  const straight = await openStore(database.options)
  await migrate(straight)
  const proxy = await postgresProxy(database.options.url)
  const stores = [straight]
  const open = async (url: string) => {
    const store = await openStore({ ...database.options, url, patience })
    stores.unshift(store)
    return store
  }
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    await database.remove()
  })
  const openAs = (user: string) => open(proxy.url.replace(/\/\/\w+@/, `//${user}@`))
  return { store: await open(proxy.url), straight, proxy, openAs }
}

const add = (db: Queryable, id: string) => db.insertInto('operations').values({ id, created_at: 1 }).execute()

async function ids({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom('operations').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code ?? error.message,
  )

const pid = async (db: Queryable): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0

const terminate = (db: Queryable, backend: number) => sql`select pg_terminate_backend(${backend}::int)`.execute(db)

/** Makes the commit of every transaction that added an operation take a while. */
async function slowCommits({ db }: Store): Promise<void> {
  await sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$`.execute(
    db,
  )
  await sql`create constraint trigger slow after insert on operations deferrable initially deferred
    for each row when (new.id like 'slow%') execute function slow()`.execute(db)
}

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  describe('a commit whose answer is lost', () => {
    test('is settled by its operation id: it was made, and the work does not run again', async () => {
      const { store, straight, proxy } = await disturbedStore()
      let runs = 0
      proxy.loseNextCommitAnswer()
      const result = await inTransaction(
        store.db,
        async (tx) => {
          await add(tx, `run-${++runs}`)
          return runs
        },
        { operationId: 'op' },
      )
      expect(result).toBe(1)
      expect(await ids(straight)).toEqual(['op', 'run-1'])
    })

    test('is settled by its operation id: it never arrived, so the work runs again', async () => {
      const { store, straight, proxy } = await disturbedStore()
      proxy.loseNextCommit()
      await inTransaction(store.db, (tx) => add(tx, 'a'), { operationId: 'op' })
      expect(await ids(straight)).toEqual(['a', 'op'])
    })

    test('is reported as storage.outcome-unknown without an operation id, and never repeated', async () => {
      const { store, straight, proxy } = await disturbedStore()
      let runs = 0
      const work = () => inTransaction(store.db, (tx) => add(tx, `run-${++runs}`))
      proxy.loseNextCommitAnswer()
      const made = await work().catch((error) => error)
      expect(made).toMatchObject({ kind: 'unavailable', code: 'storage.outcome-unknown', extras: { retryAfter: 2 } })
      proxy.loseNextCommit()
      expect(await code(work())).toBe('storage.outcome-unknown')
      expect(await ids(straight)).toEqual(['run-1'])
    })

    test('because the server closed the connection, is repeated by operation id and made once', async () => {
      const { store, straight } = await disturbedStore()
      await slowCommits(straight)
      let runs = 0
      const backend = Promise.withResolvers<number>()
      const writing = inTransaction(
        store.db,
        async (tx) => {
          runs += 1
          await add(tx, 'slow')
          backend.resolve(await pid(tx))
        },
        { operationId: 'op' },
      )
      const victim = await backend.promise
      const committing = sql`select 1 from pg_stat_activity where pid = ${victim} and wait_event = 'PgSleep'`
      await expect.poll(async () => (await committing.execute(straight.db)).rows, { interval: 20 }).toHaveLength(1)
      await terminate(straight.db, victim)
      await writing
      expect(runs).toBe(2)
      expect(await ids(straight)).toEqual(['op', 'slow'])
    })

    test('and whose fate cannot be asked yet is reported as storage.outcome-unknown', async () => {
      const { straight, proxy, openAs } = await disturbedStore()
      const guest = `guest_${randomIds.hex(6)}`
      await sql`create role ${sql.id(guest)} login superuser`.execute(straight.db)
      await sql`alter role ${sql.id(guest)} set lock_timeout = '50ms'`.execute(straight.db)
      onTestFinished(async () => void (await sql`drop role ${sql.id(guest)}`.execute(straight.db)))
      await sql`create function hold() returns trigger language plpgsql set lock_timeout = 0 as
        $$ begin perform pg_advisory_xact_lock(4711); return null; end $$`.execute(straight.db)
      await sql`create constraint trigger hold after insert on operations deferrable initially deferred
        for each row when (new.id = 'held') execute function hold()`.execute(straight.db)
      const [holding, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holder = inTransaction(straight.db, async (tx) => {
        await sql`select pg_advisory_xact_lock(4711)`.execute(tx)
        holding.resolve()
        await enough.promise
      })
      await holding.promise
      const store = await openAs(guest)
      const writing = code(inTransaction(store.db, (tx) => add(tx, 'held'), { operationId: 'op' }))
      const waiting = sql`select 1 from pg_stat_activity where usename = ${guest} and wait_event = 'advisory'`
      await expect.poll(async () => (await waiting.execute(straight.db)).rows.length).toBe(1)
      proxy.cut()
      proxy.mend()
      expect(await writing).toBe('storage.outcome-unknown')
      enough.resolve()
      await holder
      await expect.poll(() => ids(straight)).toEqual(['held', 'op'])
    })

    test('still moves the version of a changed area', async () => {
      const { store, proxy } = await disturbedStore()
      await store.versions.refresh()
      const before = store.versions.of('roles')
      proxy.loseNextCommitAnswer()
      await inTransaction(store.db, (tx) => bumpVersion(tx, 'roles'), { operationId: 'op' })
      expect(store.versions.of('roles')).not.toBe(before)
    })
  })

  describe('a lost connection', () => {
    test('before the commit makes the work run again, and the writes are made once', async () => {
      const { store, straight } = await disturbedStore()
      let runs = 0
      await inTransaction(store.db, async (tx) => {
        runs += 1
        await add(tx, 'a')
        if (runs === 1) await terminate(straight.db, await pid(tx))
        await add(tx, 'b')
      })
      expect(runs).toBe(2)
      expect(await ids(straight)).toEqual(['a', 'b'])
    })

    test('makes a read run again', async () => {
      const { store, straight, proxy } = await disturbedStore()
      await add(straight.db, 'a')
      await ids(store)
      proxy.cut()
      const reading = ids(store)
      await sleep(50)
      proxy.mend()
      expect(await reading).toEqual(['a'])
    })

    test('is not assumed for an error of the work that mentions a timeout', async () => {
      const { store } = await disturbedStore()
      let runs = 0
      const failing = inTransaction(store.db, async () => {
        runs += 1
        throw new Error('connection terminated by timeout')
      })
      await expect(failing).rejects.toThrow('timeout')
      expect(runs).toBe(1)
    })

    test('that does not come back is reported as storage.unreachable', async () => {
      const { store, proxy } = await disturbedStore(100)
      proxy.cut()
      const refused = await ids(store).catch((error) => error)
      expect(refused).toMatchObject({ kind: 'unavailable', code: 'storage.unreachable' })
      // Callers without a token see this text, so it must not say where the database is.
      expect(refused.message).toBe('The database cannot be reached at the moment; try again.')
      expect(refused.cause.message).toContain('PostgreSQL cannot be reached at 127.0.0.1:')
    })

    test('makes a read be tried four times in all, but only once if it already took 30 seconds', async () => {
      const database = await emptyDatabase('postgres')
      let late = 0
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + late }
      const store = await openStore({ ...database.options, clock })
      onTestFinished(async () => {
        await store.close()
        await database.remove()
      })
      await sql`create sequence tries`.execute(store.db)
      const tries = async () =>
        (await sql<{ tries: number }>`select last_value::int as tries from tries`.execute(store.db)).rows[0]?.tries
      const dying = () => sql`select nextval('tries'), pg_terminate_backend(pg_backend_pid())`.execute(store.db)
      expect([await code(dying()), await tries()]).toEqual(['storage.no-answer', 4])
      const read = dying()
      late = 30_000
      expect([await code(read), await tries()]).toEqual(['storage.no-answer', 5])
    })

    test('of the listener changes all versions, and listening continues', async () => {
      const { store, straight, proxy } = await disturbedStore()
      const before = store.versions.of('policies')
      proxy.cut()
      proxy.mend()
      await expect.poll(() => store.versions.of('policies')).not.toBe(before)
      const heard = new Promise<void>((resolve) => store.versions.onChange('roles', resolve))
      await inTransaction(straight.db, (tx) => bumpVersion(tx, 'roles'))
      await heard
    })
  })

  test('work that exceeds its deadline fails with storage.body-too-slow and is rolled back', async () => {
    const { straight } = await disturbedStore()
    const stuck = inTransaction(
      straight.db,
      async (tx) => {
        await add(tx, 'stuck')
        await new Promise(() => undefined)
      },
      { deadline: 30 },
    )
    expect(await code(stuck)).toBe('storage.body-too-slow')
    expect(await ids(straight)).toEqual([])
    await add(straight.db, 'stuck')
  })

  test('work that exceeds its deadline because the server does not answer fails with storage.no-answer', async () => {
    const { straight } = await disturbedStore()
    const slow = inTransaction(
      straight.db,
      async (tx) => {
        await add(tx, 'slow')
        for (const _ of [1, 2]) await sql`select pg_sleep(0.7)`.execute(tx)
      },
      { deadline: 1_000 },
    )
    expect(await code(slow)).toBe('storage.no-answer')
    expect(await ids(straight)).toEqual([])
  })

  test('deadlocked transactions are retried until both are committed', async () => {
    const { straight } = await disturbedStore()
    await add(straight.db, 'a')
    await add(straight.db, 'b')
    const both = Promise.withResolvers<void>()
    let waiting = 0
    const touch = (first: string, second: string) =>
      inTransaction(straight.db, async (tx) => {
        const increment = (id: string) =>
          tx
            .updateTable('operations')
            .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
            .where('id', '=', id)
            .execute()
        await increment(first)
        if (++waiting === 2) both.resolve()
        await both.promise
        await increment(second)
      })
    await Promise.all([touch('a', 'b'), touch('b', 'a')])
    const rows = await straight.db.selectFrom('operations').select('created_at').execute()
    expect(rows.map((row) => row.created_at)).toEqual([3, 3])
  })

  test('a lock timeout of the server is reported as storage.busy, and nothing is written', async () => {
    const { straight } = await disturbedStore()
    const [locked, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lock = (tx: Queryable) => sql`lock table versions`.execute(tx)
    const holder = inTransaction(straight.db, async (tx) => {
      await lock(tx)
      locked.resolve()
      await enough.promise
    })
    await locked.promise
    const waiting = inTransaction(straight.db, async (tx) => {
      await add(tx, 'undone')
      await sql`set local lock_timeout = 20`.execute(tx)
      await lock(tx)
    })
    expect(await code(waiting)).toBe('storage.busy')
    enough.resolve()
    await holder
    expect(await ids(straight)).toEqual([])
  })
})
