import { type Insertable, sql } from 'kysely'
import type { Sealed } from '../../../../crypto/keyring.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Tx } from '../../../../storage/open.ts'
import { type Author, type CustomMetadata, endOf, type Rules, type Spot, usuallyKept } from './kv.ts'
import {
  factColumns,
  type KvVersionRow,
  keyOf,
  type PathKey,
  parseCustom,
  type StoredSecret,
  toFacts,
  type VersionFacts,
} from './kv-store.ts'

/** What a new version is written by. */
export type NextVersion = {
  /** The id that the secret gets if it is new. */
  readonly newId: string
  /** The version that the write expects; if it expects none, the secret must not ask for one. */
  readonly cas: number | undefined
  /** Versions that the mount keeps; the secret may keep more. */
  readonly kept: number
  /** True where there is one version, which is overwritten. */
  readonly isSingle: boolean
  readonly now: Instant
}

const advance = hotQuery(
  'kv.advance',
  (
    db,
    next: PathKey & {
      id: string
      oldest: number
      now: number
      step: number
      most: number
      free: number
      cas: number
      kept: number
    },
  ) => {
    const current = sql<number>`kv_secrets.current_version + ${next.step}`
    const kept = sql`case when kv_secrets.max_versions > ${next.kept} then kv_secrets.max_versions when ${next.kept} > 0 then ${next.kept} else ${sql.lit(usuallyKept)} end`
    return db
      .insertInto('kv_secrets')
      .values({
        id: next.id,
        mount_id: next.mount_id,
        folder: next.folder,
        name: next.name,
        current_version: 1,
        oldest_version: next.oldest,
        max_versions: 0,
        cas_required: 0,
        delete_version_after: 0,
        metadata_version: 0,
        metadata_cas_required: 0,
        created_at: next.now,
        updated_at: next.now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['mount_id', 'folder', 'name'])
          .doUpdateSet({
            current_version: current,
            oldest_version: sql<number>`case when ${current} - kv_secrets.oldest_version >= ${kept} then ${current} - (${kept}) + 1 else kv_secrets.oldest_version end`,
            updated_at: next.now,
          })
          .where('kv_secrets.current_version', '<=', next.most)
          .where(
            sql<boolean>`((${next.free} = 1 and kv_secrets.cas_required = 0) or kv_secrets.current_version = ${next.cas})`,
          ),
      )
      .returning(['id', 'current_version', 'oldest_version', 'delete_version_after', 'custom_metadata'])
  },
)

/** A secret whose next version is being written. */
export type Advanced = {
  readonly id: string
  readonly number: number
  readonly isNew: boolean
  /** Versions below this one are to be removed. */
  readonly pruneBelow: number
  readonly deleteVersionAfter: number
  readonly customMetadata: CustomMetadata | null
}

const beyondAll = Number.MAX_SAFE_INTEGER - 1

/**
 * Takes the next number of a secret, which is made if there is none, in one statement that fails if it is not at the
 * version that was expected: undefined then. Nobody else changes the secret before this transaction ends.
 */
export async function advanceSecret(tx: Tx, spot: Spot, next: NextVersion): Promise<Advanced | undefined> {
  const row = await advance.first(tx, {
    ...keyOf(spot),
    id: next.newId,
    oldest: next.kept === 1 && !next.isSingle ? 1 : 0,
    now: next.now,
    step: next.isSingle ? 0 : 1,
    most: next.isSingle ? 1 : beyondAll,
    free: bit(next.cas === undefined),
    cas: next.cas ?? -1,
    kept: next.isSingle ? 1_000_000 : next.kept,
  })
  if (!row) return undefined
  const isNew = row.id === next.newId
  if (isNew && (next.cas ?? 0) !== 0) return undefined
  return {
    id: row.id,
    number: row.current_version,
    isNew,
    pruneBelow: next.isSingle ? 2 : row.oldest_version,
    deleteVersionAfter: row.delete_version_after,
    customMetadata: parseCustom(row.custom_metadata),
  }
}

const insertVersion = hotQuery('kv.insert-version', (db, row: Insertable<KvVersionRow> & { value: Uint8Array }) =>
  db.insertInto('kv_versions').values({
    mount_id: row.mount_id,
    secret_id: row.secret_id,
    number: row.number,
    created_at: row.created_at,
    deletion_at: row.deletion_at,
    destroyed: 0,
    created_by: row.created_by,
    deleted_by: null,
    size: row.size,
    value: row.value,
  }),
)

const deleteVersionsBelow = hotQuery(
  'kv.delete-versions-below',
  (db, by: { mount_id: string; secret_id: string; number: number }) =>
    db
      .deleteFrom('kv_versions')
      .where('mount_id', '=', by.mount_id)
      .where('secret_id', '=', by.secret_id)
      .where('number', '<', by.number),
)

/** Removes the versions of a secret below a number. */
export const pruneVersions = async (tx: Tx, mountId: string, id: string, below: number): Promise<void> =>
  deleteVersionsBelow.runBeforeCommit(tx, { mount_id: mountId, secret_id: id, number: below })

/** Stores a version. */
export async function addVersion(
  tx: Tx,
  { mountId }: Pick<Spot, 'mountId'>,
  version: {
    readonly secretId: string
    readonly number: number
    readonly createdAt: Instant
    readonly deletionAt: Instant | null
    readonly createdBy: Author
    readonly size: number
    readonly value: Sealed
  },
): Promise<void> {
  await insertVersion.runBeforeCommit(tx, {
    mount_id: mountId,
    secret_id: version.secretId,
    number: version.number,
    created_at: version.createdAt,
    deletion_at: version.deletionAt,
    destroyed: 0,
    created_by: JSON.stringify(version.createdBy),
    size: version.size,
    value: version.value,
  })
}

/** Some versions of a secret, each with the size of its value. */
export async function findVersions(
  tx: Tx,
  mountId: string,
  id: string,
  numbers: readonly number[],
): Promise<(VersionFacts & { readonly size: number })[]> {
  const rows = await tx
    .selectFrom('kv_versions')
    .select([...factColumns, 'size'])
    .where('mount_id', '=', mountId)
    .where('secret_id', '=', id)
    .where('number', 'in', [...numbers])
    .execute()
  return rows.map((row) => ({ ...toFacts(row), size: row.size }))
}

/** What may change of a version. */
export type VersionChange = {
  readonly deletionAt?: Instant | null
  readonly deletedBy?: Author | null
  /** Removes the value for good. */
  readonly destroyed?: true
}

/** Changes versions of a secret, which is thereby updated. */
export async function changeVersions(
  tx: Tx,
  spot: { readonly mountId: string; readonly id: string; readonly numbers: readonly number[]; readonly now: Instant },
  { deletionAt, deletedBy, destroyed }: VersionChange,
): Promise<void> {
  await tx
    .updateTable('kv_versions')
    .set({
      ...(deletionAt === undefined ? {} : { deletion_at: deletionAt }),
      ...(deletedBy === undefined ? {} : { deleted_by: deletedBy && JSON.stringify(deletedBy) }),
      ...(destroyed ? { destroyed: 1, value: null, size: 0 } : {}),
    })
    .where('mount_id', '=', spot.mountId)
    .where('secret_id', '=', spot.id)
    .where('number', 'in', [...spot.numbers])
    .execute()
  await tx.updateTable('kv_secrets').set({ updated_at: spot.now }).where('id', '=', spot.id).execute()
}

/** Adds a secret without versions, unless it was added meanwhile. */
export async function insertSecret(tx: Tx, spot: Spot, { id, now }: { id: string; now: Instant }): Promise<boolean> {
  const added = await tx
    .insertInto('kv_secrets')
    .values({
      ...keyOf(spot),
      id,
      current_version: 0,
      oldest_version: 0,
      max_versions: 0,
      cas_required: 0,
      delete_version_after: 0,
      metadata_version: 0,
      metadata_cas_required: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['mount_id', 'folder', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** What is said about a secret beside its versions. */
export type SecretRules = Rules & Pick<StoredSecret, 'customMetadata'>

/** Stores what is said about a secret. */
export async function updateSecret(tx: Tx, id: string, rules: SecretRules & { readonly now: Instant }): Promise<void> {
  await tx
    .updateTable('kv_secrets')
    .set({
      max_versions: rules.maxVersions,
      cas_required: bit(rules.casRequired),
      delete_version_after: rules.deleteVersionAfter,
      metadata_cas_required: bit(rules.metadataCasRequired),
      metadata_version: sql<number>`metadata_version + 1`,
      custom_metadata: rules.customMetadata && JSON.stringify(rules.customMetadata),
      ends_at: endOf(rules.customMetadata),
      updated_at: rules.now,
    })
    .where('id', '=', id)
    .execute()
}

/** Removes a secret with all of its versions; returns how many there were, and how many bytes they had. */
export async function deleteSecret(
  tx: Tx,
  mountId: string,
  id: string,
): Promise<{ readonly versions: number; readonly bytes: number }> {
  const ofSecret = tx.selectFrom('kv_versions').where('mount_id', '=', mountId).where('secret_id', '=', id)
  const { versions, bytes } = await ofSecret
    .select((eb) => [eb.fn.countAll().as('versions'), eb.fn.coalesce(eb.fn.sum('size'), sql.lit(0)).as('bytes')])
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('kv_secrets').where('id', '=', id).execute()
  await tx.deleteFrom('kv_versions').where('mount_id', '=', mountId).where('secret_id', '=', id).execute()
  return { versions: Number(versions), bytes: Number(bytes) }
}

/** Removes up to `limit` versions and secrets of a mount that is gone; returns how many. */
export async function removeSomeSecrets(tx: Tx, mountId: string, limit: number): Promise<number> {
  const versions = await tx
    .deleteFrom('kv_versions')
    .where('mount_id', '=', mountId)
    .where((eb) =>
      eb(
        eb.refTuple('secret_id', 'number'),
        'in',
        eb
          .selectFrom('kv_versions')
          .select(['secret_id', 'number'])
          .where('mount_id', '=', mountId)
          .limit(limit)
          .$asTuple('secret_id', 'number'),
      ),
    )
    .executeTakeFirst()
  if (versions.numDeletedRows > 0n) return Number(versions.numDeletedRows)
  const some = tx.selectFrom('kv_secrets').select('id').where('mount_id', '=', mountId).limit(limit)
  const secrets = await tx.deleteFrom('kv_secrets').where('id', 'in', some).executeTakeFirst()
  return Number(secrets.numDeletedRows)
}
