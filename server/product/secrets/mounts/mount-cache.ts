import type { Awaitable } from '../../../kernel/awaitable.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { MountTable } from './mount-rules.ts'
import { loadMounts } from './mount-store.ts'

const tables = perApp((deps) => new VersionedCache<'table', MountTable>(deps.store.versions, 'mounts', { max: 1 }))

/** The present mounts; read again only after a change. */
export function mountTable(deps: Pick<Deps, 'db' | 'store'>): Awaitable<MountTable> {
  const cache = tables(deps)
  return cache.getOrLoad('table', async () => new MountTable(await loadMounts(deps.db)))
}

/** The mounts as a transaction sees them, for what must hold when it commits. */
export const mountTableIn = async (tx: Tx): Promise<MountTable> => new MountTable(await loadMounts(tx))
