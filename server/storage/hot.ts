import type { Compilable, CompiledQuery } from 'kysely'
import { type Awaitable, andThen } from '../kernel/awaitable.ts'
import type { Db, Queryable, Tx } from './database.ts'
import { claimLost } from './database-errors.ts'
import { compilerOf, type EngineKind, requireOneRow } from './dialect.ts'
import { runnerOf, sessionOf } from './engine.ts'

/** The parameters of a hot query, by name. While the query is built they are marks, not values. */
export type Params<P extends object> = P

/** A query compiled once, run many times. On SQLite, reads and everything inside a transaction answer at once. */
type HotQuery<P, R> = {
  readonly name: string
  first(db: Queryable, parameters: P): Awaitable<R | undefined>
  all(db: Queryable, parameters: P): Awaitable<R[]>
  /** Runs a statement for its effect; answers how many rows it changed. */
  run(db: Queryable, parameters: P): Awaitable<number>
  /** Runs a statement for its effect, at the latest right before the commit. The rest of the work must not depend on it. */
  runBeforeCommit(tx: Tx, parameters: P): Awaitable<void>
  /**
   * Runs a statement that must find or change exactly one row, at the latest right before the commit. If it does not, the
   * transaction is rolled back and fails with an error that `isClaimLost` recognises
   * (docs/decisions/0016).
   */
  claimBeforeCommit(tx: Tx, parameters: P): Awaitable<void>
}

/** Stands for a parameter while the query is built. */
class ParameterMark {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Registered = { build: { toString(): string }; compile(kind: EngineKind): CompiledQuery }

const registry = new Map<string, Registered>()

/** Calls `make` once for each kind of engine and keeps the result. */
function perEngine<T extends object>(make: (kind: EngineKind) => T): (kind: EngineKind) => T {
  const made = new Map<EngineKind, T>()
  return (kind) => {
    const known = made.get(kind)
    if (known) return known
    const fresh = make(kind)
    made.set(kind, fresh)
    return fresh
  }
}

const compilerFor = perEngine(compilerOf)

/** Has every property: reading one gives a mark with its name. */
const parameterMarks = new Proxy({}, { get: (_target, parameter) => new ParameterMark(String(parameter)) })

/**
 * Declares a query of a hot path: Kysely's work is done once, and the statement is kept prepared. A parameter stands for
 * one value each time; lists need a query of their own. The name appears in `docs/sql`, where the text is checked in.
 */
export function hotQuery<P extends object, R>(
  name: string,
  build: (db: Db, parameters: Params<P>) => Compilable<R>,
): HotQuery<P, R> {
  const compile = perEngine((kind) => build(compilerFor(kind), parameterMarks as Params<P>).compile())
  const compileClaim = perEngine((kind) => requireOneRow(kind, compile(kind)))
  register(name, { build, compile })
  const execute = (db: Queryable, parameters: P) => {
    const runner = runnerOf(db)
    return runner.execute<R>(bindParameters(compile(runner.kind), parameters), true)
  }
  const first = (db: Queryable, parameters: P): Awaitable<R | undefined> => {
    const runner = runnerOf(db)
    const query = bindParameters(compile(runner.kind), parameters)
    return runner.first ? runner.first<R>(query) : andThen(runner.execute<R>(query, true), ({ rows }) => rows[0])
  }
  return {
    name,
    first,
    all: (db, parameters) => andThen(execute(db, parameters), ({ rows }) => rows),
    run: (db, parameters) => andThen(execute(db, parameters), ({ numAffectedRows = 0n }) => Number(numAffectedRows)),
    runBeforeCommit: (tx, parameters) => {
      const session = sessionOf(tx)
      const query = bindParameters(compile(session.kind), parameters)
      return session.atEnd ? session.atEnd(query) : andThen(session.execute(query, true), () => undefined)
    },
    claimBeforeCommit: (tx, parameters) => {
      const session = sessionOf(tx)
      if (session.atEnd) return session.atEnd(bindParameters(compileClaim(session.kind), parameters))
      const query = bindParameters(compile(session.kind), parameters)
      return andThen(session.execute(query, true), ({ numAffectedRows, rows }) => {
        if ((numAffectedRows ?? BigInt(rows.length)) !== 1n) throw claimLost()
      })
    },
  }
}

/** A module that is loaded twice registers the same queries twice. Two different queries under one name are a mistake. */
function register(name: string, query: Registered): void {
  if ((registry.get(name)?.build ?? query.build).toString() !== query.build.toString()) {
    throw new Error(`Two hot queries are named ${name}`)
  }
  registry.set(name, query)
}

function bindParameters(query: CompiledQuery, named: object): CompiledQuery {
  const values = named as Record<string, unknown>
  const parameters = query.parameters.map((value) => (value instanceof ParameterMark ? values[value.name] : value))
  return { query: query.query, queryId: query.queryId, sql: query.sql, parameters }
}

/** The SQL of every hot query that has been declared, for one engine, as it is checked in under `docs/sql`. */
export function renderHotQueries(kind: EngineKind): string {
  const texts = [...registry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, query]) => {
      const { sql, parameters } = query.compile(kind)
      const names = parameters.map((value) =>
        value instanceof ParameterMark ? `:${value.name}` : JSON.stringify(value),
      )
      return `-- ${name}${names.length > 0 ? ` (${names.join(', ')})` : ''}\n${sql};\n`
    })
  return texts.join('\n')
}
