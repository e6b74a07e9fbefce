import pg from 'pg'
import { failure, textOf } from '../../kernel/failure.ts'
import { sqlState } from '../errors.ts'
import { parseHosts } from '../postgres/address.ts'
import { clientConfig } from '../postgres/connection.ts'
import { type BulkLoader, type BulkReader, unknownType } from './bulk-access.ts'
import { CopyIn, CopyOut } from './postgres-copy.ts'
import {
  archivedColumns,
  type BulkTarget,
  type ColumnType,
  columnNames,
  isLocalTable,
  quoted,
  type TableShape,
} from './table-shape.ts'
import { TupleCutter } from './tuples.ts'

type PostgresTarget = Extract<BulkTarget, { engine: 'postgres' }>

const types: Record<string, ColumnType> = {
  text: 'text',
  bigint: 'integer',
  bytea: 'bytes',
  'double precision': 'real',
}

/** A connection of its own to the primary, on which a statement may take as long as it needs. */
export async function connectForBulk(target: PostgresTarget): Promise<pg.Client> {
  const problems: string[] = []
  for (const host of parseHosts(target.url)) {
    const config = clientConfig(host.url, { schema: target.schema, durable: true })
    const client = new pg.Client({ ...config, query_timeout: 0 })
    // Without a listener a connection lost between two statements would end the process; the next statement fails too.
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query("select current_setting('transaction_read_only') as read_only")
      if (rows[0]?.read_only === 'off') return client
      problems.push(`${host.label} is read-only`)
    } catch (thrown) {
      problems.push(textOf(thrown))
    }
    await client.end()
  }
  const text = `PostgreSQL cannot be reached: ${problems.join('; ')}.`
  throw failure('unavailable', 'storage.unreachable', text, { retryAfter: 2 })
}

const columnsOfTables = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
    coalesce(array_position(k.conkey, a.attnum), 0) as key
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
  where c.relkind in ('r', 'p')
  order by c.relname, a.attnum`

/** The tables of a schema that belong into an archive. */
export async function postgresTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string; key: number }>(columnsOfTables)
  const byTable = Map.groupBy(
    rows.filter((row) => !isLocalTable(row.table)),
    (row) => row.table,
  )
  return [...byTable]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, columns]) => ({
      name,
      columns: columns.map((row) => {
        const type = types[row.type]
        if (!type) throw unknownType(name, row.column, row.type)
        return { name: row.column, type }
      }),
      key: columns
        .filter((row) => row.key > 0)
        .sort((a, b) => a.key - b.key)
        .map((row) => row.column),
    }))
}

/** The lock between those who read all tables and the one who replaces them. */
export const replacementKey = "hashtext('holdfast-tables-' || current_schema())"

/** Reads a PostgreSQL schema in one transaction that sees a single moment. */
export async function openPostgresReader(target: PostgresTarget): Promise<BulkReader> {
  const client = await connectForBulk(target)
  try {
    // Taken before the moment that is read: a restore that replaced tables in between would show half of each.
    await client.query(`select pg_advisory_lock_shared(${replacementKey})`)
    await client.query('begin isolation level repeatable read read only')
    const tables = await postgresTables(client)
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    return {
      tables,
      migrations: rows.map(({ name }) => name).sort(),
      tuples: (table) => tuplesOf(client, table),
      close: () => client.end(),
    }
  } catch (thrown) {
    await client.end()
    throw thrown
  }
}

/** `PGCOPY`, flags and the length of an extension, which is always zero. */
const copyHeader = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const copyTrailer = Buffer.from([0xff, 0xff])

async function* tuplesOf(client: pg.ClientBase, table: TableShape): AsyncGenerator<Buffer> {
  const select = `select ${archivedColumns(table)} from ${quoted(table.name)}`
  const cutter = new TupleCutter(table.columns.length)
  let held: Buffer = Buffer.alloc(0)
  let isFirst = true
  for await (const piece of CopyOut.start(client, `copy (${select}) to stdout (format binary)`)) {
    // The two bytes of the trailer are no tuple; whichever piece is last, they stay behind.
    const all = held.length > 0 ? Buffer.concat([held, piece]) : piece
    if (isFirst && all.length < copyHeader.length + copyTrailer.length) {
      held = all
      continue
    }
    const body = all.subarray(isFirst ? copyHeader.length : 0, all.length - copyTrailer.length)
    isFirst = false
    held = Buffer.from(all.subarray(all.length - copyTrailer.length))
    const whole = body.length > 0 ? cutter.add(body) : undefined
    if (whole) yield whole
  }
  const rest = cutter.finish()
  if (rest) yield rest
}

type ForeignKey = { table: string; name: string; definition: string }

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
  try {
    await client.query('begin')
    const { rows: references } = await client.query<ForeignKey>(foreignKeys)
    for (const { table, name } of references) {
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
    }
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(plainIndexes)
    for (const { name } of indexes) await client.query(`drop index ${quoted(name)}`)
    return {
      tables: await postgresTables(client),
      load: (table, tuples) => load(client, table, tuples),
      finish: async () => {
        for (const { definition } of indexes) await client.query(definition)
        await finish(client, references)
      },
      close: () => client.end(),
    }
  } catch (thrown) {
    await client.end()
    throw thrown
  }
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

async function finish(client: pg.ClientBase, references: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of references) {
    try {
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
    } catch (thrown) {
      if (sqlState(thrown) !== '23503') throw thrown
      const text = `Rows of '${table}' point to rows that are not there.`
      throw failure('invalid', 'archive.dangling', text, { cause: thrown })
    }
  }
  await client.query('commit')
}
