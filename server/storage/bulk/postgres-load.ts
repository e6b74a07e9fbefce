import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { sqlState } from '../database-errors.ts'
import { requireSchema } from '../postgres/schema.ts'
import type { BulkLoader } from './bulk-access.ts'
import { connectForBulk, endOnFailure, type PostgresTarget, postgresTables, toCallerError } from './postgres-bulk.ts'
import { CopyIn, copyHeader, copyTrailer } from './postgres-copy.ts'
import { columnNames, quoted, type TableShape } from './table-shape.ts'

type ForeignKey = { table: string; name: string; definition: string }
type Index = { name: string; definition: string }

/** What filled tables still lack. */
type RemainingWork = {
  readonly tables: readonly TableShape[]
  readonly indexes: readonly Index[]
  readonly references: readonly ForeignKey[]
}

const foreignKeys = `
  select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where k.contype = 'f'
  order by 1, 2`

/** Indexes that no constraint needs. */
const plainIndexes = `
  select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
  order by 1`

/** Fills a schema that exists for this purpose alone. References are checked and indexes built once, at the end. */
export async function openPostgresLoader(target: PostgresTarget): Promise<BulkLoader> {
  const client = await connectForBulk(target)
  return await endOnFailure(client, async () => {
    await client.query('begin')
    await requireSchema(client, scratchSchemaOf(target))
    const { rows: references } = await client.query<ForeignKey>(foreignKeys)
    for (const { table, name } of references) {
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
    }
    const { rows: indexes } = await client.query<Index>(plainIndexes)
    for (const { name } of indexes) await client.query(`drop index ${quoted(name)}`)
    const tables = await postgresTables(client)
    const withCallerError = (work: Promise<void>): Promise<void> =>
      work.catch((thrown) => {
        throw toCallerError(client, thrown)
      })
    return {
      tables,
      load: (table, tuples) => withCallerError(load(client, table, tuples)),
      finish: () => withCallerError(finish(client, { tables, indexes, references })),
      close: () => client.end(),
    }
  })
}

/** Without a name of its own the schema would be the one that the store uses. */
function scratchSchemaOf({ schema }: PostgresTarget): string {
  if (schema !== undefined) return schema
  throw failure('internal', 'archive.no-scratch', 'An archive is only loaded into a schema made for it.')
}

async function load(client: pg.ClientBase, table: TableShape, tuples: AsyncIterable<Buffer>): Promise<void> {
  await client.query(`truncate ${quoted(table.name)}`)
  const sql = `copy ${quoted(table.name)} (${columnNames(table)}) from stdin (format binary)`
  const copy = await CopyIn.start(client, sql)
  try {
    await copy.write(copyHeader)
    for await (const buffer of tuples) await copy.write(buffer)
  } catch (thrown) {
    await copy.fail('the archive could not be read')
    throw thrown
  }
  await copy.write(copyTrailer)
  await copy.finish()
}

async function finish(client: pg.ClientBase, { tables, indexes, references }: RemainingWork): Promise<void> {
  for (const { definition } of indexes) await client.query(definition)
  await addReferences(client, references)
  // Without figures about its content a large table is searched in the wrong order, seconds in place of milliseconds.
  for (const { name } of tables) await client.query(`analyze ${quoted(name)}`)
  await client.query('commit')
}

async function addReferences(client: pg.ClientBase, references: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of references) {
    try {
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
    } catch (thrown) {
      if (sqlState(thrown) !== '23503') throw thrown
      const text = `Rows of '${table}' point to rows that are not there.`
      throw failure('invalid', 'archive.dangling', text, { cause: thrown })
    }
  }
}
