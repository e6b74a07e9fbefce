import type { Clock, Instant } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Db } from './database.ts'
import type { Versions } from './versions.ts'

export type { Db, Queryable, Tx } from './database.ts'

/** Where the data lies and how to reach it. */
export type StoreOptions = {
  /** `sqlite:/absolute/file.db` or `postgres://user:password@host:5432,host2:5432/database?…`. */
  url: string
  log: Log
  clock: Clock
  /** PostgreSQL only: the schema that holds the tables. */
  schema?: string
  /** `off` trades the last moments before a crash for speed; for tests. */
  durability?: 'full' | 'off'
  /** Whose time `databaseNow` tells: the database server's, or (for tests) that of `clock`. */
  databaseClock?: 'server' | 'given'
}

/** An open store. */
export type Store = {
  readonly db: Db
  readonly engine: 'sqlite' | 'postgres'
  readonly versions: Versions
  readonly url: string
  /** The time all nodes that share this store agree on. */
  databaseNow(): Promise<Instant>
  close(): Promise<void>
}

/** Opens the store; migrations are a step of their own. */
export async function openStore(_options: StoreOptions): Promise<Store> {
  throw new Error('not written yet')
}
