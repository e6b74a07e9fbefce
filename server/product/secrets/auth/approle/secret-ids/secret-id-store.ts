import type { Instant } from '../../../../../kernel/clock.ts'
import type { ListPlace } from '../../../../../kit/list.ts'
import { bit } from '../../../../../storage/bits.ts'
import { hotQuery } from '../../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../../storage/open.ts'
import type { SecretId, SecretIdTerms } from './secret-id.ts'

/** A secret id of an application role. */
interface SecretIdRow {
  /** Keyed hash of its text, bound to mount and role. */
  hash: string
  mount_id: string
  role_id: string
  accessor: string
  custom: number
  num_uses: number
  uses_left: number
  ttl: number
  created_at: number
  updated_at: number
  expires_at: number | null
  /** Metadata and blocks, as JSON. */
  terms: string
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    approle_secret_ids: SecretIdRow
  }
}

const toSecretId = (row: SecretIdRow): SecretId => ({
  ...(JSON.parse(row.terms) as SecretIdTerms),
  accessor: row.accessor,
  isCustom: row.custom === 1,
  numUses: row.num_uses,
  usesLeft: row.uses_left,
  ttl: row.ttl,
  createdAt: row.created_at as Instant,
  updatedAt: row.updated_at as Instant,
  expiresAt: row.expires_at === null ? undefined : (row.expires_at as Instant),
})

const byHash = hotQuery('approle-secret-ids.by-hash', (db, by: { hash: string }) =>
  db.selectFrom('approle_secret_ids').selectAll().where('hash', '=', by.hash),
)

/** The secret id with this hash. */
export async function findSecretId(db: Queryable, hash: string): Promise<SecretId | undefined> {
  const row = await byHash.first(db, { hash })
  return row && toSecretId(row)
}

/** The secret id of a role with this accessor. */
export async function findByAccessor(db: Queryable, roleId: string, accessor: string): Promise<SecretId | undefined> {
  const ids = db.selectFrom('approle_secret_ids').selectAll().where('role_id', '=', roleId)
  const row = await ids.where('accessor', '=', accessor).executeTakeFirst()
  return row && toSecretId(row)
}

const anyCustom = hotQuery('approle-secret-ids.any-custom', (db, by: { roleId: string }) =>
  db
    .selectFrom('approle_secret_ids')
    .select('role_id')
    .where('role_id', '=', by.roleId)
    .where('custom', '=', 1)
    .limit(1),
)

/** True if a role has secret ids that somebody chose. */
export const hasCustomIds = async (db: Queryable, roleId: string): Promise<boolean> =>
  (await anyCustom.first(db, { roleId })) !== undefined

/** A page of the accessors of a role, in order. */
export async function listAccessors(db: Queryable, roleId: string, { after, most }: ListPlace): Promise<string[]> {
  const ids = db.selectFrom('approle_secret_ids').select('accessor').where('role_id', '=', roleId)
  const page = ids.where('accessor', '>', after).orderBy('accessor').limit(most)
  return (await page.execute()).map(({ accessor }) => accessor)
}

/** Whose secret id it is, and the hash under which it is stored. */
export type SecretIdKey = { readonly mountId: string; readonly roleId: string; readonly hash: string }

/** Stores a new secret id. */
export async function insertSecretId(tx: Tx, { mountId, roleId, hash }: SecretIdKey, made: SecretId): Promise<void> {
  const { metadata, cidrs, tokenCidrs } = made
  await tx
    .insertInto('approle_secret_ids')
    .values({
      hash,
      mount_id: mountId,
      role_id: roleId,
      accessor: made.accessor,
      custom: bit(made.isCustom),
      num_uses: made.numUses,
      uses_left: made.usesLeft,
      ttl: made.ttl,
      created_at: made.createdAt,
      updated_at: made.updatedAt,
      expires_at: made.expiresAt ?? null,
      terms: JSON.stringify({ metadata, cidrs, tokenCidrs }),
    })
    .execute()
}

/** Takes one use of a counted secret id; false if it has none left, has expired or is gone. The last use removes it. */
export async function takeUse(tx: Tx, hash: string, now: Instant): Promise<boolean> {
  const taken = await tx
    .updateTable('approle_secret_ids')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1), updated_at: now }))
    .where('hash', '=', hash)
    .where('uses_left', '>', 0)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .returning('uses_left')
    .executeTakeFirst()
  if (taken?.uses_left === 0) await deleteSecretId(tx, hash)
  return taken !== undefined
}

/** Removes a secret id. */
export async function deleteSecretId(db: Queryable, hash: string): Promise<void> {
  await db.deleteFrom('approle_secret_ids').where('hash', '=', hash).execute()
}

/** Removes the secret id of a role with this accessor; false if there is none. */
export async function deleteByAccessor(db: Queryable, roleId: string, accessor: string): Promise<boolean> {
  const ids = db.deleteFrom('approle_secret_ids').where('role_id', '=', roleId).where('accessor', '=', accessor)
  return (await ids.executeTakeFirst()).numDeletedRows === 1n
}

/** Removes up to so many secret ids that have expired; returns how many there were. */
export async function deleteExpired(tx: Tx, now: Instant, limit: number): Promise<number> {
  const expired = tx.selectFrom('approle_secret_ids').select('hash').where('expires_at', '<=', now).limit(limit)
  return Number(
    (await tx.deleteFrom('approle_secret_ids').where('hash', 'in', expired).executeTakeFirst()).numDeletedRows,
  )
}

/** Removes up to so many secret ids whose roles are gone; returns how many there were. */
export async function deleteOrphans(tx: Tx, limit: number): Promise<number> {
  const orphans = tx
    .selectFrom('approle_secret_ids as id')
    .select('id.hash')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('login_roles').select('login_roles.id').whereRef('login_roles.id', '=', 'id.role_id'))),
    )
    .limit(limit)
  return Number(
    (await tx.deleteFrom('approle_secret_ids').where('hash', 'in', orphans).executeTakeFirst()).numDeletedRows,
  )
}

/** Removes up to `limit` secret ids of a mount that is gone; returns how many are left. */
export async function removeSomeSecretIds(tx: Tx, mountId: string, limit: number): Promise<number> {
  const some = tx.selectFrom('approle_secret_ids').select('hash').where('mount_id', '=', mountId).limit(limit)
  await tx.deleteFrom('approle_secret_ids').where('hash', 'in', some).execute()
  const left = tx
    .selectFrom('approle_secret_ids')
    .select((eb) => eb.fn.countAll().as('rows'))
    .where('mount_id', '=', mountId)
  return Number((await left.executeTakeFirstOrThrow()).rows)
}
