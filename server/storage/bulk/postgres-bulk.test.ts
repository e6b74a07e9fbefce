import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, postgresUrl } from '../../../test/support/databases.ts'
import { connectForBulk, openPostgresReader } from './postgres-bulk.ts'
import type { TableShape } from './table-shape.ts'
import { decodeTuple, tupleEnd, type Value } from './tuples.ts'

const schema = 'bulk_ranges'

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgresUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** A table of many more pages than are asked for at once, some of them empty, with a value too long for any page. */
async function madeTable(client: pg.Client): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}; set search_path to ${schema}`)
  onTestFinished(async () => {
    await client.query(`drop schema ${schema} cascade`)
  })
  await client.query(
    'create table migrations (name text primary key); create table entries (id bigint primary key, text text)',
  )
  await client.query('insert into entries select n, repeat(chr(97 + n % 26), 500) from generate_series(1, 20000) n')
  await client.query('delete from entries where id between 5001 and 9000')
  await client.query("update entries set text = 'short' where id % 100 = 0")
  await client.query("update entries set text = repeat(md5('x'), 100000) where id = 12345")
}

async function idsOf(tuples: AsyncIterable<Buffer> | Iterable<Buffer>, { columns }: TableShape): Promise<Value[]> {
  const ids: Value[] = []
  for await (const buffer of tuples) {
    for (let at = 0; at < buffer.length; at = tupleEnd(buffer, at, columns.length)) {
      ids.push(decodeTuple(buffer, at, columns)[0] ?? null)
    }
  }
  return ids
}

eachEngine((engine) => {
  test.runIf(engine === 'postgres')('bulk: a table is read as of its start, each row once', async () => {
    const client = await connected()
    await madeTable(client)
    const reader = await openPostgresReader({ engine: 'postgres', url: postgresUrl(), schema })
    onTestFinished(() => reader.close())
    const entries = reader.tables.find(({ name }) => name === 'entries')
    if (!entries) throw new Error('The table is not among those that are read.')
    await client.query("update entries set text = 'changed' where id % 3 = 0; delete from entries where id % 7 = 0")
    await client.query("insert into entries select n, repeat('z', 500) from generate_series(30001, 40000) n")
    await client.query('vacuum entries')
    const ids = await idsOf(reader.tuples(entries), entries)
    const expected = Array.from({ length: 20_000 }, (_none, index) => index + 1).filter((id) => id <= 5000 || id > 9000)
    expect(ids.map(Number).sort((a, b) => a - b)).toEqual(expected)
  })
})

test('bulk: if no server can be reached, the error gives the reason for each host and no password', async () => {
  const url = 'postgres://u:hunter2@127.0.0.1:1,localhost:2/d'
  await expect(connectForBulk({ engine: 'postgres', url, schema: undefined })).rejects.toMatchObject({
    message: 'PostgreSQL cannot be reached at 127.0.0.1:1: nothing listens there; localhost:2: nothing listens there.',
  })
})
