import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Instant } from '../kernel/clock.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import type { Area } from './areas.ts'
import type { Db, Queryable, Tx } from './database.ts'
import type { EngineKind } from './dialect.ts'
import type { VersionTracker } from './version-tracker.ts'

/** Runs compiled queries: an engine outside transactions, a session inside one. What SQLite answers is there at once. */
export type Runner = {
  readonly kind: EngineKind
  /** `hot` marks a query worth a named prepared statement. */
  execute<R>(query: CompiledQuery, hot?: boolean): Awaitable<QueryResult<R>>
  /** The first row of a hot read. Only engines that can ask for several at once have it. */
  first?<R>(query: CompiledQuery): Awaitable<R | undefined>
}

/** One run of a transaction's work. */
export type Session = Runner & {
  /** False once the work has ended: its `tx` is then useless. */
  readonly open: boolean
  /** The areas whose versions move when the transaction commits. */
  readonly bumped: Set<Area>
  /** Keeps a hot statement until the commit, to be sent along with it. Only engines for which that saves a round trip have it. */
  atEnd?(query: CompiledQuery): void
  /** Lets others read if this transaction has kept them waiting. Only engines that hold up the event loop have it. */
  letOthersRead?(): Promise<void>
}

/** Options of a transaction. */
export type TransactOptions = {
  /** Names this operation, so that a COMMIT whose answer was lost is settled instead of reported as unknown. */
  operationId?: string
  /** Overrides how long the work may take; for migrations. */
  deadline?: number
  /** The work only reads, as of one moment. Only engines whose snapshots are transactions look at it. */
  snapshot?: boolean
}

/**
 * How busy the way to the database is, in this process: connections and those who wait for one, or writes that wait for
 * their turn.
 */
export type StoreLoad =
  | { readonly used: number; readonly idle: number; readonly waiting: number; readonly limit: number }
  | { readonly queued: number }

/** One of the two database engines, behind what both can do. */
export type Engine = Runner & {
  readonly versions: VersionTracker
  /** Runs reads that may take long beside the event loop; only engines that would hold it up have it. */
  readonly reads?: Runner
  transaction<T>(work: (session: Session) => Awaitable<T>, options: TransactOptions): Promise<T>
  /** Runs work that only reads, and sees nothing of what is committed after its first read. Others write meanwhile. */
  snapshot<T>(work: (session: Session) => Awaitable<T>): Promise<T>
  databaseNow(): Promise<Instant>
  /** Milliseconds by which the clock of this node was ahead of the database's; never said of a file. */
  readonly clockSkew?: number
  /** How many nodes are connected; only engines that several can share have it. */
  nodes?(): Promise<number>
  /** Whether the database answers over a connection that requests do not use; only engines that have one say so. */
  answersBesidePool?(): Promise<boolean>
  /** True while the database is known to be out of reach; never said of a file. */
  readonly isAway?: boolean
  /** True if a pooler hands out the sessions of the database for one transaction each; never said of a file. */
  readonly sharesSessions?: boolean
  readonly load: StoreLoad
  /** Why nothing is written any more, and will not be before the next start; only said of a file. */
  readonly broken?: Failure | undefined
  /** Does work while the database is closed; see `Store`. Only engines with a file have it. */
  whileClosed?<T>(work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}

const engineKey = Symbol('engine')
const runnerKey = Symbol('runner')
const sessionKey = Symbol('session')

/** What is written on the handles; a map beside them would cost more than a read on SQLite. */
type BoundHandle = { [engineKey]?: Engine; [runnerKey]?: Runner; [sessionKey]?: Session }

/** Remembers which engine a database handle belongs to, and what runs its queries. */
export function bindEngine(db: Db, engine: Engine, runner: Runner): void {
  Object.assign(db, { [engineKey]: engine, [runnerKey]: runner } satisfies BoundHandle)
}

/** Remembers which session of which engine a transaction handle belongs to. */
export function bindSession(tx: Tx, engine: Engine, session: Session): void {
  const handle = tx as BoundHandle
  handle[engineKey] = engine
  handle[runnerKey] = session
  handle[sessionKey] = session
}

/** The engine that a database handle opens transactions on. A transaction handle is refused: transactions do not nest. */
export function engineOf(db: Db): Engine {
  if ((db as BoundHandle)[sessionKey]) throw nestingRefused()
  const engine = boundEngine(db)
  if ((db as BoundHandle)[runnerKey] !== engine) throw readsOnly()
  return engine
}

function boundEngine(db: Queryable): Engine {
  const engine = (db as BoundHandle)[engineKey]
  if (!engine) throw new Error('This database handle was not made by openStore.')
  return engine
}

/** One value for each open store, made on first use, and the same inside transactions and outside. */
export function perStore<T extends {}>(make: (engine: Engine) => T): (db: Queryable) => T {
  const made = new WeakMap<Engine, T>()
  return (db) => {
    const engine = boundEngine(db)
    const existing = made.get(engine)
    if (existing) return existing
    const value = make(engine)
    made.set(engine, value)
    return value
  }
}

/** The session behind a transaction handle; undefined outside of a transaction. */
export const sessionIn = (db: Queryable): Session | undefined => (db as BoundHandle)[sessionKey]

/** The session behind a transaction handle. */
export function sessionOf(tx: Tx): Session {
  const session = sessionIn(tx)
  if (!session) throw new Error('This needs the tx of inTransaction.')
  return session
}

/** What runs queries given to this handle, inside a transaction or outside. */
export function runnerOf(db: Queryable): Runner {
  return (db as BoundHandle)[runnerKey] ?? boundEngine(db)
}

const runningTransactions = new AsyncLocalStorage<{ engine: Engine; session: Session }>()

/** Runs work so that a slip to the database handle inside it is noticed. */
export const enterTransaction = <T>(engine: Engine, session: Session, work: () => Awaitable<T>): Awaitable<T> =>
  runningTransactions.run({ engine, session }, work)

/**
 * Refuses a query on the database handle inside a transaction: on SQLite a write would wait for its own end, on
 * PostgreSQL it would silently escape the transaction.
 */
export function assertOutsideTransaction(engine: Engine): void {
  const running = runningTransactions.getStore()
  if (running?.engine === engine && running.session.open) throw nestingRefused()
}

/** What the handle for long reads answers to anything else. */
export const readsOnly = (): Failure =>
  failure('internal', 'storage.reads-only', 'The handle `reads` only reads; write through `db`.')

const nestingRefused = () =>
  failure(
    'internal',
    'storage.outside-transaction',
    'A transaction must use its tx for every query, and cannot open another transaction.',
  )
