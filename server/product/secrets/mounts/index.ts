import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { authMountEndpoints } from './auth-endpoints.ts'
import { finishRemovalsJob } from './mount-actions.ts'
import { mountTable } from './mount-cache.ts'
import { remountEndpoints } from './remount-endpoints.ts'
import { secretMountEndpoints } from './secret-mount-endpoints.ts'

export { enableAuth } from './mount-actions.ts'
export { lockMountForShare, mountTable, mountTableIn } from './mount-cache.ts'
export type { MountTable } from './mount-rules.ts'
export { requireMount } from './mount-store.ts'
export { MountInfo, mountInfo, systemLifetimes } from './mount-wire.ts'

/** Paths under `/v1` and what answers there. */
export const mountsFeature: Feature = defineFeature({
  name: 'mounts',
  endpoints: [...authMountEndpoints, ...secretMountEndpoints, ...remountEndpoints],
  jobs: [finishRemovalsJob],
  services: (deps) => ({
    mounts: { find: async (path) => (await mountTable(deps)).find(path) },
  }),
})
