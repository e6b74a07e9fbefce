import type { Compilable } from 'kysely'
import type { Db, Queryable } from './database.ts'

/** The parameters of a hot query, by name. */
export type Params<P extends Record<string, unknown>> = P

/** A query compiled once, run many times. */
export type HotQuery<P, R> = {
  readonly name: string
  first(db: Queryable, parameters: P): Promise<R | undefined>
  all(db: Queryable, parameters: P): Promise<R[]>
  /** Runs a statement that returns nothing; answers how many rows it changed. */
  run(db: Queryable, parameters: P): Promise<number>
}

/** Declares a query of a hot path. The name appears in `docs/sql`, where its text is checked in for both engines. */
export function hotQuery<P extends Record<string, unknown>, R>(
  _name: string,
  _build: (db: Db, parameters: Params<P>) => Compilable<R>,
): HotQuery<P, R> {
  throw new Error('not written yet')
}
