import { type Instant, instant } from '../kernel/clock.ts'
import type { Queryable, Tx } from '../storage/open.ts'
import { bumpVersion } from '../storage/versions.ts'

/** A piece of background work: when it runs next, who holds it, and how it went. */
interface JobRow {
  kind: string
  key: string
  next_run_at: number
  /** Milliseconds between runs; null for work that runs once, or that says itself when to run again. */
  every_ms: number | null
  payload: string
  /** Grows whenever the schedule is written, so that a run in progress does not undo it. */
  revision: number
  owner: string | null
  lease_until: number
  lease_ms: number
  fence: number
  attempts: number
  last_started_at: number | null
  last_finished_at: number | null
  last_ok_at: number | null
  last_error: string | null
}

/** Who leads background work, and the source of fencing numbers. */
interface LeaseRow {
  name: string
  owner: string | null
  node: string
  address: string
  lease_until: number
  since: number
  fence: number
}

declare module '../storage/tables.ts' {
  interface DescribedTables {
    jobs: JobRow
    leases: LeaseRow
  }
}

/** Work scheduled for a time: the job's name, and what it is about. */
type ScheduledJob = {
  /** The name of the job that runs it. */
  kind: string
  /** What it is about; one row for each kind and key. */
  key: string
  nextRunAt: Instant
  /** Repeats at this interval in milliseconds; once when absent. */
  every?: number
  payload?: unknown
}

/** The status of a piece of work. */
export type JobState = {
  nextRunAt: Instant
  every: number | null
  /** Tries that failed in a row. */
  attempts: number
  isRunning: boolean
  lastStartedAt: Instant | null
  lastFinishedAt: Instant | null
  lastOkAt: Instant | null
  lastError: string | null
}

/** The node that leads background work. */
type Leader = { node: string; address: string; since: Instant; until: Instant }

/** Asks for work at a time, in place of what was asked before for the same kind and key. */
export async function scheduleJob(tx: Tx, job: ScheduledJob): Promise<void> {
  const schedule = {
    next_run_at: job.nextRunAt,
    every_ms: job.every ?? null,
    payload: JSON.stringify(job.payload ?? null),
    attempts: 0,
  }
  await tx
    .insertInto('jobs')
    .values({ kind: job.kind, key: job.key, ...schedule, revision: 0, lease_until: 0, lease_ms: 0, fence: 0 })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({ ...schedule, revision: eb('jobs.revision', '+', 1) })),
    )
    .execute()
  bumpVersion(tx, 'jobs')
}

/** Withdraws work; a run in progress loses its lease. False when there was none. */
export async function cancelJob(tx: Tx, kind: string, key: string): Promise<boolean> {
  const result = await tx.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).executeTakeFirst()
  bumpVersion(tx, 'jobs')
  return result.numDeletedRows === 1n
}

/** Makes work due at once, leaving its interval and payload alone. False when there is none. */
export async function runJobNow(tx: Tx, kind: string, key: string): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set((eb) => ({ next_run_at: 0, attempts: 0, revision: eb('revision', '+', 1) }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  bumpVersion(tx, 'jobs')
  return result.numUpdatedRows === 1n
}

/** Says that this run does what `runJobNow` has asked for since it began, so that no other run follows for it. */
export async function takeOnRequest(
  tx: Tx,
  run: { kind: string; key: string; fence: number; revision: number },
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ revision: run.revision })
    .where('kind', '=', run.kind)
    .where('key', '=', run.key)
    .where('fence', '=', run.fence)
    .where('next_run_at', '=', 0)
    .where('revision', '=', run.revision + 1)
    .execute()
}

/**
 * Makes work due at a time if it is due later, leaving its interval and payload alone. If it runs now, that is when it
 * runs again.
 */
export async function bringJobForward(
  tx: Tx,
  { kind, key, nextRunAt }: Pick<ScheduledJob, 'kind' | 'key' | 'nextRunAt'>,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set((eb) => ({ next_run_at: nextRunAt, attempts: 0, revision: eb('revision', '+', 1) }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where((eb) => eb.or([eb('next_run_at', '>', nextRunAt), eb('lease_until', '>', now)]))
    .execute()
  bumpVersion(tx, 'jobs')
}

/**
 * True if no later run of the job has begun. The row is written, not just read, so that nobody takes the job over until
 * the transaction with the effect has ended.
 */
export async function isFenceCurrent(tx: Tx, run: { kind: string; key: string; fence: number }): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ fence: run.fence })
    .where('kind', '=', run.kind)
    .where('key', '=', run.key)
    .where('fence', '=', run.fence)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The status of a piece of work; undefined when it was never asked for, or ran once and is done. */
export async function loadJob(db: Queryable, kind: string, key: string, now: Instant): Promise<JobState | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('kind', '=', kind).where('key', '=', key).executeTakeFirst()
  if (!row) return undefined
  return {
    nextRunAt: instant(row.next_run_at),
    every: row.every_ms,
    attempts: row.attempts,
    isRunning: row.lease_until > now,
    lastStartedAt: toInstant(row.last_started_at),
    lastFinishedAt: toInstant(row.last_finished_at),
    lastOkAt: toInstant(row.last_ok_at),
    lastError: row.last_error,
  }
}

/** What a piece of work was asked for with; undefined when it is not asked for. */
export async function loadPayload(db: Queryable, kind: string, key: string): Promise<unknown> {
  const query = db.selectFrom('jobs').select('payload').where('kind', '=', kind).where('key', '=', key)
  const row = await query.executeTakeFirst()
  return row && JSON.parse(row.payload)
}

/** What work of a kind is asked for, when it runs next and how often, by key. */
export async function loadJobTimes(
  db: Queryable,
  kind: string,
): Promise<Map<string, Pick<JobState, 'nextRunAt' | 'every'>>> {
  const rows = await db.selectFrom('jobs').select(['key', 'next_run_at', 'every_ms']).where('kind', '=', kind).execute()
  return new Map(rows.map((row) => [row.key, { nextRunAt: instant(row.next_run_at), every: row.every_ms }]))
}

/** The node that leads background work now, if there is one. */
export async function currentLeader(db: Queryable, now: Instant): Promise<Leader | undefined> {
  const row = await db
    .selectFrom('leases')
    .selectAll()
    .where('name', '=', 'leader')
    .where('lease_until', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  return { node: row.node, address: row.address, since: instant(row.since), until: instant(row.lease_until) }
}

const toInstant = (value: number | null): Instant | null => (value === null ? null : instant(value))
