import { sweepScratch, sweepSpool } from '../../archive/index.ts'
import { defineFeature, type Feature } from '../../kit/feature.ts'
import { throttledRefresh } from '../../kit/throttled-refresh.ts'
import { configurationEndpoints } from './configurations/configuration-endpoints.ts'
import { seedDevSnapshots } from './dev-seed.ts'
import { loadEndpoints } from './manual/load-endpoints.ts'
import { restoreEndpoints } from './manual/restore-endpoints.ts'
import { saveEndpoints } from './manual/save-endpoints.ts'
import { storedEndpoints } from './manual/stored-endpoints.ts'
import { snapshotJobs } from './schedule/schedule-actions.ts'
import { readFigures } from './schedule/snapshot-metrics-actions.ts'
import { controlEndpoints } from './status/control-endpoints.ts'
import { inventoryEndpoints } from './status/inventory-endpoints.ts'
import { snapshotHealth, watchSnapshots } from './status/status-actions.ts'
import { statusEndpoints } from './status/status-endpoints.ts'

export { packagesProblemOf, placeProblemOf } from './configurations/configuration-actions.ts'
export { loadPlacements } from './configurations/configuration-store.ts'

/** Automated snapshots. */
export const snapshotsFeature: Feature = defineFeature({
  name: 'snapshots',
  endpoints: [
    ...configurationEndpoints,
    ...statusEndpoints,
    ...controlEndpoints,
    ...inventoryEndpoints,
    ...saveEndpoints,
    ...restoreEndpoints,
    ...storedEndpoints,
    ...loadEndpoints,
  ],
  jobs: snapshotJobs,
  devSeed: seedDevSnapshots,
  parts: { healthDetails: snapshotHealth, serverWatch: watchSnapshots },
  start: async (deps) => {
    const refresh = () => readFigures(deps)
    deps.metrics.onRender(throttledRefresh(deps, { refresh, goodFor: 0, failed: 'figures of snapshots not read' }))
    const removed = (await sweepSpool(deps)) + (await sweepScratch(deps))
    if (removed > 0) deps.log.info({ removed }, 'leftovers of interrupted snapshots and restores removed')
  },
})
