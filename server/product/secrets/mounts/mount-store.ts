import { failure } from '../../../kernel/failure.ts'
import type { Mount, MountConfig } from '../../../kit/mount.ts'
import { bit } from '../../../storage/bits.ts'
import { isClaimLost } from '../../../storage/database-errors.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'

/** An auth method at a path. */
interface MountRow {
  id: string
  /** With a trailing slash: `auth/cert/`. */
  path: string
  type: string
  accessor: string
  /** What the tokens of its logins carry; empty for the id. */
  login_id: string
  description: string
  config: string
  options: string | null
  local: number
  seal_wrap: number
  /** Always 0; earlier versions marked mounts with it that were being removed. */
  tainted: number
  created_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    mounts: MountRow
  }
}

/** Every mount that was added to the fixed ones. */
export async function loadMounts(db: Queryable): Promise<Mount[]> {
  const rows = await db.selectFrom('mounts').selectAll().orderBy('path').execute()
  return rows.map(toMount)
}

/** The added mount with exactly this path. */
export async function findMountByPath(db: Queryable, path: string): Promise<Mount | undefined> {
  const row = await db.selectFrom('mounts').selectAll().where('path', '=', path).executeTakeFirst()
  return row && toMount(row)
}

/** True if an added mount exists; it cannot be removed before this transaction ends. */
export const lockAddedMountForShare = (tx: Tx, accessor: string): Promise<boolean> =>
  lockRowForShare(tx, 'accessor', accessor)

/**
 * Keeps a mount from being removed until this transaction has committed what it stores for it: what is stored after the
 * removal would never be deleted.
 */
export async function requireMount(tx: Tx, id: string): Promise<void> {
  if (await lockRowForShare(tx, 'id', id)) return
  throw mountGone()
}

const present = hotQuery('mounts.present', (db, by: { id: string }) =>
  db.selectFrom('mounts').select('id').where('id', '=', by.id).forShare(),
)

/**
 * The same at the latest right before the commit, with no round trip of its own: the transaction then fails, with an error
 * that `mountGoneIf` knows. Such a transaction claims nothing else.
 */
export const claimMount = async (tx: Tx, id: string): Promise<void> => present.claimBeforeCommit(tx, { id })

/** What callers are told when a claim to a mount has failed; other errors stay as they are. */
export const mountGoneIf = (thrown: unknown): unknown => (isClaimLost(thrown) ? mountGone() : thrown)

const mountGone = () => failure('missing', 'mount.gone', 'This mount was just removed.')

async function lockRowForShare(tx: Tx, column: 'accessor' | 'id', value: string): Promise<boolean> {
  return (
    (await tx.selectFrom('mounts').select('id').where(column, '=', value).forShare().executeTakeFirst()) !== undefined
  )
}

/** Stores a new mount. */
export async function insertMount(tx: Tx, mount: Mount, createdAt: number): Promise<void> {
  await tx
    .insertInto('mounts')
    .values({ ...toRow(mount), created_at: createdAt })
    .execute()
  bumpVersion(tx, 'mounts')
}

/** Replaces the settings of a mount. */
export async function updateMount(tx: Tx, mount: Mount): Promise<void> {
  const { id, ...columns } = toRow(mount)
  await tx.updateTable('mounts').set(columns).where('id', '=', id).execute()
  bumpVersion(tx, 'mounts')
}

/** Removes a mount. */
export async function deleteMount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('mounts').where('id', '=', id).execute()
  bumpVersion(tx, 'mounts')
}

const toMount = (row: MountRow): Mount => ({
  id: row.id,
  path: row.path,
  type: row.type,
  accessor: row.accessor,
  loginId: row.login_id || row.id,
  description: row.description,
  local: row.local === 1,
  sealWrap: row.seal_wrap === 1,
  options: row.options === null ? null : (JSON.parse(row.options) as Record<string, string>),
  config: JSON.parse(row.config) as MountConfig,
})

const toRow = (mount: Mount): Omit<MountRow, 'created_at'> => ({
  id: mount.id,
  path: mount.path,
  type: mount.type,
  accessor: mount.accessor,
  login_id: mount.loginId,
  description: mount.description,
  config: JSON.stringify(mount.config),
  options: mount.options === null ? null : JSON.stringify(mount.options),
  local: bit(mount.local),
  seal_wrap: bit(mount.sealWrap),
  tainted: 0,
})
