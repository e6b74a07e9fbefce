import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { bumpSql } from '../areas.ts'
import { noAnswer, outcomeUnknown, sqlState } from '../database-errors.ts'
import { recordOperationSql } from '../postgres/attempt.ts'
import { requireSchema } from '../postgres/schema.ts'
import { troubleOf } from '../postgres/trouble.ts'
import { versionChannel } from '../postgres/version-feed.ts'
import { raiseStatements } from './generations.ts'
import { connectForBulk, type PostgresTarget, postgresTables, replacementKey, toCallerError } from './postgres-bulk.ts'
import {
  epochOf,
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
  type LineRow,
  lineStatement,
  noteRevived,
  noteRevivedSince,
  type Revocation,
  revocationStatements,
  type TokenTable,
  tokenCounts,
  tokenTables,
} from './revived-tokens.ts'
import type { DatabaseNames, Statement } from './statement.ts'
import { endedTokens, quoted, type TableShape } from './table-shape.ts'

/** How long one try waits for those who use the tables. Everybody else waits behind it, so it is short. */
const lockTimeout = '400ms'
const tries = 60
const pause = 500

type Schemas = { readonly live: PostgresTarget; readonly scratch: PostgresTarget }

/**
 * Does beforehand what takes long: brings the rows of the scratch schema up to the restore, and notes the tokens that it
 * revives. Triggers on the tables in use note which end while that goes on; they go with these tables, or with the schema.
 */
export async function preparePostgres({ live, scratch }: Schemas, plan: ReplacementPlan): Promise<void> {
  const tables = await tablesOf(scratch)
  const client = await connectForBulk(live)
  try {
    const places = await placesOf(client, { live, scratch })
    for (const step of raiseStatements(places.scratch, tables, epochOf(plan))) await run(client, step)
    for (const sql of endedTokensStatements(places.scratch)) await client.query(sql)
    await client.query(`set lock_timeout = '${lockTimeout}'`)
    for (const table of tokenTables) await inTurn(() => client.query(noteEnded(places, table)))
    for (const table of tokenTables) {
      await run(client, noteRevived(places, table, { now: plan.now, into: places.scratch }))
    }
  } catch (thrown) {
    throw toCallerError(client, thrown)
  } finally {
    await client.end()
  }
}

const endedTokensStatements = (scratch: string): string[] => [
  `create table ${scratch}.${endedTokens} (kind text, id text)`,
  `create function ${scratch}.note_ended() returns trigger language plpgsql as
    $$ begin insert into ${scratch}.${endedTokens} values (tg_table_name, old.id); return null; end $$`,
]

/** The trigger has the name of the scratch schema, since there may be another restore. */
const noteEnded = ({ live, scratch }: DatabaseNames, table: TokenTable): string =>
  `create trigger ${scratch} after delete or update on ${live}.${table}
    for each row execute function ${scratch}.note_ended()`

const placesOf = async (client: pg.Client, { live, scratch }: Schemas): Promise<DatabaseNames> => ({
  live: quoted(await requireSchema(client, live.schema)),
  scratch: quoted(scratch.schema ?? ''),
})

/**
 * Replaces the tables of a schema by those of a prepared scratch schema, in one transaction that only moves names: others
 * see all of the old or all of the new, and wait for no longer than that takes.
 */
export async function replacePostgres({ live, scratch }: Schemas, plan: ReplacementPlan): Promise<Replacement> {
  const scratchTables = await tablesOf(scratch)
  const client = await connectForBulk(live)
  try {
    const parts = {
      live,
      scratch,
      scratchTables,
      plan,
      restored: await countEach(client, quoted(scratch.schema ?? ''), countRowsStatement),
    }
    return await inTurn(() => replaceOnce(client, parts))
  } finally {
    await client.end()
  }
}

/** Does work that others may hinder, until they do not. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (thrown) {
      if (!isContended(thrown)) throw thrown
      if (attempt >= tries) throw tooBusy(thrown)
    }
    await sleep(pause)
  }
}

async function replaceOnce(client: pg.Client, parts: Parts): Promise<Replacement> {
  let prepared: Replacement | undefined
  try {
    prepared = await moveTables(client, parts)
    await client.query('commit')
    return prepared
  } catch (thrown) {
    if (prepared && troubleOf(thrown) === 'lost') return await resolveLostCommit(parts, prepared, thrown)
    // Over a connection that is lost nothing can be rolled back, and nothing need be: the first error is reported.
    await client.query('rollback').catch(() => undefined)
    throw toCallerError(client, thrown)
  }
}

const isContended = (thrown: unknown): boolean => ['55P03', '40P01', '40001'].includes(sqlState(thrown) ?? '')

/** What a COMMIT without an answer came to: the keys of the node must be those of the data that is there now. */
async function resolveLostCommit(
  { live, plan: { operationId } }: Parts,
  prepared: Replacement,
  lost: unknown,
): Promise<Replacement> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    await sleep(pause)
    // A database that cannot be asked yet is asked again.
    const isMade = await isRecorded(live, operationId).catch(() => undefined)
    if (isMade === true) return prepared
    if (isMade === false) throw noAnswer(lost)
  }
  throw outcomeUnknown(lost)
}

/** True if a transaction with this operation id was committed. One that is still being committed is waited for. */
async function isRecorded(live: PostgresTarget, operationId: string): Promise<boolean> {
  const client = await connectForBulk(live)
  try {
    await client.query('begin')
    const { rowCount } = await client.query(recordOperationSql, [operationId])
    await client.query('rollback')
    return rowCount === 0
  } finally {
    await client.end()
  }
}

const tooBusy = (cause: unknown): Error =>
  failure(
    'unavailable',
    'archive.tables-in-use',
    'The tables are in use by others, perhaps by a snapshot; try again.',
    {
      cause,
      retryAfter: 5,
    },
  )

async function tablesOf(target: PostgresTarget): Promise<TableShape[]> {
  const client = await connectForBulk(target)
  try {
    return await postgresTables(client)
  } finally {
    await client.end()
  }
}

type Parts = Schemas & {
  readonly scratchTables: readonly TableShape[]
  readonly plan: ReplacementPlan
  readonly restored: Readonly<Record<TokenTable, number>>
}

/** Does all of it but the COMMIT. */
async function moveTables(client: pg.Client, { live, scratch, scratchTables, plan, restored }: Parts) {
  await client.query('begin')
  await client.query(recordOperationSql, [plan.operationId])
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  await client.query(`select pg_advisory_xact_lock(${replacementKey})`)
  const places = await placesOf(client, { live, scratch })
  const tables = pairTables(await postgresTables(client), scratchTables)
  const moved = [...tables.map(({ name }) => name), 'restored_tokens'].map(quoted)
  const names = moved.map((name) => `${places.live}.${name}`).join(', ')
  await client.query(`lock table ${names} in access exclusive mode`)
  const epoch = await bumpEverything(client, live.schema)
  requireNext(epoch, plan)
  for (const step of preparationStatements(places, tables, plan)) await run(client, step)
  for (const table of tokenTables) {
    const { scratch: own } = places
    await run(client, noteRevivedSince(places, table, { now: plan.now, into: own, noted: own }))
  }
  await client.query(`drop table ${names}`)
  for (const name of moved) await client.query(`alter table ${places.scratch}.${name} set schema ${places.live}`)
  const revocation = await revoke(client, places.live, plan)
  const revived = await countEach(client, places.live, countRevivedStatement)
  return { epoch, tokens: tokenCounts(restored, revived), ...(revocation && { revocation }) }
}

async function revoke(
  client: pg.Client,
  live: string,
  { revokeFor, seal, now }: ReplacementPlan,
): Promise<Revocation | undefined> {
  if (!revokeFor) return undefined
  const { rows } = await run(client, lineStatement(live, revokeFor, now))
  const revocation = judgeRevocation(revokeFor, (rows[0] ?? {}) as LineRow, seal === undefined)
  if (revocation.isDone) {
    for (const step of revocationStatements(live, revokeFor)) await run(client, step)
  }
  return revocation
}

async function run(client: pg.Client, { sql, values }: Statement): Promise<pg.QueryResult> {
  let mark = 0
  const text = sql.replaceAll('?', () => {
    mark += 1
    return `$${mark}`
  })
  return await client.query(text, [...values])
}

async function bumpEverything(client: pg.Client, schema: string | undefined): Promise<number> {
  const { rows } = await client.query<{ version: number }>(bumpSql('$1'), ['everything'])
  const version = Number(rows[0]?.version)
  await client.query('select pg_notify($1, $2)', [versionChannel(schema), `everything:${version}`])
  return version
}

/** Counts something for each kind of token. */
async function countEach(
  client: pg.Client,
  place: string,
  count: (place: string, table: TokenTable) => Statement,
): Promise<Record<TokenTable, number>> {
  const counts: Partial<Record<TokenTable, number>> = {}
  for (const table of tokenTables) counts[table] = Number((await run(client, count(place, table))).rows[0]?.count)
  return counts as Record<TokenTable, number>
}
