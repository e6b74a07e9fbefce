import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { measureRemovals, removalJob } from '../../../kit/removals/index.ts'
import { authMountEndpoints } from './auth-endpoints.ts'
import { mountRemover, mountTable } from './mount-actions.ts'
import { remountEndpoints } from './remount-endpoints.ts'
import { removalEndpoints } from './removal-endpoints.ts'
import { secretMountEndpoints } from './secret-mount-endpoints.ts'

export type { MountTable } from './fixed-mounts.ts'
export { enableAuth, enableEngine, lockMountForShare, mountTable, mountTableIn } from './mount-actions.ts'
export { MountInfo, mountInfo, systemLifetimes } from './mount-fields.ts'
export { claimMount, mountGoneIf, requireMount } from './mount-store.ts'

/** Paths under `/v1` and what answers there. */
export const mountsFeature: Feature = defineFeature({
  name: 'mounts',
  endpoints: [...authMountEndpoints, ...secretMountEndpoints, ...remountEndpoints, ...removalEndpoints],
  jobs: [removalJob],
  parts: { remover: mountRemover },
  start: async (deps) => measureRemovals(deps),
  services: (deps) => ({
    mounts: { find: async (path) => (await mountTable(deps)).find(path) },
  }),
})
