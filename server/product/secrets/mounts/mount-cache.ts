import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { isFixedMount, MountTable } from './mount-rules.ts'
import { loadMounts, lockAddedMountForShare } from './mount-store.ts'

const tables = perApp((deps) => new VersionedCache<'table', MountTable>(deps.store.versions, 'mounts', { max: 1 }))

/** The present mounts; read again only after a change. */
export const mountTable = async (deps: Pick<Deps, 'db' | 'store' | 'mountKinds'>): Promise<MountTable> =>
  await tables(deps).getOrLoad('table', () => loadTable(deps, deps.db))

/** The mounts as a transaction sees them, for what must hold when it commits. */
export const mountTableIn = (deps: Pick<Deps, 'mountKinds'>, tx: Tx): Promise<MountTable> => loadTable(deps, tx)

const loadTable = async ({ mountKinds }: Pick<Deps, 'mountKinds'>, db: Queryable): Promise<MountTable> =>
  new MountTable(mountKinds, await loadMounts(db))

/** True if a mount exists and is not being removed; it cannot be removed before this transaction ends. */
export const lockMountForShare = async (
  { mountKinds }: Pick<Deps, 'mountKinds'>,
  tx: Tx,
  accessor: string,
): Promise<boolean> => isFixedMount(mountKinds, accessor) || (await lockAddedMountForShare(tx, accessor))
