import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines } from '../../../test/support/databases.ts'
import { postgresProxy } from '../../../test/support/fakes/postgres-proxy.ts'
import { randomIds } from '../../kernel/ids.ts'
import { hotQuery } from '../hot.ts'
import { migrate } from '../migrate.ts'
import { openStore, type Queryable, type Store } from '../open.ts'
import { inTransaction } from '../transaction.ts'
import { bumpVersion } from '../versions.ts'

const insert = hotQuery<{ id: string }, unknown>('session-faults.insert', (db, { id }) =>
  db.insertInto('operations').values({ id, created_at: 1 }),
)
const increment = hotQuery<{ id: string }, unknown>('session-faults.increment', (db, { id }) =>
  db
    .updateTable('operations')
    .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
    .where('id', '=', id),
)
const everything = hotQuery<Record<never, never>, { id: string }>('session-faults.everything', (db) =>
  db.selectFrom('operations').selectAll().orderBy('id'),
)

const idsOf = async (db: Queryable) => (await everything.all(db, {})).map(({ id }) => id)

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code ?? error.message,
  )

/** A store whose connection can be disturbed by a proxy, with settings for its user. */
async function opened(settings: readonly string[] = []) {
  const database = await emptyDatabase('postgres')
  const { url, schema } = database.options
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const user = `user_${randomIds.hex(6)}`
  await admin.query(`create role ${user} superuser login`)
  for (const setting of settings) await admin.query(`alter role ${user} set ${setting}`)
  const proxy = await postgresProxy(url)
  const store = await openStore({ ...database.options, url: proxy.url.replace('//holdfast@', `//${user}@`) })
  onTestFinished(async () => {
    await store.close()
    await admin.query(`drop owned by ${user}`)
    await database.remove()
    await admin.query(`drop role ${user}`)
    await admin.end()
  })
  await migrate(store)
  const table = `${schema}.operations`
  return { store, db: store.db, proxy, admin, table, user }
}

/** Makes every connection of the pool forget its prepared statements. */
const forgetAll = ({ db }: Store) => Promise.all(Array.from({ length: 20 }, () => sql`deallocate all`.execute(db)))

describe.runIf(testEngines.includes('postgres'))('a transaction on PostgreSQL', () => {
  test('sent without begin, whose answer is lost, is reported as unknown and never repeated', async () => {
    const { store, db, proxy } = await opened()
    const write = (id: string) => inTransaction(db, (tx) => insert.runBeforeCommit(tx, { id }))
    await write('warm')
    proxy.loseNextCommitAnswer('made')
    expect(await codeOf(write('made'))).toBe('storage.outcome-unknown')
    proxy.loseNextCommit('unmade')
    expect(await codeOf(write('unmade'))).toBe('storage.outcome-unknown')
    expect(await idsOf(db)).toEqual(['made', 'warm'])
    expect(await codeOf(write('after'))).toBe('ok')
    await store.versions.refresh()
  })

  test('sent without begin, whose answer is lost, is settled by its operation id', async () => {
    const { db, proxy } = await opened()
    proxy.loseNextCommitAnswer()
    let runs = 0
    await inTransaction(db, async (tx) => insert.runBeforeCommit(tx, { id: `run-${++runs}` }), { operationId: 'op' })
    expect(await idsOf(db)).toEqual(['op', 'run-1'])
  })

  test('is committed once and completely after the server forgot all prepared statements', async () => {
    const { store, db } = await opened()
    const both = (one: string, two: string) =>
      inTransaction(db, async (tx) => {
        await Promise.all([insert.run(tx, { id: one }), insert.run(tx, { id: two })])
      })
    const atEnd = (id: string) => inTransaction(db, (tx) => insert.runBeforeCommit(tx, { id }))
    for (const round of [1, 2]) {
      await both(`${round}a`, `${round}b`)
      await forgetAll(store)
      await both(`${round}c`, `${round}d`)
      await forgetAll(store)
      await atEnd(`${round}e`)
      await forgetAll(store)
      await insert.run(db, { id: `${round}f` })
      expect(await idsOf(db)).toHaveLength(round * 6)
    }
  })

  test('leaves a usable connection behind when one of several concurrent statements fails', async () => {
    const { db } = await opened()
    for (const round of [1, 2, 3]) {
      const writing = inTransaction(db, async (tx) => {
        const writes = ['a', 'b', 'a', 'c'].map((id) => insert.run(tx, { id: `${round}${id}` }))
        await Promise.allSettled(writes)
      })
      expect(await codeOf(writing)).toBe('23505')
      await inTransaction(db, (tx) => insert.run(tx, { id: `${round}` }))
    }
    expect(await idsOf(db)).toEqual(['1', '2', '3'])
  })

  test('notices a changed table behind its prepared statements, with and without begin', async () => {
    const { db, admin, table } = await opened()
    await insert.run(db, { id: 'a' })
    expect(await everything.all(db, {})).toEqual([{ id: 'a', created_at: 1 }])
    await admin.query(`alter table ${table} add column more text default 'x'`)
    expect(await everything.all(db, {})).toEqual([{ id: 'a', created_at: 1, more: 'x' }])
    await admin.query(`alter table ${table} drop column more`)
    const read = await inTransaction(db, async (tx) => {
      await insert.run(tx, { id: 'b' })
      return await everything.all(tx, {})
    })
    expect(read.map((row) => Object.keys(row))).toEqual([
      ['id', 'created_at'],
      ['id', 'created_at'],
    ])
    await admin.query(`alter table ${table} add column more text`)
    await inTransaction(db, async (tx) => {
      await insert.runBeforeCommit(tx, { id: 'c' })
      await everything.runBeforeCommit(tx, {})
    })
    expect(await idsOf(db)).toEqual(['a', 'b', 'c'])
  })

  test('refused by a deferred constraint at its end writes nothing and moves no version', async () => {
    const { store, db, admin, table } = await opened()
    await admin.query(
      `alter table ${table} add column parent text references ${table} (id) deferrable initially deferred`,
    )
    await admin.query(`alter table ${table} alter parent set default 'nobody'`)
    await store.versions.refresh()
    const before = store.versions.of('roles')
    for (let round = 0; round < 2; round++) {
      const writing = inTransaction(db, async (tx) => {
        await insert.runBeforeCommit(tx, { id: 'a' })
        bumpVersion(tx, 'roles')
      })
      expect(await codeOf(writing)).toBe('storage.reference-changed')
    }
    expect(await idsOf(db)).toEqual([])
    await store.versions.refresh()
    const { rows } = await sql`select version from versions where area = 'roles'`.execute(db)
    expect([store.versions.of('roles') === before, rows]).toEqual([true, []])
  })

  test.each(['serializable', 'repeatable read'])('is retried after a conflict under %s isolation', async (level) => {
    const { db } = await opened([`default_transaction_isolation = '${level}'`])
    await insert.run(db, { id: 'counter' })
    const count = () => increment.run(db, { id: 'counter' })
    const countAtEnd = () => inTransaction(db, (tx) => increment.runBeforeCommit(tx, { id: 'counter' }))
    const countWithin = () => inTransaction(db, (tx) => increment.run(tx, { id: 'counter' }))
    for (let round = 0; round < 5; round++) {
      await Promise.all([countAtEnd(), countWithin(), countAtEnd()])
      await count()
    }
    const rows = await db.selectFrom('operations').select('created_at').execute()
    expect(rows).toEqual([{ created_at: 21 }])
  })

  test('ended by the idle timeout of the server is run again', async () => {
    const { db } = await opened(["idle_in_transaction_session_timeout = '40ms'"])
    let runs = 0
    await inTransaction(db, async (tx) => {
      await insert.run(tx, { id: 'a' })
      if (++runs === 1) await new Promise((resolve) => setTimeout(resolve, 90))
      await insert.run(tx, { id: 'b' })
    })
    expect([runs, await idsOf(db)]).toEqual([2, ['a', 'b']])
  })

  test('that exceeds statement_timeout fails with storage.busy as a whole; the next one works', async () => {
    const { db } = await opened(["statement_timeout = '200ms'"])
    const slow = inTransaction(db, async (tx) => {
      await Promise.all([insert.run(tx, { id: 'a' }), sql`select pg_sleep(5)`.execute(tx)])
    })
    expect(await codeOf(slow)).toBe('storage.busy')
    await insert.run(db, { id: 'b' })
    expect(await idsOf(db)).toEqual(['b'])
  })

  test('that gets no answer within its deadline fails: storage.no-answer, or outcome-unknown at its end', async () => {
    const { db, admin, table } = await opened()
    await insert.run(db, { id: 'held' })
    await admin.query('begin')
    await admin.query(`select * from ${table} for update`)
    const within = inTransaction(db, (tx) => increment.run(tx, { id: 'held' }), { deadline: 100 })
    expect(await codeOf(within)).toBe('storage.no-answer')
    const atEnd = inTransaction(db, (tx) => increment.runBeforeCommit(tx, { id: 'held' }), { deadline: 100 })
    expect(await codeOf(atEnd)).toBe('storage.outcome-unknown')
    await admin.query('rollback')
  })

  test('that was given up on is ended by the server, and so does not wait there and write later', async () => {
    const { db, admin, table, user } = await opened()
    await insert.run(db, { id: 'held' })
    await admin.query('begin')
    await admin.query(`select * from ${table} for update`)
    const write = () => inTransaction(db, (tx) => increment.runBeforeCommit(tx, { id: 'held' }), { deadline: 100 })
    expect(await Promise.all(Array.from({ length: 5 }, () => codeOf(write())))).toEqual(
      Array.from({ length: 5 }, () => 'storage.outcome-unknown'),
    )
    const waiting = "select pid from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'"
    await expect.poll(async () => (await admin.query(waiting, [user])).rows).toEqual([])
    await admin.query('rollback')
    expect(await everything.all(db, {})).toEqual([{ id: 'held', created_at: 1 }])
  })

  test('with a value that cannot be serialized writes nothing', async () => {
    const { db } = await opened()
    const unsendable = { toPostgres: () => assertNever() }
    const write = () =>
      inTransaction(db, async (tx) => {
        await insert.runBeforeCommit(tx, { id: 'a' })
        await insert.runBeforeCommit(tx, { id: unsendable as unknown as string })
      })
    for (let round = 0; round < 12; round++) expect(await codeOf(write())).toBe('never')
    expect(await idsOf(db)).toEqual([])
  })
})

function assertNever(): never {
  throw new Error('never')
}
