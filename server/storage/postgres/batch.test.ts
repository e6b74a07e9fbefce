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
  await client.connect()
  await beginSession(client, url, { schema, durable: false })
  onTestFinished(async () => {
    await client.end()
    await database.remove()
  })
  await runStatement(client, { text: 'create table things (id int primary key, name text, many bigint)' })
  return client
}

const add = (id: number, name: string | null = null): Statement => ({
  text: 'insert into things (id, name) values ($1, $2)',
  values: [id, name],
  name: 'add',
})
const all: Statement = { text: 'select id, name from things order by id', name: 'all' }
const one = (id: number): Statement => ({ text: 'select name from things where id = $1', values: [id], name: 'one' })

const namesOf = async (client: pg.Client) => (await runStatement(client, all)).rows.map((row) => row.name)

describe.runIf(testEngines.includes('postgres'))('batch', () => {
  test('each statement has an answer of its own, the first time and when it is prepared', async () => {
    const client = await connected()
    for (const round of [1, 2, 3]) {
      const [added, found, listed] = await runStatements(client, [add(round, `n${round}`), one(round), all])
      expect(added).toEqual({ command: 'INSERT', count: 1, rows: [] })
      expect(found).toEqual({ command: 'SELECT', count: 1, rows: [{ name: `n${round}` }] })
      expect(listed?.rows).toHaveLength(round)
    }
  })

  test('a missing value is null, and a statement without rows has an empty answer', async () => {
    const client = await connected()
    for (let round = 0; round < 2; round++) {
      const [nothing, added] = await runStatements(client, [one(round), add(round)])
      expect(nothing?.rows).toEqual([])
      expect(added?.count).toBe(1)
    }
    expect(await namesOf(client)).toEqual([null, null])
  })

  test('the statements of a batch are one transaction: if one fails, none has an effect', async () => {
    const client = await connected()
    await runStatement(client, add(1, 'first'))
    await expect(runStatements(client, [add(2, 'second'), add(1), add(3)])).rejects.toMatchObject({ code: '23505' })
    expect(await namesOf(client)).toEqual(['first'])
  })

  test('statements before and after a failing one can be used again', async () => {
    const client = await connected()
    const bad: Statement = { text: 'select 1 / $1::int', values: [0], name: 'bad' }
    for (let round = 0; round < 2; round++) {
      await expect(runStatements(client, [add(1), bad, all])).rejects.toMatchObject({ code: '22012' })
    }
    await runStatements(client, [add(1, 'first'), all])
    expect(await namesOf(client)).toEqual(['first'])
  })

  test('concurrent batches keep their answers apart, even behind one that fails', async () => {
    const client = await connected()
    const batches = [[add(1, 'a')], [add(1, 'b'), all], [add(2, 'c'), all], [one(1)]].map((each) =>
      runStatements(client, each),
    )
    const [first, second, third, fourth] = await Promise.allSettled(batches)
    expect([first, second, third, fourth].map((each) => each?.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(third).toMatchObject({ value: [{}, { rows: [{ name: 'a' }, { name: 'c' }] }] })
    expect(fourth).toMatchObject({ value: [{ rows: [{ name: 'a' }] }] })
  })

  test('an open transaction stays aborted after a failing statement until it is rolled back', async () => {
    const client = await connected()
    await expect(runStatements(client, [{ text: 'begin' }, add(1), add(1), { text: 'commit' }])).rejects.toThrow()
    await expect(runStatement(client, all)).rejects.toMatchObject({ code: '25P02' })
    await runStatement(client, { text: 'rollback' })
    expect(await namesOf(client)).toEqual([])
  })

  test('an integer beyond the safe range fails its own batch, not the next', async () => {
    const client = await connected()
    const large: Statement = { text: 'select $1::bigint as large', values: ['9007199254740993'], name: 'large' }
    for (let round = 0; round < 2; round++)
      await expect(runStatements(client, [large, all])).rejects.toThrow('too large')
    expect((await runStatement(client, { ...large, values: ['12'] })).rows).toEqual([{ large: 12 }])
  })
})
