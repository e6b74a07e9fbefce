/** The four types of column that both engines have. */
export type ColumnType = 'text' | 'integer' | 'bytes' | 'real'

/** A column as both engines understand it. */
export type Column = { readonly name: string; readonly type: ColumnType }

/** A table whose rows are read or written all together. */
export type TableShape = {
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns of its primary key, in order. */
  readonly key: readonly string[]
}

/** Where a database is: enough for another thread to open it. */
export type BulkTarget =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly schema: string | undefined }

/** The note of tokens that end in a store while a restore prepares: in its scratch schema, or in the file of the store. */
export const endedTokens = 'ended_tokens'

/**
 * Tables that are about this installation and not about what people keep in it: background work, caches, what tells it
 * apart from others, who logged in, and how its snapshots went. They are in no archive, and a restore leaves them as they are, so
 * nothing in them may point to a row outside.
 */
const localTables: ReadonlySet<string> = new Set([
  endedTokens,
  'cert_logins',
  'installation',
  'jobs',
  'leases',
  'migrations',
  'nodes',
  'operations',
  'rekey',
  'rekey_backup',
  'restored_tokens',
  'root_key_handover',
  'snapshot_attempts',
  'snapshot_days',
  'snapshot_status',
  'unindexed_names',
  'versions',
])

/** Those whose rows are about the restored data nevertheless: a file that takes the place of the store has its own. */
const restoredLocalTables: ReadonlySet<string> = new Set([endedTokens, 'restored_tokens', 'unindexed_names'])

/** True for tables that a restore leaves as they are. */
export const isKeptTable = (name: string): boolean => isLocalTable(name) && !restoredLocalTables.has(name)

/** True for tables that belong to this installation alone. */
export const isLocalTable = (name: string): boolean => localTables.has(name)

/**
 * Columns by which a writer notices that somebody was faster. Their upper half counts restores of the store, so that
 * after one each number exceeds all that were handed out before; it says nothing about the row and stays out of archives.
 */
const generationColumns: ReadonlySet<string> = new Set(['generation', 'lock_generation', 'revision'])

/** True for columns that count changes of their row. */
export const isGeneration = (column: Column): boolean => column.type === 'integer' && generationColumns.has(column.name)

/** How far apart the generations of two restores are. */
export const generationStep = 2 ** 32

/** A name as SQL of either engine takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A column as it is read for an archive. */
const archivedExpression = (column: Column): string =>
  isGeneration(column) ? `${quoted(column.name)} & ${generationStep - 1}` : quoted(column.name)

/** All columns of a table as they are read for an archive. */
export const archivedColumns = (table: TableShape): string => table.columns.map(archivedExpression).join(', ')

/** The names of a table's columns, for an insert. */
export const columnNames = (table: TableShape): string => table.columns.map(({ name }) => quoted(name)).join(', ')
