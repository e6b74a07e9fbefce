import { closeSync, existsSync, fsyncSync, openSync, realpathSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { bumpSql } from '../areas.ts'
import { isSqliteBusy } from '../database-errors.ts'
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
  noteRevivedSince,
  type Revocation,
  revocationStatements,
  type TokenTable,
  tokenCounts,
  tokenTables,
} from './revived-tokens.ts'
import { sqliteTables } from './sqlite-bulk.ts'
import { hasNoted, noteEnded } from './sqlite-ended-tokens.ts'
import { dropTriggers, replaceNames } from './sqlite-names.ts'
import type { DatabaseNames, Statement } from './statement.ts'
import { columnNames, isKeptTable, quoted, type TableShape } from './table-shape.ts'

/** How SQL calls the store and the scratch file. */
type Place = 'main' | 'scratch'

const databaseNames = { live: 'main', scratch: 'scratch' } as const
/** Milliseconds to wait for the writer that is at work; the caller has a thread of its own. */
const busyTimeout = 30_000
/** Milliseconds to wait until nobody else has the store open: everybody waits for that. */
const aloneTimeout = 200

/**
 * Brings the rows of a scratch file up to the restore, notes the tokens that it revives, and brings the file to the disk. The
 * store notes which tokens end from then on.
 */
export function prepareSqlite(live: string, scratch: string, plan: ReplacementPlan): void {
  const database = new DatabaseSync(scratch, { timeout: busyTimeout })
  try {
    for (const step of raiseStatements('main', sqliteTables(database), epochOf(plan))) run(database, step)
    noteEnded(live, plan)
    database.prepare('attach database ? as store').run(live)
    noteAllRevived(database, { live: 'store', scratch: 'main' }, { into: 'main', now: plan.now })
  } finally {
    database.close()
  }
  flush(scratch)
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Puts a scratch file in the place of that of a store, which takes the same time whatever they hold. Nobody else may have
 * the store open: else, or where files cannot take the place of each other, this changes nothing and returns undefined.
 *
 * What belongs to the installation is copied first, and the scratch file flushed. The log of the store is copied into its
 * file and removed, which only who is alone can do; so none is left that SQLite could take for that of the new file. Until
 * the rename a process that is killed leaves the old store, and afterwards the new one, each in a single file.
 */
export function swapSqlite(live: string, scratch: string, plan: ReplacementPlan): Replacement | undefined {
  const file = realpathSync(live)
  if (statSync(dirname(file)).dev !== statSync(scratch).dev) return undefined
  const scratchTables = tablesOf(scratch)
  const database = openAlone(file)
  if (!database) return undefined
  try {
    database.prepare('attach database ? as scratch').run(scratch)
    database.exec('pragma scratch.journal_mode = memory')
    // Everybody waits, and an index of all tokens made for one statement takes longer than any of them.
    database.exec('pragma automatic_index = off')
    database.exec('begin exclusive')
    // Somebody may have opened the store in between, who will find it locked from here on.
    if ([file, scratch].some((each) => existsSync(`${each}-wal`) || existsSync(`${each}-journal`))) return undefined
    const replacement = complete(database, pairTables(sqliteTables(database), scratchTables), plan)
    database.exec('commit')
    database.exec('detach database scratch')
    flush(scratch)
    flush(dirname(file))
    // Until it is closed, this connection keeps others from the old file.
    renameSync(scratch, file)
    flush(dirname(file))
    return replacement
  } finally {
    database.close()
  }
}

/** Opens a store without its log; undefined if somebody else has it open. */
function openAlone(file: string): DatabaseSync | undefined {
  const options = { enableForeignKeyConstraints: false, timeout: aloneTimeout }
  const database = new DatabaseSync(file, options)
  try {
    // In this order, SQLite removes what this wrote beside the file.
    if (database.prepare('pragma journal_mode = delete').get()?.journal_mode === 'delete') {
      database.exec('pragma main.locking_mode = exclusive')
      return database
    }
  } catch (thrown) {
    database.close()
    if (isSqliteBusy(thrown)) return undefined
    throw thrown
  }
  database.close()
  return undefined
}

/** Brings into a scratch file what a restore leaves as it is in the store, and does there what a restore does. */
function complete(database: DatabaseSync, tables: readonly TableShape[], plan: ReplacementPlan): Replacement {
  const kept = { from: 'main', into: 'scratch', isSame: false } as const
  for (const table of sqliteTables(database, isKeptTable)) replaceTable(database, table, kept)
  const epoch = bumpEverything(database, 'scratch', plan)
  for (const step of preparationStatements(databaseNames, tables, plan, 'scratch')) run(database, step)
  if (hasNoted(database, plan)) noteEndedSince(database, plan)
  else noteAllRevived(database, databaseNames, { into: 'scratch', now: plan.now })
  return { epoch, ...endTokens(database, 'scratch', plan) }
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
  const epoch = bumpEverything(database, 'main', plan)
  for (const step of preparationStatements(databaseNames, tables, plan)) run(database, step)
  noteAllRevived(database, databaseNames, { into: 'main', now: plan.now })
  const makeTriggers = dropTriggers(database)
  for (const table of tables) {
    const isSame = isSameOrder(
      table,
      scratchTables.find(({ name }) => name === table.name),
    )
    replaceTable(database, table, { from: 'scratch', into: 'main', isSame })
    if (table.name === 'workspaces') replaceNames(database, isSame)
  }
  makeTriggers()
  return { epoch, ...endTokens(database, 'main', plan) }
}

function bumpEverything(database: DatabaseSync, into: Place, plan: ReplacementPlan): number {
  const bump = bumpSql('?').replace('versions', `${into}.versions`)
  const epoch = Number(database.prepare(bump).get('everything')?.version)
  requireNext(epoch, plan)
  return epoch
}

/** Compares all tokens, which takes the longer the more there are. */
function noteAllRevived(
  database: DatabaseSync,
  names: DatabaseNames,
  { into, now }: { readonly into: string; readonly now: number },
): void {
  database.exec(`delete from ${into}.restored_tokens`)
  for (const table of tokenTables) run(database, noteRevived(names, table, { now, into }))
}

/** Compares those that have ended since all were compared. */
function noteEndedSince(database: DatabaseSync, { now }: ReplacementPlan): void {
  const places = { into: 'scratch', noted: 'main' }
  for (const table of tokenTables) run(database, noteRevivedSince(databaseNames, table, { now, ...places }))
}

/** Revokes what was asked for among the restored tokens, and counts them. */
function endTokens(database: DatabaseSync, place: Place, plan: ReplacementPlan): Omit<Replacement, 'epoch'> {
  const revocation = revoke(database, place, plan)
  const counts = (count: typeof countRowsStatement) => countEach(database, place, count)
  const tokens = tokenCounts(counts(countRowsStatement), counts(countRevivedStatement))
  return { tokens, ...(revocation && { revocation }) }
}

function revoke(
  database: DatabaseSync,
  place: Place,
  { revokeFor, seal, now }: ReplacementPlan,
): Revocation | undefined {
  if (!revokeFor) return undefined
  const { sql, values } = lineStatement(place, revokeFor, now)
  const row = database.prepare(sql).get(...(values as SQLInputValue[]))
  const revocation = judgeRevocation(revokeFor, row ?? {}, seal === undefined)
  if (revocation.isDone) {
    for (const step of revocationStatements(place, revokeFor)) run(database, step)
  }
  return revocation
}

const run = (database: DatabaseSync, { sql, values }: Statement) =>
  database.prepare(sql).run(...(values as SQLInputValue[]))

/** How the rows of a table come from one database into the other; `isSame` where the columns have the same order. */
type Move = { readonly from: Place; readonly into: Place; readonly isSame: boolean }

/** SQLite copies whole pages, indexes included, when the statement has exactly this form and the table is empty. */
function replaceTable(database: DatabaseSync, table: TableShape, { from, into, isSame }: Move): void {
  const name = quoted(table.name)
  const columns = columnNames(table)
  database.exec(`delete from ${into}.${name}`)
  if (isSame) database.exec(`insert into ${into}.${name} select * from ${from}.${name}`)
  else database.exec(`insert into ${into}.${name} (${columns}) select ${columns} from ${from}.${name}`)
}

/** Counts something for each kind of token. */
function countEach(
  database: DatabaseSync,
  place: Place,
  count: (place: string, table: TokenTable) => Statement,
): Record<TokenTable, number> {
  const counts = tokenTables.map((table) => [table, Number(database.prepare(count(place, table).sql).get()?.count)])
  return Object.fromEntries(counts) as Record<TokenTable, number>
}
