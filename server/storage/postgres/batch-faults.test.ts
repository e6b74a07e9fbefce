import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines } from '../../../test/support/databases.ts'
import { runStatement, runStatements, type Statement } from './batch.ts'
import { clientConfig } from './connection.ts'
import { beginSession } from './schema.ts'

/** A connection as the pool opens them, with a table of its own. */
async function connected(): Promise<pg.Client> {
  const database = await emptyDatabase('postgres')
  const { url, schema } = database.options
  const client = new pg.Client({ ...clientConfig(url, {}), query_timeout: 0, pipeline: true })
  client.on('error', () => undefined)
  await client.connect()
  await beginSession(client, url, { schema, durable: false })
  onTestFinished(async () => {
    await client.end()
    await database.remove()
  })
  await runStatement(client, { text: 'create table things (id int primary key, name text)' })
  return client
}

const add = (id: number, name: string | null = null): Statement => ({
  text: 'insert into things (id, name) values ($1, $2)',
  values: [id, name],
  name: 'add',
})
const ids: Statement = { text: 'select id from things order by id', name: 'ids' }
const idsOf = async (client: pg.Client) => (await runStatement(client, ids)).rows.map((row) => row.id)
const bad: Statement = { text: 'select 1 / $1::int', values: [0] }

describe.runIf(testEngines.includes('postgres'))('batch', () => {
  test('a statement prepared by one batch and prepared again in vain by a later one still works', async () => {
    const client = await connected()
    const batches = [[{ text: 'begin' }, add(1)], [bad], [add(2)]].map((each) => runStatements(client, each))
    const ends = await Promise.allSettled(batches)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    await runStatement(client, { text: 'rollback' })
    await runStatement(client, add(3))
    expect(await idsOf(client)).toEqual([3])
  })

  test('a value that cannot be serialized fails its whole batch before it is sent; later batches work', async () => {
    const client = await connected()
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    const unsendable: Statement = { text: 'select $1::json', values: [cycle] }
    for (let round = 0; round < 2; round++) {
      await expect(runStatements(client, [add(1), unsendable, add(2)])).rejects.toThrow(/circular/i)
    }
    await runStatements(client, [add(3)], 5_000)
    expect(await idsOf(client)).toEqual([3])
  })

  test('an empty statement has an answer too, and the others keep theirs', async () => {
    const client = await connected()
    const nothing: Statement = { text: '' }
    const answers = await runStatements(client, [add(1), nothing, ids, nothing])
    expect(answers.map(({ command, rows }) => [command, rows.length])).toEqual([
      ['INSERT', 0],
      ['', 0],
      ['SELECT', 1],
      ['', 0],
    ])
  })

  test.each([
    ['create table others (id int)', 'CREATE', 0],
    ['do $$ begin null; end $$', 'DO', 0],
    ['listen somebody', 'LISTEN', 0],
    ['insert into things (id) select generate_series(1, 5)', 'INSERT', 5],
    ['select from generate_series(1, 3)', 'SELECT', 3],
    ['select 1 where false', 'SELECT', 0],
    ['update things set name = null', 'UPDATE', 0],
    ['explain select 1', 'EXPLAIN', 0],
    ['set local work_mem = 1024', 'SET', 0],
  ])('command and count are reported for: %s', async (text, command, count) => {
    const client = await connected()
    for (const name of [undefined, 'named']) {
      const begun = await runStatements(client, [{ text: 'begin' }, { text, name }, { text: 'rollback' }])
      expect(begun[1]).toMatchObject({ command, count })
    }
  })

  test('several commands in one statement are refused', async () => {
    const client = await connected()
    await expect(runStatement(client, { text: 'select 1; select 2' })).rejects.toMatchObject({ code: '42601' })
  })

  test.each<[string, unknown, unknown]>([
    ['text', '', ''],
    ['text', null, null],
    ['text', undefined, null],
    ['text', 'O\'Neil "x" \\ 雪 😀', 'O\'Neil "x" \\ 雪 😀'],
    ['text', 'x'.repeat(3_000_000), 'x'.repeat(3_000_000)],
    ['bytea', Buffer.from([0, 255, 92]), Buffer.from([0, 255, 92])],
    ['bytea', new Uint8Array([1, 2]), Buffer.from([1, 2])],
    ['bytea', Buffer.alloc(0), Buffer.alloc(0)],
    ['boolean', true, true],
    ['boolean', false, false],
    ['bigint', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['bigint', 12n, 12],
    ['numeric', '1.5', 1.5],
    ['double precision', Number.NaN, Number.NaN],
    ['double precision', 1e-7, 1e-7],
    ['json', { a: [1, null] }, { a: [1, null] }],
    ['text[]', ['a,b', '"', '\\', '', 'NULL', null, '{}'], ['a,b', '"', '\\', '', 'NULL', null, '{}']],
    ['text[]', [], []],
    ['timestamptz', new Date(1_700_000_000_123), new Date(1_700_000_000_123)],
  ])('a value of type %s comes back as it was: %#', async (type, sent, read) => {
    const client = await connected()
    const echo: Statement = { text: `select $1::${type} as value, 1 as one`, values: [sent], name: 'echo' }
    for (let round = 0; round < 2; round++) {
      expect((await runStatement(client, echo)).rows).toEqual([{ value: read, one: 1 }])
    }
  })

  test('of two columns with one name the last counts, also when it is null', async () => {
    const client = await connected()
    const both: Statement = { text: 'select 1 as a, null::int as a', name: 'both' }
    for (let round = 0; round < 2; round++) expect((await runStatement(client, both)).rows).toEqual([{ a: null }])
  })

  test('rows with a thousand columns and with none are read', async () => {
    const client = await connected()
    const columns = Array.from({ length: 1_000 }, (_, index) => `${index} as c${index}`)
    const wide: Statement = { text: `select ${columns.join(', ')}`, name: 'wide' }
    const none: Statement = { text: 'select', name: 'none' }
    for (let round = 0; round < 2; round++) {
      const [many, no] = await runStatements(client, [wide, none])
      expect(many?.rows[0]).toMatchObject({ c0: 0, c999: 999 })
      expect(no?.rows).toEqual([{}])
    }
  })

  test('notices do not disturb the answers', async () => {
    const client = await connected()
    const loud: Statement = { text: "do $$ begin raise notice 'hear'; raise warning 'hear'; end $$", name: 'loud' }
    for (let round = 1; round < 3; round++) {
      const answers = await runStatements(client, [loud, add(round), loud, ids])
      expect(answers.map(({ rows }) => rows.length)).toEqual([0, 0, 0, round])
    }
  })

  test('a deferred constraint undoes a batch without begin, although all its statements succeeded', async () => {
    const client = await connected()
    await runStatement(client, {
      text: 'create table parts (id int, of int references things deferrable initially deferred)',
    })
    const part: Statement = { text: 'insert into parts values (1, $1)', values: [7], name: 'part' }
    for (let round = 0; round < 2; round++) {
      await expect(runStatements(client, [part, add(1)])).rejects.toMatchObject({ code: '23503' })
    }
    await runStatements(client, [part, add(7)])
    expect(await idsOf(client)).toEqual([7])
  })

  test('after deallocate all a batch fails once with 26000, and the next one prepares again', async () => {
    const client = await connected()
    await runStatements(client, [add(1), ids])
    await runStatement(client, { text: 'deallocate all' })
    await expect(runStatements(client, [add(2), ids])).rejects.toMatchObject({ code: '26000' })
    await runStatements(client, [add(3), ids])
    expect(await idsOf(client)).toEqual([1, 3])
  })

  test('a prepared statement whose result type changed fails with 0A000, and its batch has no effect', async () => {
    const client = await connected()
    const every: Statement = { text: 'select * from things', name: 'every' }
    await runStatements(client, [every, add(1)])
    await runStatement(client, { text: 'alter table things alter name type bytea using null' })
    await expect(runStatements(client, [{ ...add(2), name: 'other' }, every])).rejects.toMatchObject({ code: '0A000' })
    expect(await idsOf(client)).toEqual([1])
    expect((await runStatement(client, { ...every, name: 'every2' })).rows).toEqual([{ id: 1, name: null }])
  })

  test('a batch that times out closes the connection', async () => {
    const client = await connected()
    const ended = new Promise((resolve) => client.once('end', resolve))
    await expect(runStatements(client, [{ text: 'select pg_sleep(60)' }], 30)).rejects.toThrow('timeout')
    await ended
    await expect(runStatement(client, ids)).rejects.toThrow('not queryable')
  })

  test('a connection that ends during a batch fails the batches already sent and all later ones', async () => {
    const client = await connected()
    const leave: Statement = { text: 'select pg_terminate_backend(pg_backend_pid())' }
    const ends = await Promise.allSettled([[add(1), leave], [add(2)]].map((each) => runStatements(client, each)))
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(runStatement(client, ids)).rejects.toThrow('not queryable')
  })
})
