import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { type Answer, answerOf } from './trip.ts'

/** Sends one query over a connection. */
export async function send<R>(
  client: pg.ClientBase,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  name?: string,
): Promise<QueryResult<R>> {
  return resultOf(await answerOf(client, { text: sql, values: parameters, name }))
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** An answer in the shape that Kysely expects: only statements that change rows tell how many. */
export const resultOf = <R>({ command, count, rows }: Answer): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: changing.has(command) ? BigInt(count) : undefined,
})
