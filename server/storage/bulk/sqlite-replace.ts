import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { bumpSql } from '../areas.ts'
import { raiseStatements } from './generations.ts'
import {
  epochOf,
  isSameOrder,
  pairTables,
  preparationStatements,
  type Replacement,
  type ReplacementPlan,
  requireNext,
} from './replacement.ts'
import {
  countRevivedStatement,
  countRowsStatement,
  judgeRevocation,
  lineStatement,
  noteRevived,
  type Revocation,
  revocationStatements,
  type TokenTable,
  tokenCounts,
  tokenTables,
} from './revived-tokens.ts'
import { sqliteTables } from './sqlite-bulk.ts'
import { dropTriggers, replaceNames } from './sqlite-names.ts'
import type { Statement } from './statement.ts'
import { columnNames, quoted, type TableShape } from './table-shape.ts'

const databaseNames = { live: 'main', scratch: 'scratch' } as const
/** Milliseconds to wait for the writer that is at work; the caller has a thread of its own. */
const busyTimeout = 30_000

/** Brings the rows of a scratch file up to the restore. */
export function prepareSqlite(scratch: string, plan: ReplacementPlan): void {
  const database = new DatabaseSync(scratch)
  try {
    for (const step of raiseStatements(databaseNames.live, sqliteTables(database), epochOf(plan))) run(database, step)
  } finally {
    database.close()
  }
}

/**
 * Replaces the tables of a store by those of a scratch file, in one transaction: readers see all of the old or all of the
 * new, and a process that is killed on the way leaves the old. It blocks: use a thread of its own.
 */
export function replaceSqlite(live: string, scratch: string, plan: ReplacementPlan): Replacement {
  // References were checked in the scratch file; here they would only be in the way of the order of tables.
  const options = { enableForeignKeyConstraints: false, timeout: busyTimeout, defensive: false }
  const database = new DatabaseSync(live, options)
  try {
    const scratchTables = tablesOf(scratch)
    database.exec('pragma synchronous = full')
    database.prepare('attach database ? as scratch').run(scratch)
    database.exec('begin immediate')
    const replacement = replace(database, pairTables(sqliteTables(database), scratchTables), scratchTables, plan)
    database.exec('commit')
    checkpoint(database)
    return replacement
  } finally {
    database.close()
  }
}

/** Everything is replaced by now. If the disk has no room for this, the log of writes stays longer, and that is all. */
function checkpoint(database: DatabaseSync): void {
  try {
    database.exec('pragma wal_checkpoint(passive)')
  } catch {
    // The checkpointer of the server tries again.
  }
}

function tablesOf(file: string): TableShape[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return sqliteTables(database)
  } finally {
    database.close()
  }
}

function replace(
  database: DatabaseSync,
  tables: readonly TableShape[],
  scratchTables: readonly TableShape[],
  plan: ReplacementPlan,
): Replacement {
  const epoch = Number(database.prepare(bumpSql('?')).get('everything')?.version)
  requireNext(epoch, plan)
  for (const step of preparationStatements(databaseNames, tables, plan)) run(database, step)
  database.exec('delete from main.restored_tokens')
  for (const table of tokenTables) {
    run(database, noteRevived(databaseNames, table, { now: plan.now, into: databaseNames.live }))
  }
  const makeTriggers = dropTriggers(database)
  for (const table of tables) {
    const isSame = isSameOrder(
      table,
      scratchTables.find(({ name }) => name === table.name),
    )
    replaceTable(database, table, isSame)
    if (table.name === 'workspaces') replaceNames(database, isSame)
  }
  makeTriggers()
  const revocation = revoke(database, plan)
  const tokens = tokenCounts(countEach(database, countRowsStatement), countEach(database, countRevivedStatement))
  return { epoch, tokens, ...(revocation && { revocation }) }
}

function revoke(database: DatabaseSync, { revokeFor, seal, now }: ReplacementPlan): Revocation | undefined {
  if (!revokeFor) return undefined
  const { live } = databaseNames
  const { sql, values } = lineStatement(live, revokeFor, now)
  const row = database.prepare(sql).get(...(values as SQLInputValue[]))
  const revocation = judgeRevocation(revokeFor, row ?? {}, seal === undefined)
  if (revocation.isDone) {
    for (const step of revocationStatements(live, revokeFor)) run(database, step)
  }
  return revocation
}

const run = (database: DatabaseSync, { sql, values }: Statement) =>
  database.prepare(sql).run(...(values as SQLInputValue[]))

/** SQLite copies whole pages, indexes included, when the statement has exactly this form and the table is empty. */
function replaceTable(database: DatabaseSync, table: TableShape, isSame: boolean): void {
  const name = quoted(table.name)
  const columns = columnNames(table)
  database.exec(`delete from main.${name}`)
  if (isSame) database.exec(`insert into main.${name} select * from scratch.${name}`)
  else database.exec(`insert into main.${name} (${columns}) select ${columns} from scratch.${name}`)
}

/** Counts something for each kind of token. */
function countEach(
  database: DatabaseSync,
  count: (place: string, table: TokenTable) => Statement,
): Record<TokenTable, number> {
  const counts = tokenTables.map((table) => [table, Number(database.prepare(count('main', table).sql).get()?.count)])
  return Object.fromEntries(counts) as Record<TokenTable, number>
}
