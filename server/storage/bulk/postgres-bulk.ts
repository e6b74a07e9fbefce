import pg from 'pg'
import { failure, textOf } from '../../kernel/failure.ts'
import { parseHosts } from '../postgres/address.ts'
import { clientConfig } from '../postgres/connection.ts'
import { type BulkReader, unknownType } from './bulk-access.ts'
import { CopyOut } from './postgres-copy.ts'
import {
  archivedColumns,
  type BulkTarget,
  type ColumnType,
  isLocalTable,
  quoted,
  type TableShape,
} from './table-shape.ts'
import { TupleCutter } from './tuples.ts'

/** A database of PostgreSQL. */
export type PostgresTarget = Extract<BulkTarget, { engine: 'postgres' }>

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
export const copyHeader: Buffer = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

/** What ends a binary copy. */
export const copyTrailer: Buffer = Buffer.from([0xff, 0xff])

async function* tuplesOf(client: pg.ClientBase, table: TableShape): AsyncGenerator<Buffer> {
  const select = `select ${archivedColumns(table)} from ${quoted(table.name)}`
  const cutter = new TupleCutter(table.columns.length)
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of CopyOut.start(client, `copy (${select}) to stdout (format binary)`)) {
    let body: Buffer = piece
    if (head) {
      body = Buffer.concat([head, piece])
      head = body.length < copyHeader.length ? body : undefined
      if (head) continue
      body = body.subarray(copyHeader.length)
    }
    const whole = cutter.add(body)
    if (whole) yield whole
  }
  const rest = cutter.finish(copyTrailer)
  if (rest) yield rest
}
