import type { ExpressionBuilder } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Db, Queryable, Tx } from '../../storage/open.ts'
import type { DescribedTables } from '../../storage/tables.ts'
import { inTransaction } from '../../storage/transaction.ts'

/** A job that this process holds, until the lease ends. */
export type HeldJob = {
  kind: string
  key: string
  owner: string
  fence: number
  revision: number
  attempts: number
  every: number | null
  payload: unknown
}

/** Who wants a job, and for how long. `now` is the database's time; an old reading only makes the condition stricter. */
type Taker = { kinds: readonly string[]; owner: string; now: Instant; leaseOf: (kind: string) => number }

/** How a run ended. */
type RunEnding = {
  now: Instant
  nextRunAt: Instant | undefined
  error: string | undefined
  /** True if the run was told to stop before its end: that says nothing about the work, neither good nor bad. */
  interrupted?: boolean
}

/** Adds a repeating job that is not there yet, and follows a changed interval. */
export async function ensureRepeating(db: Queryable, kind: string, every: number, firstRunAt: Instant): Promise<void> {
  const fresh = { revision: 0, lease_until: 0, lease_ms: 0, fence: 0, attempts: 0, payload: 'null' }
  await db
    .insertInto('jobs')
    .values({ kind, key: '', next_run_at: firstRunAt, every_ms: every, ...fresh })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ every_ms: every }))
    .execute()
}

/**
 * Takes the job that is due longest. Taking is one update that holds only while the job is due and free, so of several
 * nodes one succeeds; its fencing number exceeds all that were given out before.
 */
export async function takeJob(db: Db, taker: Taker): Promise<HeldJob | undefined> {
  const found = await db
    .selectFrom('jobs')
    .select(['kind', 'key'])
    .where('next_run_at', '<=', taker.now)
    .where('lease_until', '<=', taker.now)
    .where('kind', 'in', taker.kinds)
    .orderBy('next_run_at')
    .limit(1)
    .executeTakeFirst()
  if (!found) return undefined
  return await inTransaction(db, async (tx) => await takeOne(tx, found, taker))
}

async function takeOne(
  tx: Tx,
  { kind, key }: { kind: string; key: string },
  taker: Taker,
): Promise<HeldJob | undefined> {
  const fence = await nextFence(tx)
  const lease = taker.leaseOf(kind)
  const row = await tx
    .updateTable('jobs')
    .set({ owner: taker.owner, fence, lease_ms: lease, lease_until: taker.now + lease, last_started_at: taker.now })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('next_run_at', '<=', taker.now)
    .where('lease_until', '<=', taker.now)
    .returning(['revision', 'attempts', 'every_ms', 'payload'])
    .executeTakeFirst()
  if (!row) return undefined
  const { revision, attempts, every_ms: every } = row
  return { kind, key, owner: taker.owner, fence, revision, attempts, every, payload: JSON.parse(row.payload) }
}

/** Fencing numbers come from one row, so they grow across jobs and outlive a job that is withdrawn and asked for again. */
async function nextFence(tx: Tx): Promise<number> {
  const { fence } = await tx
    .insertInto('leases')
    .values({ name: 'fences', node: '', address: '', lease_until: 0, since: 0, fence: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ fence: eb('leases.fence', '+', 1) })))
    .returning('fence')
    .executeTakeFirstOrThrow()
  return fence
}

/** Extends the lease; false when the job has been taken over or withdrawn. */
export async function renewJob(db: Db, job: HeldJob, until: Instant): Promise<boolean> {
  const result = await db
    .updateTable('jobs')
    .set({ lease_until: until })
    .where('kind', '=', job.kind)
    .where('key', '=', job.key)
    .where('owner', '=', job.owner)
    .where('fence', '=', job.fence)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Ends a run and frees the job; false when the run is stale, and then nothing is changed. Work without a next time is
 * done and its row goes, unless it was asked for again in the meantime.
 */
export async function finishJob(db: Db, job: HeldJob, ending: RunEnding): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const mine = { kind: job.kind, key: job.key, owner: job.owner, fence: job.fence }
    if (ending.nextRunAt === undefined) {
      const removed = await tx
        .deleteFrom('jobs')
        .where((eb) => eb.and({ ...mine, revision: job.revision }))
        .executeTakeFirst()
      if (removed.numDeletedRows === 1n) return true
    }
    const next = ending.nextRunAt ?? ending.now
    const updated = await tx
      .updateTable('jobs')
      .set((eb) => ({
        owner: null,
        lease_until: 0,
        last_finished_at: ending.now,
        ...(ending.interrupted ? {} : outcomeOf(job, ending)),
        // Without `val` the time would be part of the statement's text, and a connection would keep one for every run.
        next_run_at: eb.case().when('revision', '=', job.revision).then(eb.val(next)).else(eb.ref('next_run_at')).end(),
      }))
      .where((eb) => eb.and(mine))
      .executeTakeFirst()
    return updated.numUpdatedRows === 1n
  })
}

const outcomeOf = ({ attempts }: HeldJob, { now, error }: RunEnding) =>
  error === undefined
    ? { attempts: 0, last_error: null, last_ok_at: now }
    : { attempts: attempts + 1, last_error: error }

/** What there is to know about all jobs of a kind; `lastOkAt` is null while none has succeeded. */
type JobFigures = { kind: string; due: number; failing: number; lastOkAt: Instant | null }

/** Counts the jobs of each of these kinds. */
export async function loadJobFigures(db: Queryable, kinds: readonly string[], now: Instant): Promise<JobFigures[]> {
  return await db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'kind',
      fn.countAll<number>().filterWhere('next_run_at', '<=', now).filterWhere('lease_until', '<=', now).as('due'),
      fn.countAll<number>().filterWhere('attempts', '>', 0).as('failing'),
      fn.max<Instant | null>('last_ok_at').as('lastOkAt'),
    ])
    .where('kind', 'in', kinds)
    .groupBy('kind')
    .execute()
}

/** Who holds work or the lead now. */
export async function loadHolders(db: Queryable, now: Instant): Promise<string[]> {
  const jobs = await db.selectFrom('jobs').select('owner').distinct().where('lease_until', '>', now).execute()
  const leases = await db.selectFrom('leases').select('owner').distinct().where('lease_until', '>', now).execute()
  return [...new Set([...jobs, ...leases].flatMap(({ owner }) => (owner === null ? [] : [owner])))]
}

/** Ends every lease of a holder: what it held is free at once, and none of its effects counts any more. */
export async function releaseLeasesOf(db: Db, owner: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const free = { owner: null, lease_until: 0 }
    await tx.updateTable('jobs').set(free).where('owner', '=', owner).execute()
    await tx.updateTable('leases').set(free).where('owner', '=', owner).execute()
  })
}

/**
 * Brings times back that a jump of the clock left further ahead than they can be: otherwise a job would rest, or be held
 * by nobody, until that time comes. `slack` is the longest wait beyond an interval.
 */
export async function repairTimes(db: Db, now: Instant, slack: number): Promise<boolean> {
  const wrong = await db
    .selectFrom('jobs')
    .select('kind')
    .where((eb) => eb.or([isRestingTooLong(eb, now + slack), isHeldTooLong(eb, now)]))
    .limit(1)
    .executeTakeFirst()
  if (!wrong) return false
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('jobs')
      .set((eb) => ({ next_run_at: eb(eb.ref('every_ms').$notNull(), '+', now) }))
      .where((eb) => isRestingTooLong(eb, now + slack))
      .execute()
    await tx
      .updateTable('jobs')
      .set((eb) => ({ lease_until: eb('lease_ms', '+', now) }))
      .where((eb) => isHeldTooLong(eb, now))
      .execute()
  })
  return true
}

type JobExpressions = ExpressionBuilder<DescribedTables, 'jobs'>

const isRestingTooLong = (eb: JobExpressions, latest: number) =>
  eb('next_run_at', '>', eb(eb.ref('every_ms').$notNull(), '+', latest))

/** Twice the lease: one that was renewed a moment after the time was asked for ends later than the lease says. */
const isHeldTooLong = (eb: JobExpressions, now: number) => eb('lease_until', '>', eb(eb('lease_ms', '*', 2), '+', now))

/** A piece of background work, and how its last run went. */
export type ListedJob = {
  readonly kind: string
  readonly key: string
  readonly state: 'running' | 'failing' | 'due' | 'waiting'
  readonly every: number | null
  readonly nextRunAt: Instant
  readonly lastStartedAt: Instant | null
  readonly lastOkAt: Instant | null
  readonly lastError: string | null
}

/** A page of all background work: what fails first, then by name. */
export async function listJobs(
  db: Queryable,
  now: Instant,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ jobs: ListedJob[]; total: number }> {
  const { total } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'key', 'next_run_at', 'every_ms', 'lease_until', 'attempts'])
    .select(['last_started_at', 'last_ok_at', 'last_error'])
    .orderBy('attempts', 'desc')
    .orderBy('kind')
    .orderBy('key')
    .limit(limit)
    .offset(offset)
    .execute()
  return { total: Number(total), jobs: rows.map((row) => toListedJob(row, now)) }
}

type JobRow = Pick<
  DescribedTables['jobs'],
  | 'kind'
  | 'key'
  | 'next_run_at'
  | 'every_ms'
  | 'lease_until'
  | 'attempts'
  | 'last_started_at'
  | 'last_ok_at'
  | 'last_error'
>

function toListedJob(row: JobRow, now: Instant): ListedJob {
  const isWaiting = row.next_run_at > now
  return {
    kind: row.kind,
    key: row.key,
    state: row.lease_until > now ? 'running' : row.attempts > 0 ? 'failing' : isWaiting ? 'waiting' : 'due',
    every: row.every_ms,
    nextRunAt: row.next_run_at as Instant,
    lastStartedAt: row.last_started_at as Instant | null,
    lastOkAt: row.last_ok_at as Instant | null,
    lastError: row.attempts > 0 ? row.last_error : null,
  }
}
