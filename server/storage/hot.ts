import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, Queryable, Tx } from './database.ts'
import { claiming, compilerOf, type EngineKind } from './dialect.ts'
import { runnerOf, sessionOf } from './engine.ts'
import { claimLost } from './errors.ts'

/** The parameters of a hot query, by name. While the query is built they are marks, not values. */
export type Params<P extends Record<string, unknown>> = P

/** A query compiled once, run many times. */
export type HotQuery<P, R> = {
  readonly name: string
  first(db: Queryable, parameters: P): Promise<R | undefined>
  all(db: Queryable, parameters: P): Promise<R[]>
  /** Runs a statement for its effect; answers how many rows it changed. */
  run(db: Queryable, parameters: P): Promise<number>
  /** Runs a statement for its effect, at the latest right before the commit. The rest of the body must not depend on it. */
  runByEnd(tx: Tx, parameters: P): Promise<void>
  /**
   * Runs a statement that must find or change exactly one row, at the latest right before the commit. If it does not, the
   * transaction comes to nothing, and is refused with what `isClaimLost` tells.
   */
  claimByEnd(tx: Tx, parameters: P): Promise<void>
}

/** Stands for a parameter while the query is built. */
class Mark {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Registered = { build: { toString(): string }; compile(kind: EngineKind): CompiledQuery }

const registry = new Map<string, Registered>()
const compilers = new Map<EngineKind, Db>()

function compilerFor(kind: EngineKind): Db {
  const compiler = compilers.get(kind) ?? compilerOf(kind)
  compilers.set(kind, compiler)
  return compiler
}

/**
 * Declares a query of a hot path: Kysely's work is done once, and the statement is kept prepared. A parameter stands for
 * one value each time; lists need a query of their own. The name appears in `docs/sql`, where the text is checked in.
 */
export function hotQuery<P extends Record<string, unknown>, R>(
  name: string,
  build: (db: Db, parameters: Params<P>) => Compilable<R>,
): HotQuery<P, R> {
  const compiled = new Map<EngineKind, CompiledQuery>()
  const claims = new Map<EngineKind, CompiledQuery>()
  const marks = new Proxy({}, { get: (_target, parameter) => new Mark(String(parameter)) }) as Params<P>
  const compile = (kind: EngineKind): CompiledQuery => {
    const known = compiled.get(kind) ?? build(compilerFor(kind), marks).compile()
    compiled.set(kind, known)
    return known
  }
  const compileClaim = (kind: EngineKind): CompiledQuery => {
    const known = claims.get(kind) ?? claiming(kind, compile(kind))
    claims.set(kind, known)
    return known
  }
  if ((registry.get(name)?.build ?? build).toString() !== build.toString()) {
    throw new Error(`Two hot queries are named ${name}`)
  }
  registry.set(name, { build, compile })
  const execute = (db: Queryable, parameters: P) => {
    const runner = runnerOf(db)
    return runner.execute<R>(fill(compile(runner.kind), parameters), true)
  }
  const first = async (db: Queryable, parameters: P): Promise<R | undefined> => {
    const runner = runnerOf(db)
    const query = fill(compile(runner.kind), parameters)
    return runner.first ? runner.first<R>(query) : (await runner.execute<R>(query, true)).rows[0]
  }
  return {
    name,
    first,
    all: async (db, parameters) => (await execute(db, parameters)).rows,
    run: async (db, parameters) => Number((await execute(db, parameters)).numAffectedRows ?? 0),
    runByEnd: async (tx, parameters) => {
      const session = sessionOf(tx)
      const query = fill(compile(session.kind), parameters)
      if (session.atEnd) session.atEnd(query)
      else await session.execute(query, true)
    },
    claimByEnd: async (tx, parameters) => {
      const session = sessionOf(tx)
      const query = fill(compileClaim(session.kind), parameters)
      if (session.atEnd) session.atEnd(query)
      else if ((await session.execute(query, true)).numAffectedRows !== 1n) throw claimLost()
    },
  }
}

function fill(query: CompiledQuery, values: Record<string, unknown>): CompiledQuery {
  const parameters = query.parameters.map((value) => (value instanceof Mark ? values[value.name] : value))
  return { query: query.query, queryId: query.queryId, sql: query.sql, parameters }
}

/** The SQL of every hot query that has been declared, for one engine, as it is checked in under `docs/sql`. */
export function renderHotQueries(kind: EngineKind): string {
  const texts = [...registry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, query]) => {
      const { sql, parameters } = query.compile(kind)
      const names = parameters.map((value) => (value instanceof Mark ? `:${value.name}` : JSON.stringify(value)))
      return `-- ${name}${names.length > 0 ? ` (${names.join(', ')})` : ''}\n${sql};\n`
    })
  return texts.join('\n')
}
