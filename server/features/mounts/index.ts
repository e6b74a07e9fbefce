import { type Deps, perApp } from '../../kit/deps.ts'
import { defineFeature, type Feature } from '../../kit/feature.ts'
import { VersionedCache } from '../../storage/versions.ts'
import { MountTable } from './mount-rules.ts'
import { loadMounts } from './mount-store.ts'

export type { MountTable } from './mount-rules.ts'

const tables = perApp((deps) => new VersionedCache<'table', MountTable>(deps.store.versions, 'mounts', { max: 1 }))

/** The mounts as they are now; read again only after a change. */
export function mountTable(deps: Pick<Deps, 'db' | 'store'>): MountTable | Promise<MountTable> {
  const cache = tables(deps)
  return cache.get('table') ?? cache.getOrLoad('table', async () => new MountTable(await loadMounts(deps.db)))
}

/** Paths under `/v1` and what answers there. */
export const mountsFeature: Feature = defineFeature({
  name: 'mounts',
  hooks: (deps) => ({
    findMount: (path) => {
      const table = mountTable(deps)
      return table instanceof Promise ? table.then((loaded) => loaded.find(path)) : table.find(path)
    },
  }),
})
