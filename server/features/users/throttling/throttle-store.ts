import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'

/** Failed attempts of one name, address or person. */
export type Failures = { readonly key: string; readonly failures: number; readonly blockedUntil: Instant }

/** The failures counted for these keys. */
export async function loadFailures(db: Queryable, keys: readonly string[]): Promise<Failures[]> {
  const rows = await db.selectFrom('sign_in_failures').selectAll().where('key', 'in', keys).execute()
  return rows.map((row) => ({ key: row.key, failures: row.failures, blockedUntil: row.blocked_until as Instant }))
}

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
  return { key, failures: row.failures, blockedUntil: row.blocked_until as Instant }
}

/** Blocks attempts until then. */
export async function blockUntil(tx: Tx, key: string, until: Instant): Promise<void> {
  await tx.updateTable('sign_in_failures').set({ blocked_until: until }).where('key', '=', key).execute()
}

/** Takes back the count of an attempt that succeeded. */
export async function uncountFailure(db: Queryable, key: string): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute()
}

/** Forgets the failures counted for these keys. */
export async function forgetFailures(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('key', 'in', keys).execute()
}

/** Forgets all failures older than this; returns how many. */
export async function forgetOldFailures(db: Queryable, before: Instant): Promise<number> {
  const result = await db.deleteFrom('sign_in_failures').where('last_failure_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
