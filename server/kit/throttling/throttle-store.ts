import type { Instant } from '../../kernel/clock.ts'
import type { Queryable, Tx } from '../../storage/open.ts'

/** Failed sign-ins by name or address. */
interface SignInFailureRow {
  key: string
  failures: number
  last_failure_at: number
  blocked_until: number
}

declare module '../../storage/tables.ts' {
  interface DescribedTables {
    sign_in_failures: SignInFailureRow
  }
}

/** Failed attempts of one name, address or person. */
export type Failures = {
  readonly key: string
  readonly failures: number
  readonly lastFailureAt: Instant
  readonly blockedUntil: Instant
}

/** The failures counted for these keys. */
export async function loadFailures(db: Queryable, keys: readonly string[]): Promise<Failures[]> {
  const rows = await db.selectFrom('sign_in_failures').selectAll().where('key', 'in', keys).execute()
  return rows.map(toFailures)
}

const toFailures = (row: SignInFailureRow): Failures => ({
  key: row.key,
  failures: row.failures,
  lastFailureAt: row.last_failure_at as Instant,
  blockedUntil: row.blocked_until as Instant,
})

/** Counts one more failure and returns the new state. Failures that are too old are forgotten first. */
export async function countFailure(tx: Tx, key: string, now: Instant, forgetBefore: Instant): Promise<Failures> {
  const row = await tx
    .insertInto('sign_in_failures')
    .values({ key, failures: 1, last_failure_at: now, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ eb, ref }) => ({
        failures: eb
          .case()
          .when('sign_in_failures.last_failure_at', '<', forgetBefore)
          .then(1)
          .else(eb(ref('sign_in_failures.failures'), '+', 1))
          .end(),
        last_failure_at: now,
      })),
    )
    .returning(['failures', 'blocked_until'])
    .executeTakeFirstOrThrow()
  return { key, failures: row.failures, lastFailureAt: now, blockedUntil: row.blocked_until as Instant }
}

/** Blocks attempts until then. */
export async function blockUntil(tx: Tx, key: string, until: Instant): Promise<void> {
  await tx.updateTable('sign_in_failures').set({ blocked_until: until }).where('key', '=', key).execute()
}

/** A successful attempt, and when the last failure before it was; undefined if there was none. */
type SuccessfulAttempt = {
  readonly key: string
  readonly at: Instant
  readonly lastFailureAt: Instant | undefined
}

/** Takes back the count of an attempt that succeeded; unless another followed, the last failure is the one before it. */
export async function uncountAttempt(db: Queryable, { key, at, lastFailureAt }: SuccessfulAttempt): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set(({ eb, ref }) => ({
      failures: eb('failures', '-', 1),
      last_failure_at: eb
        .case()
        .when('last_failure_at', '=', at)
        .then(lastFailureAt ?? 0)
        .else(ref('last_failure_at'))
        .end(),
    }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute()
}

/** Forgets the failures counted for these keys. */
export async function forgetFailures(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('key', 'in', keys).execute()
}

/** Forgets up to so many failures that are too old to count: those of mounts, and others. Returns how many there were. */
export async function forgetOldFailures(
  tx: Tx,
  before: { readonly others: Instant; readonly mounts: Instant },
  limit: number,
): Promise<number> {
  const old = tx
    .selectFrom('sign_in_failures')
    .select('key')
    .where('last_failure_at', '<', before.others)
    .where((eb) => eb.or([eb('key', 'not like', 'pair:auth%|%|%'), eb('last_failure_at', '<', before.mounts)]))
    .limit(limit)
  return Number((await tx.deleteFrom('sign_in_failures').where('key', 'in', old).executeTakeFirst()).numDeletedRows)
}

/** The counters whose keys begin like this, of which attempts wait at this moment. */
export async function loadBlocked(db: Queryable, prefix: string, now: Instant): Promise<Failures[]> {
  const rows = await db
    .selectFrom('sign_in_failures')
    .selectAll()
    .where((eb) => eb(eb.fn('substr', ['key', eb.val(1), eb.val(prefix.length)]), '=', prefix))
    .where('blocked_until', '>', now)
    .execute()
  return rows.map(toFailures)
}

/** Forgets the counters whose keys begin like this. */
export async function forgetBeginning(db: Queryable, prefix: string): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((eb) => eb(eb.fn('substr', ['key', eb.val(1), eb.val(prefix.length)]), '=', prefix))
    .execute()
}
