import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { type Answer, runStatement } from './batch.ts'

/** Sends one query over a connection. */
export async function runQuery<R>(
  client: pg.ClientBase,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  name?: string,
): Promise<QueryResult<R>> {
  return resultOf(await runStatement(client, { text: sql, values: parameters, name }))
}

const changingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** An answer in the shape that Kysely expects: only statements that change rows say how many. */
export const resultOf = <R>({ command, count, rows }: Answer): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: changingCommands.has(command) ? BigInt(count) : undefined,
})
