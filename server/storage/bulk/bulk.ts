import { openPostgresLoader, openPostgresReader } from './postgres-bulk.ts'
import { openSqliteLoader, openSqliteReader } from './sqlite-bulk.ts'
import type { BulkTarget, TableShape } from './table-shape.ts'

/** One consistent view of all tables, however long the reading takes and whatever is written meanwhile. */
export type BulkReader = {
  /** The tables that belong into an archive, by name. */
  readonly tables: readonly TableShape[]
  /** The names of the migrations that made them. */
  readonly migrations: readonly string[]
  /** All rows of a table; each buffer holds whole tuples. */
  tuples(table: TableShape): AsyncIterable<Buffer> | Iterable<Buffer>
  close(): Promise<void>
}

/** Fills empty tables of a database that nobody else uses. */
export type BulkLoader = {
  readonly tables: readonly TableShape[]
  /** Takes buffers of whole tuples, in place of what the table holds. */
  load(table: TableShape, tuples: AsyncIterable<Buffer>): Promise<void>
  /** Checks what rows say about each other and makes it all durable; throws when it does not fit. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** Begins a consistent read of a whole database. */
export const openBulkReader = (target: BulkTarget): Promise<BulkReader> =>
  target.engine === 'sqlite' ? openSqliteReader(target) : openPostgresReader(target)

/** Begins to fill a database. */
export const openBulkLoader = (target: BulkTarget): Promise<BulkLoader> =>
  target.engine === 'sqlite' ? openSqliteLoader(target) : openPostgresLoader(target)
