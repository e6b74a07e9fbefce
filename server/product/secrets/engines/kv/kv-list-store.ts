import { sql } from 'kysely'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import type { ListPlace } from '../../../../kit/list.ts'
import { entriesIn } from '../../../../storage/one-level.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { type StoredSecret, toSecret, type VersionFacts, versionsOf } from './kv-store.ts'

/** A folder of a mount; it ends in a slash, or is empty. */
export type Folder = { readonly mountId: string; readonly folder: string }

/** The entries directly in a folder; with a time, those whose latest version cannot be read then are left out. */
export const listSecrets = (
  db: Queryable,
  { mountId, folder }: Folder,
  place: ListPlace & { readonly liveAt?: Instant | undefined },
): Promise<string[]> =>
  entriesIn(
    db,
    {
      table: 'kv_secrets',
      owner: 'mount_id',
      ownerId: mountId,
      folder,
      ...(place.liveAt === undefined ? {} : { only: isNotHidden(place.liveAt) }),
    },
    place,
  )

const isNotHidden = (at: Instant) => sql<boolean>`not exists (
  select 1 from kv_versions as latest
  where latest.mount_id = kv_secrets.mount_id and latest.secret_id = kv_secrets.id
    and latest.number = kv_secrets.current_version and (latest.destroyed = 1 or latest.deletion_at <= ${at}))`

/** Secrets of a folder by name, with their versions. */
export async function findSecretsNamed(
  db: Queryable,
  { mountId, folder }: Folder,
  names: readonly string[],
): Promise<(StoredSecret & { readonly versions: readonly VersionFacts[] })[]> {
  const found = db.selectFrom('kv_secrets').selectAll().where('mount_id', '=', mountId).where('folder', '=', folder)
  const rows = await found
    .where('name', 'in', [...names])
    .orderBy('name')
    .execute()
  const versions = await versionsOf(
    db,
    mountId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...toSecret(row), versions: versions.get(row.id) ?? [] }))
}

/** A secret that ends at a known time. */
export type EndingSecret = { readonly mountPath: string; readonly path: string; readonly endsAt: Instant }

/** Secrets that end in a span of time, the first ones first. */
export async function findEndingSecrets(
  db: Queryable,
  { from, until }: { readonly from: Instant; readonly until: Instant },
  most: number,
): Promise<EndingSecret[]> {
  const rows = await db
    .selectFrom('kv_secrets')
    .innerJoin('mounts', 'mounts.id', 'kv_secrets.mount_id')
    .select(['mounts.path', 'folder', 'name', 'ends_at'])
    .where('ends_at', 'is not', null)
    .where('ends_at', '>', from)
    .where('ends_at', '<=', until)
    .orderBy('ends_at')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    mountPath: row.path,
    path: `${row.folder}${row.name}`,
    endsAt: instant(Number(row.ends_at)),
  }))
}

/** When the first secret of each mount ends. */
export async function firstEnds(db: Queryable): Promise<Pick<EndingSecret, 'mountPath' | 'endsAt'>[]> {
  const rows = await db
    .selectFrom('kv_secrets')
    .innerJoin('mounts', 'mounts.id', 'kv_secrets.mount_id')
    .select((eb) => ['mounts.path', eb.fn.min('ends_at').as('ends_at')])
    .where('ends_at', 'is not', null)
    .groupBy('mounts.path')
    .orderBy('mounts.path')
    .execute()
  return rows.map(({ path, ends_at }) => ({ mountPath: path, endsAt: instant(Number(ends_at)) }))
}
