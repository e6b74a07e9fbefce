import { DatabaseSync } from 'node:sqlite'
import type { Db } from '../database.ts'
import type { ReplacementPlan } from './replacement.ts'
import { tokenTables } from './revived-tokens.ts'
import { endedTokens } from './table-shape.ts'

/** Names one restore: who finds its row in the note knows that the note was not begun anew since. */
type Named = Pick<ReplacementPlan, 'operationId'>

/** What ends a token: its row goes, or says so. */
const triggers = tokenTables.flatMap((table) =>
  ['delete', 'update'].map((event) => ({ name: `${endedTokens}_${table}_${event}`, table, event })),
)

/** Milliseconds to wait for the writer that is at work; the caller has a thread of its own. */
const busyTimeout = 30_000

/**
 * Begins to note in a store which tokens end: triggers do, whoever writes. Several restores may note in the same table, since
 * it does no harm to find more in it. The note goes with the file, or with `forgetEnded`.
 */
export function noteEnded(live: string, { operationId }: Named): void {
  const database = new DatabaseSync(live, { timeout: busyTimeout })
  try {
    database.exec('begin immediate')
    database.exec(`create table if not exists ${endedTokens} (kind text, id text)`)
    for (const { name, table, event } of triggers) {
      const note = `insert into ${endedTokens} values ('${table}', old.id)`
      database.exec(`create trigger if not exists ${name} after ${event} on ${table} begin ${note}; end`)
    }
    database.prepare(`insert into ${endedTokens} values ('restore', ?)`).run(operationId)
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** True if all tokens have been noted that ended in the store since `noteEnded`. */
export function hasNoted(database: DatabaseSync, { operationId }: Named): boolean {
  const isThere = database.prepare('select 1 from main.sqlite_schema where name = ?').get(endedTokens)
  if (!isThere) return false
  return (
    database.prepare(`select 1 from main.${endedTokens} where kind = 'restore' and id = ?`).get(operationId) !==
    undefined
  )
}

/** Ends the note, if there is one; returns how many there were. A restore that relies on it compares all tokens instead. */
export async function forgetEnded(db: Db): Promise<number> {
  // Threads that do not forget have no use for the query builder.
  const { sql } = await import('kysely')
  const isThere = sql`select 1 from sqlite_schema where name = ${endedTokens}`
  if ((await isThere.execute(db)).rows.length === 0) return 0
  for (const { name } of triggers) await sql`drop trigger if exists ${sql.id(name)}`.execute(db)
  await sql`drop table if exists ${sql.id(endedTokens)}`.execute(db)
  return 1
}
