import type { Expression, Kysely, Transaction } from 'kysely'
import type { DescribedTables } from './tables.ts'

/** The database: reads, and single-statement writes. Several statements that belong together need `inTransaction`. */
export type Db = Kysely<DescribedTables>

/** The database inside a transaction; the only one a transaction may use. */
export type Tx = Transaction<DescribedTables>

/** What a store function takes: it works inside a transaction and outside. */
export type Queryable = Db | Tx

/** A query for ids (`$asScalar()`), which a statement about another table takes as its list. */
export type IdQuery = Expression<string>
