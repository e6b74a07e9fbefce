import { type RawBuilder, sql } from 'kysely'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import type { Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

/** A path whose tokens are revoked, for as long as some are left to be removed. */
interface RevokedPathRow {
  path: string
  /** Tokens that were created later are not meant. */
  until: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    revoked_paths: RevokedPathRow
  }
}

/** The tokens with an end that came from a path or from below it, created up to a time. */
export type PathScope = { readonly path: string; readonly until: Instant }

/**
 * 1 if a token was revoked, itself or with the path that it came from, or if it comes from a login at a mount that is gone
 * or was moved; else 0. A revoked path ends no token without an end.
 */
export function deadFlag(tokens: string): RawBuilder<number> {
  const of = (column: string) => sql.ref(`${tokens}.${column}`)
  return sql`case when ${of('revoked')} = 1 then 1
    when ${of('expires_at')} is not null and exists (
      select 1 from revoked_paths as gone where gone.until >= ${of('created_at')} and (${of('path')} = gone.path
        or (${of('path')} > gone.path || '/' and ${of('path')} < gone.path || '0'))
    ) then 1
    when ${of('mount_id')} <> '' and not exists (
      select 1 from mounts where mounts.login_id = ${of('mount_id')} or (mounts.login_id = '' and mounts.id = ${of('mount_id')})
    ) then 1
    else 0 end`
}

/** Revokes the tokens of a path, all at once. If some of it are being removed, the later of both times counts. */
export async function saveRevokedPath(tx: Tx, { path, until }: PathScope): Promise<void> {
  await tx
    .insertInto('revoked_paths')
    .values({ path, until })
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet((eb) => ({
        until: eb
          .case()
          .when('excluded.until', '>', eb.ref('revoked_paths.until'))
          .then(eb.ref('excluded.until'))
          .else(eb.ref('revoked_paths.until'))
          .end(),
      })),
    )
    .execute()
  bumpVersion(tx, 'tokens')
}

/** A revoked path of which tokens are left to be removed. */
export async function findRevokedPath(tx: Tx, path: string): Promise<PathScope | undefined> {
  const row = await tx.selectFrom('revoked_paths').selectAll().where('path', '=', path).executeTakeFirst()
  return row && { path, until: instant(row.until) }
}

/** Forgets a path whose tokens are removed, unless it was revoked once more meanwhile. */
export async function deleteRevokedPath(tx: Tx, { path, until }: PathScope): Promise<void> {
  await tx.deleteFrom('revoked_paths').where('path', '=', path).where('until', '=', until).execute()
}
