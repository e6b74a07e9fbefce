import { failure } from '../../kernel/failure.ts'
import type { TableShape } from './table-shape.ts'

/** One consistent view of all tables, however long the reading takes and whatever is written meanwhile. */
export type BulkReader = {
  /** The tables that belong into an archive, by name. */
  readonly tables: readonly TableShape[]
  /** The names of the migrations that made them. */
  readonly migrations: readonly string[]
  /** All rows of a table; each buffer holds whole tuples and is good until the next is asked for. */
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

/** A column that no archive can hold. */
export const unknownType = (table: string, column: string, type: string): Error =>
  failure('internal', 'archive.column-type', `The column ${table}.${column} has the type '${type}'.`)

/** Rows point to others that are not there. */
export const danglingReference = (table: string, parent: string): Error =>
  failure('invalid', 'archive.dangling', `Rows of '${table}' point to rows of '${parent}' that are not there.`)
