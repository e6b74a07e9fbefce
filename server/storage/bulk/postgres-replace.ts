import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import { bumpSql } from '../areas.ts'
import { noAnswer, outcomeUnknown, sqlState } from '../database-errors.ts'
import { recordOperationSql } from '../postgres/attempt.ts'
import { requireSchema } from '../postgres/schema.ts'
import { troubleOf } from '../postgres/trouble.ts'
import { versionChannel } from '../postgres/version-feed.ts'
import { connectForBulk, type PostgresTarget, postgresTables, replacementKey, toCallerError } from './postgres-bulk.ts'
import {
  pairTables,
  preparationStatements,
  type Replacement,
  type ReplacementPlan,
  requireNext,
} from './replacement.ts'
import {
  countRestoredStatement,
  judgeRevocation,
  type LineRow,
  lineStatement,
  type RestoredCounts,
  type Revocation,
  revocationStatements,
  type TokenTable,
  tokenTables,
} from './revived-tokens.ts'
import type { Statement } from './statement.ts'
import { quoted, type TableShape } from './table-shape.ts'

/** How long one try waits for those who use the tables. Everybody else waits behind it, so it is short. */
const lockTimeout = '2s'
const tries = 20
const pause = 500

/**
 * Replaces the tables of a schema by those of a scratch schema, in one transaction that only moves names: others see all
 * of the old or all of the new, and wait for no longer than that takes.
 */
export async function replacePostgres(
  live: PostgresTarget,
  scratch: PostgresTarget,
  plan: ReplacementPlan,
): Promise<Replacement> {
  const scratchTables = await tablesOf(scratch)
  const client = await connectForBulk(live)
  try {
    for (let attempt = 1; ; attempt++) {
      let prepared: Replacement | undefined
      try {
        prepared = await prepareOnce(client, { live, scratch, scratchTables, plan })
        await client.query('commit')
        return prepared
      } catch (thrown) {
        if (prepared && troubleOf(thrown) === 'lost') return await resolveLostCommit(live, plan, prepared, thrown)
        // Over a connection that is lost nothing can be rolled back, and nothing need be: the first error is reported.
        await client.query('rollback').catch(() => undefined)
        if (!isContended(thrown)) throw toCallerError(client, thrown)
        if (attempt >= tries) throw tooBusy(thrown)
      }
      await sleep(pause)
    }
  } finally {
    await client.end()
  }
}

const isContended = (thrown: unknown): boolean => ['55P03', '40P01', '40001'].includes(sqlState(thrown) ?? '')

/** What a COMMIT without an answer came to: the keys of the node must be those of the data that is there now. */
async function resolveLostCommit(
  live: PostgresTarget,
  { operationId }: ReplacementPlan,
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

type Parts = {
  live: PostgresTarget
  scratch: PostgresTarget
  scratchTables: readonly TableShape[]
  plan: ReplacementPlan
}

/** Does all of it but the COMMIT. */
async function prepareOnce(client: pg.Client, { live, scratch, scratchTables, plan }: Parts): Promise<Replacement> {
  await client.query('begin')
  await client.query(recordOperationSql, [plan.operationId])
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  await client.query(`select pg_advisory_xact_lock(${replacementKey})`)
  const places = {
    live: quoted(await requireSchema(client, live.schema)),
    scratch: quoted(scratch.schema ?? ''),
  }
  const tables = pairTables(await postgresTables(client), scratchTables)
  const names = tables.map((table) => `${places.live}.${quoted(table.name)}`).join(', ')
  await client.query(`lock table ${names} in access exclusive mode`)
  const epoch = await bumpEverything(client, live.schema)
  requireNext(epoch, plan)
  for (const step of preparationStatements(places, tables, plan, epoch)) await run(client, step)
  await client.query(`drop table ${names}`)
  for (const table of tables) {
    await client.query(`alter table ${places.scratch}.${quoted(table.name)} set schema ${places.live}`)
  }
  const revocation = await revoke(client, places.live, plan)
  const counted: [TokenTable, RestoredCounts][] = []
  for (const table of tokenTables) counted.push([table, await countRestored(client, places.live, table)])
  const tokens = Object.fromEntries(counted) as Record<TokenTable, RestoredCounts>
  return { epoch, tokens, ...(revocation && { revocation }) }
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

async function countRestored(client: pg.Client, live: string, table: TokenTable): Promise<RestoredCounts> {
  const { rows } = await run(client, countRestoredStatement(live, table))
  return { restored: Number(rows[0]?.restored), revived: Number(rows[0]?.revived) }
}
