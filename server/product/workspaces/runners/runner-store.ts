import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { type AgentStatus, agentStatus, type Runner } from './runner.ts'

/** A runner: a program that executes runs. */
interface RunnerRow {
  id: string
  pool_id: string | null
  name: string
  version: string
  os: string
  arch: string
  layer: string
  isolation: string
  tools: string
  capabilities: string
  labels: string
  work_root: string | null
  max_jobs: number
  ip_address: string
  signed_in_by: string
  token_id: string | null
  status: string
  faults: number
  created_at: number
  last_seen_at: number
}

/** What a runner shows instead of the token that it registered with; stored as a keyed hash. */
interface RunnerSessionRow {
  hash: string
  runner_id: string
  created_at: number
  expires_at: number
  ended_at: number | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    runners: RunnerRow
    runner_sessions: RunnerSessionRow
  }
}

const toRunner = (row: RunnerRow): Runner => ({
  id: row.id,
  poolId: row.pool_id,
  name: row.name,
  version: row.version,
  os: row.os,
  arch: row.arch,
  layer: row.layer,
  isolation: JSON.parse(row.isolation) as Runner['isolation'],
  tools: JSON.parse(row.tools) as Runner['tools'],
  capabilities: JSON.parse(row.capabilities) as string[],
  labels: JSON.parse(row.labels) as Record<string, string>,
  workRoot: row.work_root,
  maxJobs: row.max_jobs,
  ipAddress: row.ip_address,
  signedInBy: row.signed_in_by as Runner['signedInBy'],
  tokenId: row.token_id,
  status: row.status as Runner['status'],
  faults: row.faults,
  createdAt: row.created_at as Instant,
  lastSeenAt: row.last_seen_at as Instant,
})

const toRow = (runner: Runner): RunnerRow => ({
  id: runner.id,
  pool_id: runner.poolId,
  name: runner.name,
  version: runner.version,
  os: runner.os,
  arch: runner.arch,
  layer: runner.layer,
  isolation: JSON.stringify(runner.isolation),
  tools: JSON.stringify(runner.tools),
  capabilities: JSON.stringify(runner.capabilities),
  labels: JSON.stringify(runner.labels),
  work_root: runner.workRoot,
  max_jobs: runner.maxJobs,
  ip_address: runner.ipAddress,
  signed_in_by: runner.signedInBy,
  token_id: runner.tokenId,
  status: runner.status,
  faults: runner.faults,
  created_at: runner.createdAt,
  last_seen_at: runner.lastSeenAt,
})

/** Stores a runner that has registered, for the first time or again. */
export async function putRunner(tx: Tx, runner: Runner): Promise<void> {
  const { id, created_at: _, ...columns } = toRow(runner)
  await tx
    .insertInto('runners')
    .values(toRow(runner))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

/** The runner with this id. */
export async function loadRunner(db: Queryable, id: string): Promise<Runner | undefined> {
  const row = await db.selectFrom('runners').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRunner(row)
}

/** The same, and no other claim of it is under way until the transaction ends. */
export async function lockRunner(tx: Tx, id: string): Promise<Runner | undefined> {
  const row = await tx.selectFrom('runners').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toRunner(row)
}

/** A runner has given a sign of life. */
export async function noteSeen(db: Queryable, id: string, at: Instant): Promise<void> {
  await db.updateTable('runners').set({ last_seen_at: at, status: 'online' }).where('id', '=', id).execute()
}

/** Notes what has become of a runner. */
export async function setRunnerStatus(
  db: Queryable,
  id: string,
  { status, faults }: Pick<Runner, 'status' | 'faults'>,
): Promise<void> {
  await db.updateTable('runners').set({ status, faults }).where('id', '=', id).execute()
}

/** Which runners are asked for. */
export type RunnerRange = {
  readonly poolId: string
  readonly seenSince?: Instant | undefined
  readonly offset: number
  readonly limit: number
}

/** A page of the runners of a pool, by name, and how many there are. */
export async function listRunners(
  db: Queryable,
  { poolId, seenSince, offset, limit }: RunnerRange,
): Promise<{ runners: Runner[]; total: number }> {
  const since = seenSince ?? (0 as Instant)
  const all = db.selectFrom('runners').where('pool_id', '=', poolId).where('last_seen_at', '>=', since)
  const rows = await all.selectAll().orderBy('name').orderBy('id').offset(offset).limit(limit).execute()
  const counted = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  return { runners: rows.map(toRunner), total: Number(counted?.total ?? 0) }
}

/** Removes a runner with its sessions. */
export async function deleteRunner(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('runners').where('id', '=', id).execute()
}

/** Removes runners that were last seen before this time, and sessions that prove nothing any more. */
export async function deleteForgotten(tx: Tx, seenBefore: Instant, endedBefore: Instant): Promise<number> {
  await tx.deleteFrom('runner_sessions').where('expires_at', '<', endedBefore).execute()
  const result = await tx.deleteFrom('runners').where('last_seen_at', '<', seenBefore).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Begins a session; those before end, and still prove for a while who their runner was. */
export async function replaceSession(
  tx: Tx,
  { hash, runnerId, at, until }: { readonly hash: string; runnerId: string; at: Instant; until: Instant },
): Promise<void> {
  await endSessions(tx, runnerId, at)
  await tx
    .insertInto('runner_sessions')
    .values({ hash, runner_id: runnerId, created_at: at, expires_at: until, ended_at: null })
    .execute()
}

/** Ends the sessions of a runner. */
export async function endSessions(tx: Tx, runnerId: string, at: Instant): Promise<void> {
  await tx
    .updateTable('runner_sessions')
    .set({ ended_at: at })
    .where('runner_id', '=', runnerId)
    .where('ended_at', 'is', null)
    .execute()
}

/** The runner of a session, when the session ends, and whether the token that it began with still works. */
export type FoundSession = {
  readonly runner: Runner
  readonly endedAt: Instant | null
  readonly expiresAt: Instant
  readonly isTokenGone: boolean
}

/** The session with this hash. */
export async function findSession(db: Queryable, hash: string, now: Instant): Promise<FoundSession | undefined> {
  const row = await db
    .selectFrom('runner_sessions as session')
    .innerJoin('runners', 'runners.id', 'session.runner_id')
    .leftJoin('api_tokens as token', 'token.id', 'runners.token_id')
    .selectAll('runners')
    .select(['session.ended_at', 'session.expires_at', 'token.id as found', 'token.expires_at as token_expires_at'])
    .where('session.hash', '=', hash)
    .executeTakeFirst()
  if (!row) return undefined
  const isExpired = row.token_expires_at !== null && row.token_expires_at <= now
  return {
    runner: toRunner(row),
    endedAt: row.ended_at as Instant | null,
    expiresAt: row.expires_at as Instant,
    isTokenGone: row.token_id !== null && (row.found === null || isExpired),
  }
}

/** True if a runner is gone, or the token that it registered with works no more. */
export async function isTokenGone(db: Queryable, runnerId: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('runners')
    .leftJoin('api_tokens as token', 'token.id', 'runners.token_id')
    .select(['runners.token_id', 'token.id as found', 'token.expires_at'])
    .where('runners.id', '=', runnerId)
    .executeTakeFirst()
  if (!row) return true
  return row.token_id !== null && (row.found === null || (row.expires_at !== null && row.expires_at <= now))
}

/** How many runners appear in which way. */
export async function countRunners(db: Queryable, now: Instant): Promise<ReadonlyMap<AgentStatus, number>> {
  const rows = await db
    .selectFrom('runners')
    .leftJoin('run_jobs as job', (join) =>
      join.onRef('job.runner_id', '=', 'runners.id').on('job.ended_at', 'is', null),
    )
    .groupBy(['runners.id', 'runners.status', 'runners.last_seen_at'])
    .select(['runners.status', 'runners.last_seen_at'])
    .select(({ fn }) => fn.count<number>('job.id').as('jobs'))
    .execute()
  const counted = new Map<AgentStatus, number>()
  for (const row of rows) {
    const runner = { status: row.status as Runner['status'], lastSeenAt: row.last_seen_at as Instant }
    const status = agentStatus(runner, Number(row.jobs), now)
    counted.set(status, (counted.get(status) ?? 0) + 1)
  }
  return counted
}
