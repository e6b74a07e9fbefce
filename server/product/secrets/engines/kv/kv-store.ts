import type { Selectable } from 'kysely'
import { asSealed, type Sealed } from '../../../../crypto/keyring.ts'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import { splitPath } from '../../../../storage/one-level.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { Author, CustomMetadata, Rules, Spot } from './kv.ts'

/** A secret, or what is said about one that has no version yet. */
interface KvSecretRow {
  id: string
  mount_id: string
  /** Empty, or ends in a slash. */
  folder: string
  name: string
  current_version: number
  oldest_version: number
  max_versions: number
  cas_required: number
  delete_version_after: number
  metadata_version: number
  metadata_cas_required: number
  custom_metadata: string | null
  /** When its custom metadata says that it ends. */
  ends_at: number | null
  created_at: number
  updated_at: number
}

/** A version of a secret, as it is stored. */
export interface KvVersionRow {
  mount_id: string
  secret_id: string
  number: number
  created_at: number
  /** From then on it cannot be read; it may lie in the future. */
  deletion_at: number | null
  destroyed: number
  created_by: string
  deleted_by: string | null
  /** Bytes of the value; 0 when it is destroyed. */
  size: number
  value: Uint8Array | null
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    kv_secrets: KvSecretRow
    kv_versions: KvVersionRow
  }
}

/** Where the value of a version is sealed: under another number or secret it does not open. */
export const placeOf = (secretId: string, number: number) => ({
  table: 'kv_versions',
  column: 'value',
  row: `${secretId}/${number}`,
})

/** A version without its value. */
export type VersionFacts = {
  readonly number: number
  readonly createdAt: Instant
  readonly deletionAt: Instant | null
  readonly destroyed: boolean
  readonly createdBy: Author
  readonly deletedBy: Author | null
}

/** A version as it is read: its value is null once it is destroyed. */
export type FoundVersion = Omit<VersionFacts, 'createdBy' | 'deletedBy'> & {
  readonly secretId: string
  readonly customMetadata: CustomMetadata | null
  readonly value: Sealed | null
}

/** All that is said about a secret. */
export type StoredSecret = Rules & {
  readonly id: string
  readonly folder: string
  readonly name: string
  readonly currentVersion: number
  readonly oldestVersion: number
  readonly metadataVersion: number
  readonly customMetadata: CustomMetadata | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** How a secret is found. */
export type PathKey = { mount_id: string; folder: string; name: string }

/** How a secret is found. */
export const keyOf = ({ mountId, path }: Spot): PathKey => ({ mount_id: mountId, ...splitPath(path) })

const maybeInstant = (at: number | null): Instant | null => (at === null ? null : instant(at))

const secretId = hotQuery('kv.id', (db, by: PathKey) =>
  db
    .selectFrom('kv_secrets')
    .select('id')
    .where('mount_id', '=', by.mount_id)
    .where('folder', '=', by.folder)
    .where('name', '=', by.name),
)

/** The id of a secret, if anything is known about it. */
export const findSecretId = async (db: Queryable, spot: Spot): Promise<string | undefined> =>
  (await secretId.first(db, keyOf(spot)))?.id

const versionColumns = [
  'kv_secrets.id',
  'kv_secrets.custom_metadata',
  'kv_versions.number',
  'kv_versions.created_at',
  'kv_versions.deletion_at',
  'kv_versions.destroyed',
  'kv_versions.value',
] as const

const latest = hotQuery('kv.latest', (db, by: PathKey) =>
  db
    .selectFrom('kv_secrets')
    .innerJoin('kv_versions', (join) =>
      join
        .onRef('kv_versions.mount_id', '=', 'kv_secrets.mount_id')
        .onRef('kv_versions.secret_id', '=', 'kv_secrets.id')
        .onRef('kv_versions.number', '=', 'kv_secrets.current_version'),
    )
    .select(versionColumns)
    .where('kv_secrets.mount_id', '=', by.mount_id)
    .where('folder', '=', by.folder)
    .where('name', '=', by.name),
)

const numbered = hotQuery('kv.numbered', (db, by: PathKey & { number: number }) =>
  db
    .selectFrom('kv_secrets')
    .innerJoin('kv_versions', (join) =>
      join
        .onRef('kv_versions.mount_id', '=', 'kv_secrets.mount_id')
        .onRef('kv_versions.secret_id', '=', 'kv_secrets.id'),
    )
    .select(versionColumns)
    .where('kv_secrets.mount_id', '=', by.mount_id)
    .where('folder', '=', by.folder)
    .where('name', '=', by.name)
    .where('number', '=', by.number),
)

/** A version of a secret, or the latest one for the number 0. */
export async function findVersion(db: Queryable, spot: Spot, number = 0): Promise<FoundVersion | undefined> {
  const row = number > 0 ? await numbered.first(db, { ...keyOf(spot), number }) : await latest.first(db, keyOf(spot))
  return (
    row && {
      secretId: row.id,
      customMetadata: parseCustom(row.custom_metadata),
      number: Number(row.number),
      createdAt: instant(row.created_at),
      deletionAt: maybeInstant(row.deletion_at),
      destroyed: row.destroyed === 1,
      value: row.value && asSealed(row.value),
    }
  )
}

/** Custom metadata out of their column. */
export const parseCustom = (text: string | null): CustomMetadata | null =>
  text === null ? null : (JSON.parse(text) as CustomMetadata)

/** A row as the rest of the engine sees it. */
export const toSecret = (row: Selectable<KvSecretRow>): StoredSecret => ({
  id: row.id,
  folder: row.folder,
  name: row.name,
  currentVersion: row.current_version,
  oldestVersion: row.oldest_version,
  maxVersions: row.max_versions,
  casRequired: row.cas_required === 1,
  deleteVersionAfter: row.delete_version_after,
  metadataVersion: row.metadata_version,
  metadataCasRequired: row.metadata_cas_required === 1,
  customMetadata: parseCustom(row.custom_metadata),
  createdAt: instant(row.created_at),
  updatedAt: instant(row.updated_at),
})

type Version = Omit<KvVersionRow, 'mount_id' | 'secret_id' | 'value' | 'size'>

/** A version without its value out of its row. */
export const toFacts = (row: Version): VersionFacts => ({
  number: row.number,
  createdAt: instant(row.created_at),
  deletionAt: maybeInstant(row.deletion_at),
  destroyed: row.destroyed === 1,
  createdBy: JSON.parse(row.created_by) as Author,
  deletedBy: row.deleted_by === null ? null : (JSON.parse(row.deleted_by) as Author),
})

/** The columns of a version without its value. */
export const factColumns = ['number', 'created_at', 'deletion_at', 'destroyed', 'created_by', 'deleted_by'] as const

/** A secret and its versions, the oldest first, as of one moment if the handle shows one. */
export async function findSecret(
  db: Queryable,
  spot: Spot,
): Promise<(StoredSecret & { readonly versions: readonly VersionFacts[] }) | undefined> {
  const { mount_id, folder, name } = keyOf(spot)
  const found = db.selectFrom('kv_secrets').selectAll().where('mount_id', '=', mount_id)
  const row = await found.where('folder', '=', folder).where('name', '=', name).executeTakeFirst()
  if (!row) return undefined
  return { ...toSecret(row), versions: (await versionsOf(db, mount_id, [row.id])).get(row.id) ?? [] }
}

/** The versions of secrets by id, the oldest first. */
export async function versionsOf(
  db: Queryable,
  mountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly VersionFacts[]>> {
  const rows = await db
    .selectFrom('kv_versions')
    .select(['secret_id', ...factColumns])
    .where('mount_id', '=', mountId)
    .where('secret_id', 'in', [...ids])
    .orderBy('secret_id')
    .orderBy('number')
    .execute()
  const grouped = Map.groupBy(rows, ({ secret_id }) => secret_id)
  return new Map([...grouped].map(([id, versions]) => [id, versions.map(toFacts)]))
}

/** A secret that nobody else changes before this transaction ends. */
export async function lockSecret(tx: Tx, spot: Spot): Promise<StoredSecret | undefined> {
  const { mount_id, folder, name } = keyOf(spot)
  const found = tx.selectFrom('kv_secrets').selectAll().where('mount_id', '=', mount_id)
  const row = await found.where('folder', '=', folder).where('name', '=', name).forUpdate().executeTakeFirst()
  return row && toSecret(row)
}
