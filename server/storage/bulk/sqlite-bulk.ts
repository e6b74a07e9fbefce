import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type BulkLoader, type BulkReader, danglingReference, unknownType } from './bulk-access.ts'
import { dropTriggers, indexNames } from './sqlite-names.ts'
import {
  archivedColumns,
  type BulkTarget,
  type ColumnType,
  columnNames,
  isLocalTable,
  quoted,
  type TableShape,
} from './table-shape.ts'
import { decodeTuple, TupleEncoder, tupleEnd } from './tuples.ts'

type SqliteTarget = Extract<BulkTarget, { engine: 'sqlite' }>

/** Milliseconds to wait for a lock; the caller has a thread of its own. */
const busyTimeout = 10_000

const types: Record<string, ColumnType> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  blob: 'bytes',
  real: 'real',
}

/** The tables of a SQLite database that belong into an archive, or others. */
export function sqliteTables(
  database: DatabaseSync,
  isWanted: (name: string) => boolean = (name) => !isLocalTable(name),
): TableShape[] {
  const tables = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' order by name")
    .all() as { name: string }[]
  return tables
    .filter(({ name }) => !name.startsWith('sqlite_') && isWanted(name))
    .map(({ name }) => shapeOf(database, name))
}

function shapeOf(database: DatabaseSync, name: string): TableShape {
  const rows = database.prepare('select name, type, pk from pragma_table_info(?) order by cid').all(name) as {
    name: string
    type: string
    pk: number
  }[]
  const columns = rows.map((row) => {
    const type = types[row.type.toLowerCase()]
    if (!type) throw unknownType(name, row.name, row.type)
    return { name: row.name, type }
  })
  const key = rows.filter((row) => row.pk > 0).sort((a, b) => a.pk - b.pk)
  return { name, columns, key: key.map((row) => row.name) }
}

/** Reads a SQLite database in one read transaction on a connection of its own. It blocks: use a thread of its own. */
export async function openSqliteReader(target: SqliteTarget): Promise<BulkReader> {
  const database = new DatabaseSync(target.file, { readOnly: true, timeout: busyTimeout })
  database.exec('begin')
  const tables = sqliteTables(database)
  return {
    tables,
    migrations: migrationsOf(database),
    tuples: (table) => tuplesOf(database, table),
    close: async () => database.close(),
  }
}

const migrationsOf = (database: DatabaseSync): string[] =>
  (database.prepare('select name from migrations order by name').all() as { name: string }[]).map(({ name }) => name)

function* tuplesOf(database: DatabaseSync, table: TableShape): Generator<Buffer> {
  const encoder = new TupleEncoder(table.columns)
  const statement = database.prepare(`select ${archivedColumns(table)} from ${quoted(table.name)}`)
  statement.setReturnArrays(true)
  for (const row of statement.iterate()) {
    const full = encoder.add(row as unknown as unknown[])
    if (full) yield full
  }
  const rest = encoder.take()
  if (rest) yield rest
}

/** Fills a SQLite database that exists for this purpose alone; should the machine stop meanwhile, it is worthless. */
export async function openSqliteLoader(target: SqliteTarget): Promise<BulkLoader> {
  const database = new DatabaseSync(target.file, { enableForeignKeyConstraints: false, timeout: busyTimeout })
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32768; begin exclusive')
  const indexes = dropIndexes(database)
  const makeTriggers = dropTriggers(database)
  return {
    tables: sqliteTables(database),
    load: (table, tuples) => load(database, table, tuples),
    finish: async () => {
      indexNames(database)
      makeTriggers()
      finish(database, indexes)
    },
    close: async () => database.close(),
  }
}

/** Indexes are built from full tables, which takes a fraction of the time; those of primary keys cannot be dropped. */
function dropIndexes(database: DatabaseSync): string[] {
  const select = "select name, sql from sqlite_schema where type = 'index' and sql is not null"
  const indexes = database.prepare(select).all() as { name: string; sql: string }[]
  for (const { name } of indexes) database.exec(`drop index ${quoted(name)}`)
  return indexes.map(({ sql }) => sql)
}

async function load(database: DatabaseSync, table: TableShape, tuples: AsyncIterable<Buffer>): Promise<void> {
  database.exec(`delete from ${quoted(table.name)}`)
  const marks = table.columns.map(() => '?').join(', ')
  const insert = database.prepare(`insert into ${quoted(table.name)} (${columnNames(table)}) values (${marks})`)
  for await (const buffer of tuples) {
    for (let at = 0; at < buffer.length; at = tupleEnd(buffer, at, table.columns.length)) {
      insert.run(...(decodeTuple(buffer, at, table.columns) as SQLInputValue[]))
    }
  }
}

function finish(database: DatabaseSync, indexes: readonly string[]): void {
  for (const sql of indexes) database.exec(sql)
  const [broken] = database.prepare('select "table", parent from pragma_foreign_key_check limit 1').all()
  if (broken) throw danglingReference(String(broken.table), String(broken.parent))
  database.exec('commit')
}
