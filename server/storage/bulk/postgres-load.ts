import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { sqlState } from '../database-errors.ts'
import { requireSchema } from '../postgres/schema.ts'
import type { BulkLoader } from './bulk-access.ts'
import { connectForBulk, endOnFailure, type PostgresTarget, postgresTables, toCallerError } from './postgres-bulk.ts'
import { CopyIn, copyHeader, copyTrailer } from './postgres-copy.ts'
import { columnNames, quoted, type TableShape } from './table-shape.ts'

/** What a table gets once it is full: checks and indexes of all rows cost a fraction of those of one after another. */
type LaterPart = { readonly drop: string; readonly add: string; readonly table: string }

/** What filled tables still lack, in the order in which it is added. */
type RemainingWork = { readonly tables: readonly TableShape[]; readonly parts: readonly LaterPart[] }

/** Keys before what refers to them. */
const constraints = `
  select c.relname as table,
    format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
    format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where k.contype in ('p', 'u', 'f')
  order by k.contype = 'f', c.relname, k.conname`

/** Indexes that no constraint needs. */
const plainIndexes = `
  select t.relname as table, format('drop index %I', c.relname) as drop, pg_get_indexdef(i.indexrelid) as add
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_class t on t.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
  order by c.relname`

/** Fills a schema that exists for this purpose alone. References are checked and indexes built once, at the end. */
export async function openPostgresLoader(target: PostgresTarget): Promise<BulkLoader> {
  const client = await connectForBulk(target)
  return await endOnFailure(client, async () => {
    await client.query('begin')
    await requireSchema(client, scratchSchemaOf(target))
    const tables = await postgresTables(client)
    const { rows: indexes } = await client.query<LaterPart>(plainIndexes)
    const { rows: keysThenReferences } = await client.query<LaterPart>(constraints)
    const parts = [...indexes, ...keysThenReferences]
    for (const { drop } of parts.toReversed()) await client.query(drop)
    const withCallerError = (work: Promise<void>): Promise<void> =>
      work.catch((thrown) => {
        throw toCallerError(client, thrown)
      })
    return {
      tables,
      load: (table, tuples) => withCallerError(load(client, table, tuples)),
      finish: () => withCallerError(finish(client, { tables, parts })),
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
  const sql = `copy ${quoted(table.name)} (${columnNames(table)}) from stdin (format binary, freeze)`
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

async function finish(client: pg.ClientBase, { tables, parts }: RemainingWork): Promise<void> {
  for (const part of parts) await add(client, part)
  // Without figures about its content a large table is searched in the wrong order, seconds in place of milliseconds.
  for (const { name } of tables) await client.query(`analyze ${quoted(name)}`)
  await client.query('commit')
}

async function add(client: pg.ClientBase, { table, add }: LaterPart): Promise<void> {
  try {
    await client.query(add)
  } catch (thrown) {
    if (sqlState(thrown) !== '23503') throw thrown
    const text = `Rows of '${table}' point to rows that are not there.`
    throw failure('invalid', 'archive.dangling', text, { cause: thrown })
  }
}
