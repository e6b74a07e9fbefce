import { type Instant, later } from '../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { SnapshotAttemptRow } from '../snapshot.ts'
import { byDay, firstDay, keptDays, type SnapshotDay } from './snapshot-day.ts'
import type { Verdict } from './snapshot-retention.ts'

/** One try to take a snapshot. */
export type Attempt = SnapshotAttemptRow

/** How many ended attempts of a configuration are remembered. */
export const rememberedAttempts = 100

const attempts = (db: Queryable, name: string) =>
  db.selectFrom('snapshot_attempts').selectAll().where('name', '=', name).orderBy('sequence', 'desc')

/**
 * The attempts that status is made from: the newest begun, the newest ended, the newest good one, and a waiting one.
 */
export async function loadLatestAttempts(
  db: Queryable,
  name: string,
): Promise<{ begun?: Attempt; ended?: Attempt; good?: Attempt; waiting?: Attempt }> {
  const begun = await attempts(db, name).where('started_at', 'is not', null).limit(1).executeTakeFirst()
  const ended = begun?.ended_at === null ? await newestEnded(db, name) : begun
  const good = ended?.error === '' ? ended : await newestGood(db, name)
  const waiting = await attempts(db, name).where('started_at', 'is', null).limit(1).executeTakeFirst()
  return { ...(begun && { begun }), ...(ended && { ended }), ...(good && { good }), ...(waiting && { waiting }) }
}

const newestEnded = (db: Queryable, name: string): Promise<Attempt | undefined> =>
  attempts(db, name).where('ended_at', 'is not', null).limit(1).executeTakeFirst()

const newestGood = (db: Queryable, name: string): Promise<Attempt | undefined> =>
  attempts(db, name).where('ended_at', 'is not', null).where('error', '=', '').limit(1).executeTakeFirst()

/** The newest good attempt of every configuration that has one. */
export const loadNewestGoodAttempts = (db: Queryable): Promise<Attempt[]> =>
  db
    .selectFrom('snapshot_attempts as a')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('snapshot_attempts')
          .select((each) => ['name', each.fn.max('sequence').as('newest')])
          .where('ended_at', 'is not', null)
          .where('error', '=', '')
          .groupBy('name')
          .as('good'),
      (join) => join.onRef('good.name', '=', 'a.name').onRef('good.newest', '=', 'a.sequence'),
    )
    .selectAll('a')
    .execute()

/** When a stored snapshot was last proved to be restorable; undefined when none was. */
export async function lastVerifiedAt(db: Queryable, name: string): Promise<number | undefined> {
  return (await newestVerified(db, name))?.verified_at ?? undefined
}

/** When a snapshot of each configuration was last proved to be restorable, by the name of the configuration. */
export async function loadVerifiedTimes(db: Queryable): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('snapshot_attempts')
    .select((eb) => ['name', eb.fn.max('verified_at').as('verified_at')])
    .where('verified_at', 'is not', null)
    .groupBy('name')
    .execute()
  return new Map(rows.map((row) => [row.name, Number(row.verified_at)]))
}

const newestVerified = (db: Queryable, name: string): Promise<Attempt | undefined> =>
  attempts(db, name).where('verified_at', 'is not', null).limit(1).executeTakeFirst()

/** How many of the newest stored snapshots in a row do not restore. */
export async function countBadInRow(db: Queryable, name: string): Promise<number> {
  const stored = await attempts(db, name)
    .where('ended_at', 'is not', null)
    .where('error', '=', '')
    .limit(rememberedAttempts)
    .execute()
  const end = stored.findIndex(({ verify_failed }) => verify_failed === 0)
  return end < 0 ? stored.length : end
}

/** What verification found out about the snapshots of a configuration, by their names. */
export async function loadVerdicts(db: Queryable, name: string): Promise<Map<string, Verdict>> {
  const rows = await attempts(db, name)
    .where((eb) => eb.or([eb('verified_at', 'is not', null), eb('verify_failed', '=', 1)]))
    .execute()
  return new Map(rows.map((row) => [row.object, row.verify_failed === 1 ? 'does not restore' : 'restores']))
}

/** One attempt by its id. */
export const loadAttempt = (db: Queryable, id: string): Promise<Attempt | undefined> =>
  db.selectFrom('snapshot_attempts').selectAll().where('id', '=', id).executeTakeFirst()

/** The newest attempts that have begun, newest first. */
export const loadHistory = (db: Queryable, name: string, limit: number): Promise<Attempt[]> =>
  attempts(db, name).where('started_at', 'is not', null).limit(limit).execute()

/** Adds an attempt that waits for its turn. */
export async function insertAttempt(
  tx: Tx,
  attempt: Pick<Attempt, 'id' | 'name' | 'trigger_kind' | 'node'>,
): Promise<void> {
  const newest = await attempts(tx, attempt.name).limit(1).executeTakeFirst()
  await tx
    .insertInto('snapshot_attempts')
    .values({
      ...attempt,
      sequence: (newest?.sequence ?? 0) + 1,
      started_at: null,
      ended_at: null,
      object: '',
      url: '',
      size: null,
      sha256: null,
      error: '',
      pruned: '[]',
      verified_at: null,
      verify_error: '',
      verify_failed: 0,
    })
    .execute()
}

/** Changes some facts of an attempt. */
export async function updateAttempt(tx: Tx, id: string, change: Partial<Attempt>): Promise<void> {
  await tx.updateTable('snapshot_attempts').set(change).where('id', '=', id).execute()
}

/** Ends attempts that began and never recorded an end: the process that worked on them is gone. */
export async function endInterrupted(tx: Tx, name: string, now: number, error: string): Promise<number> {
  const result = await tx
    .updateTable('snapshot_attempts')
    .set({ ended_at: now, error })
    .where('name', '=', name)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** What is known of every day from `since` on: of what is kept by day, and of the attempts that are still remembered. */
export async function loadDays(db: Queryable, name: string, since: number): Promise<SnapshotDay[]> {
  const kept = await keptDaysOf(db, name).where('day', '>=', since).execute()
  return byDay(await attempts(db, name).where('started_at', '>=', since).execute(), kept)
}

const keptDaysOf = (db: Queryable, name: string) =>
  db
    .selectFrom('snapshot_days')
    .select(['day', 'attempts', 'failed', 'proved', 'disproved', 'size', 'duration_ms', 'proof_ms', 'error'])
    .where('name', '=', name)

/** Adds attempts to the rows of their days. */
async function addToDays(tx: Tx, name: string, forgotten: readonly Attempt[]): Promise<void> {
  const days = byDay(forgotten).map(({ day }) => day)
  if (days.length === 0) return
  const kept = await keptDaysOf(tx, name).where('day', 'in', days).execute()
  for (const row of byDay(forgotten, kept))
    await tx
      .insertInto('snapshot_days')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.columns(['name', 'day']).doUpdateSet(row))
      .execute()
}

/**
 * Forgets attempts beyond those that are remembered, but never the newest good one and the newest verified one. Of the
 * others a row a day is kept.
 */
export async function forgetOldAttempts(tx: Tx, name: string, now: number): Promise<void> {
  const oldest = await attempts(tx, name)
    .offset(rememberedAttempts - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  const spared = [await newestGood(tx, name), await newestVerified(tx, name)]
  const forgotten = await attempts(tx, name)
    .where('sequence', '<', oldest.sequence)
    .where('id', 'not in', ['', ...spared.flatMap((each) => (each ? [each.id] : []))])
    .execute()
  if (forgotten.length === 0) return
  await addToDays(tx, name, forgotten)
  const ids = forgotten.map(({ id }) => id)
  await tx.deleteFrom('snapshot_attempts').where('id', 'in', ids).execute()
  const tooOld = firstDay(keptDays, now)
  await tx.deleteFrom('snapshot_days').where('name', '=', name).where('day', '<', tooOld).execute()
}

/** Removes attempts that were asked for and have not begun. */
export async function deleteWaiting(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('snapshot_attempts').where('name', '=', name).where('started_at', 'is', null).execute()
}

/** Forgets every attempt of a configuration. */
export async function deleteAttempts(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('snapshot_attempts').where('name', '=', name).execute()
  await tx.deleteFrom('snapshot_days').where('name', '=', name).execute()
}

/** What begins while this works may be a moment ahead of its time. */
const leeway = 60_000

/**
 * Replaces times in the future, which a clock that was wrong has left behind, by the present: otherwise the newest
 * snapshot would count as new until that time comes, however old it is.
 */
export async function bringBackTimes(tx: Tx, now: Instant): Promise<void> {
  const limit = later(now, leeway)
  await tx.updateTable('snapshot_status').set({ anchor: now }).where('anchor', '>', limit).execute()
  for (const column of ['started_at', 'ended_at', 'verified_at'] as const) {
    await tx
      .updateTable('snapshot_attempts')
      .set({ [column]: now })
      .where(column, '>', limit)
      .execute()
  }
}
