import type { Clock, Instant } from '../kernel/clock.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import type { Versions } from './areas.ts'
import type { BulkTarget } from './bulk/table-shape.ts'
import type { Db, Queryable } from './database.ts'
import { handlesFor } from './database-handle.ts'
import type { EngineKind } from './dialect.ts'
import { type Engine, runnerOf, type StoreLoad } from './engine.ts'
import { type Fullness, fullnessOf } from './fullness.ts'
import { openPostgres } from './postgres/engine.ts'
import { openSqlite } from './sqlite/engine.ts'

export type { Db, IdQuery, Queryable, Tx } from './database.ts'
export { perStore } from './engine.ts'

/** True if each query travels to another process; there one large query beats two small ones. */
export const isRemote = (db: Queryable): boolean => runnerOf(db).kind === 'postgres'

/** Where the data is and how to reach it. */
export type StoreOptions = {
  /** `sqlite:/absolute/file.db` or `postgres://user:password@host:5432,host2:5432/database?…`. */
  url: string
  log: Log
  clock: Clock
  /** PostgreSQL only: the schema that holds the tables. */
  schema?: string
  /** PostgreSQL only: distinguishes the connections of this node from those of others. */
  node?: string
  /** PostgreSQL only: milliseconds to wait for a server that accepts writes; 5 s by default. */
  patience?: number
  /** PostgreSQL only: how many connections requests and jobs of this process share; 10 by default. */
  connections?: number
  /** SQLite only: how much of the file is kept in memory; little unless it is said. */
  cacheBytes?: number
  /** `off` trades the last moments before a crash for speed; for tests. */
  durability?: 'full' | 'off'
  /** Whose time `databaseNow` returns: the database server's, or (for tests) that of `clock`. */
  databaseClock?: 'server' | 'given'
}

/** An open store. */
export type Store = {
  readonly db: Db
  /**
   * The same database for reads that may take long: lists, counts and searches. On SQLite they run in threads, beside the
   * event loop; on PostgreSQL it is `db` itself. A read sees what was committed before it began.
   */
  readonly reads: Db
  readonly engine: EngineKind
  readonly versions: Versions
  readonly url: string
  /** The same place, as another thread opens it. */
  readonly target: BulkTarget
  /** The time all nodes that share this store agree on. */
  databaseNow(): Promise<Instant>
  /** Milliseconds by which this node's clock was ahead when the time was last asked for; 0 before that. */
  clockSkew(): number
  /** How many nodes have this store open; 0 when their connections cannot be told apart. */
  nodes(): Promise<number>
  /** Whether the database answers however many requests wait for it; false where that cannot be told. */
  answersBesidePool(): Promise<boolean>
  /** True while the database is known to be out of reach, not when it is merely slow. */
  isAway(): boolean
  /** True behind a connection pooler that gives no connection a session of its own, with which not everything works. */
  sharesSessions(): boolean
  /** Whether writes are refused because the disk of the database is full. */
  fullness(): Fullness
  /** How busy the way to the database is. */
  load(): StoreLoad
  /** Why nothing is written any more, and will not be before the next start. */
  broken(): Failure | undefined
  /**
   * Does work while this process has the file closed, and everybody waits; undefined, and nothing is done, if others do not
   * let go of it for a while. Only stores in a file have it.
   */
  readonly whileClosed?: (<T>(work: () => Promise<T>) => Promise<T | undefined>) | undefined
  close(): Promise<void>
}

/** Opens the store; migrations are a step of their own. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const engine = await openEngine(options)
  const handles = handlesFor(engine.kind)
  const db = handles.db(engine)
  return {
    db,
    reads: engine.reads ? handles.db(engine, engine.reads) : db,
    engine: engine.kind,
    versions: engine.versions,
    url: options.url,
    target: targetOf(options),
    databaseNow: () => engine.databaseNow(),
    clockSkew: () => engine.clockSkew ?? 0,
    nodes: async () => (engine.nodes ? await engine.nodes() : 1),
    answersBesidePool: async () => (await engine.answersBesidePool?.()) ?? false,
    isAway: () => engine.isAway ?? false,
    sharesSessions: () => engine.sharesSessions ?? false,
    fullness: () => fullnessOf(engine),
    load: () => engine.load,
    broken: () => engine.broken,
    whileClosed: engine.whileClosed?.bind(engine),
    close: () => engine.close(),
  }
}

const sqliteFileOf = (url: string): string | undefined => /^sqlite:(?:\/\/)?(\/.+)$/.exec(url)?.[1]

function targetOf({ url, schema }: StoreOptions): BulkTarget {
  const file = sqliteFileOf(url)
  return file ? { engine: 'sqlite', file } : { engine: 'postgres', url, schema }
}

async function openEngine(options: StoreOptions): Promise<Engine> {
  const { url, log, clock } = options
  const durable = options.durability !== 'off'
  const sqliteFile = sqliteFileOf(url)
  if (sqliteFile) return await openSqlite({ file: sqliteFile, durable, clock, log, cacheBytes: options.cacheBytes })
  if (!/^postgres(?:ql)?:\/\//.test(url)) {
    const text = 'A storage address starts with sqlite:/ (and an absolute path) or postgres://.'
    throw failure('invalid', 'storage.unknown-address', text)
  }
  const useServerClock = options.databaseClock !== 'given'
  const { schema, node, connections, patience = 5_000 } = options
  return await openPostgres({ url, log, clock, durable, useServerClock, schema, node, connections, patience })
}
