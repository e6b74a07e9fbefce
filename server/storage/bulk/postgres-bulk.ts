import pg from 'pg'
import { Failure, failure } from '../../kernel/failure.ts'
import { noAnswer, sqlState } from '../database-errors.ts'
import { clientConfig, liftTimeLimits } from '../postgres/connection.ts'
import { type PostgresHost, parseHosts } from '../postgres/database-address.ts'
import { requireFitServer, type ServerFacts, serverFacts } from '../postgres/fitness.ts'
import { askServer, choosePrimary } from '../postgres/primary-choice.ts'
import { reasonOf } from '../postgres/reason.ts'
import { beginSession } from '../postgres/schema.ts'
import { troubleOf } from '../postgres/trouble.ts'
import { type BulkReader, unknownType } from './bulk-access.ts'
import { CopiedRows, CopyOut } from './postgres-copy.ts'
import {
  archivedColumns,
  type BulkTarget,
  type ColumnType,
  isLocalTable,
  quoted,
  type TableShape,
} from './table-shape.ts'

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
  const host = await primaryOf(parseHosts(target.url))
  const client = new pg.Client({ ...clientConfig(host.url, {}), query_timeout: 0 })
  // Without a listener a connection lost between two statements would end the process; the next statement fails too.
  client.on('error', () => void lostClients.add(client))
  try {
    await client.connect()
    const { rows } = await client.query<ServerFacts>(serverFacts)
    requireFitServer(rows[0])
    await beginSession(client, host.url, { schema: target.schema, durable: true })
    await liftTimeLimits(client)
    return client
  } catch (thrown) {
    await client.end()
    throw thrown instanceof Failure ? thrown : unreachable([host], [thrown])
  }
}

/** The one server, or that of several which the store uses too. */
async function primaryOf(hosts: readonly PostgresHost[]): Promise<PostgresHost> {
  const [only] = hosts
  if (only && hosts.length === 1) return only
  try {
    const ask = (host: PostgresHost) => askServer(host, { isAlone: false, note: () => undefined })
    return (await choosePrimary(hosts, ask)).chosen.host
  } catch (thrown) {
    throw unreachable(hosts, (thrown as AggregateError).errors)
  }
}

/** In full: of what a thread throws, only the text reaches its caller. */
function unreachable(hosts: readonly PostgresHost[], thrown: readonly unknown[]): Failure {
  const problems = hosts.map(({ label }, index) => `${label}: ${reasonOf(thrown[index])}`)
  const text = `PostgreSQL cannot be reached at ${problems.join('; ')}.`
  return failure('unavailable', 'storage.unreachable', text, { retryAfter: 2 })
}

/** Connections that have ended in the middle of their work. */
const lostClients = new WeakSet<pg.ClientBase>()

/** What was thrown by work on a connection, as its caller gets it: where the connection was lost, the work may be tried again. */
export function toCallerError(client: pg.ClientBase, thrown: unknown): unknown {
  const isLost = lostClients.has(client) || (sqlState(thrown) !== undefined && troubleOf(thrown) === 'lost')
  return isLost && !(thrown instanceof Failure) ? noAnswer(thrown) : thrown
}

/** Does work on a connection, which is ended when the work fails. */
export async function endOnFailure<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    await client.end()
    throw toCallerError(client, thrown)
  }
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
  return await endOnFailure(client, async () => {
    // Taken before the moment that is read: a restore that replaced tables in between would show half of each.
    await client.query(`select pg_advisory_lock_shared(${replacementKey})`)
    await client.query('begin isolation level repeatable read read only')
    const tables = await postgresTables(client)
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    const memory = new CopiedRows()
    return {
      tables,
      migrations: rows.map(({ name }) => name).sort(),
      tuples: (table) => tuplesOf(client, table, memory),
      close: () => client.end(),
    }
  })
}

/** Pages of a table that are asked for at once; a page has 8 KiB. */
const pagesAtOnce = 64

/**
 * The rows of a table, a range of its pages at a time. With a single statement the database would always be at work on what
 * fits between it and us, and requests would wait behind it and behind us; so it rests while we work, and we while it does.
 */
async function* tuplesOf(client: pg.ClientBase, table: TableShape, memory: CopiedRows): AsyncGenerator<Buffer> {
  const select = `select ${archivedColumns(table)} from ${quoted(table.name)}`
  try {
    for (const range of rangesOf(await pagesOf(client, table))) {
      yield* CopyOut.start(client, `copy (${select} ${range}) to stdout (format binary)`, memory)
    }
  } catch (thrown) {
    throw toCallerError(client, thrown)
  }
}

/** How many pages a table has; 0 for a partitioned one, and before PostgreSQL 14, which reads all of them for any range. */
async function pagesOf(client: pg.ClientBase, table: TableShape): Promise<number> {
  const { rows } = await client.query<{ pages: string }>(
    `select pg_relation_size($1::regclass) / current_setting('block_size')::int as pages
      where current_setting('server_version_num')::int >= 140000`,
    [quoted(table.name)],
  )
  return Number(rows[0]?.pages ?? 0)
}

/**
 * Conditions of which every row meets one, even if the table has grown or shrunk since it was measured. Rows that are
 * seen stay where they are: the first statement keeps those out who would move them until the transaction ends.
 */
function* rangesOf(pages: number): Generator<string> {
  let begin = 0
  for (; begin + pagesAtOnce < pages; begin += pagesAtOnce) {
    yield `where ctid >= '(${begin},0)' and ctid < '(${begin + pagesAtOnce},0)'`
  }
  yield begin === 0 ? '' : `where ctid >= '(${begin},0)'`
}
