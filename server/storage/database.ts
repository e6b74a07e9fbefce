import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables/index.ts'

/** The database: reads, and single-statement writes. Several statements that belong together need `inTransaction`. */
export type Db = Kysely<Tables>

/** The database inside a transaction; the only one a transaction's body may use. */
export type Tx = Transaction<Tables>

/** What a store function takes: it works inside a transaction and outside. */
export type Queryable = Db | Tx
