import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { retentionJob } from './backing-data/backing-data-actions.ts'
import { backingDataEndpoints } from './backing-data/backing-data-endpoints.ts'
import { contentEndpoints } from './content/content-endpoints.ts'
import { outputEndpoints } from './outputs/output-endpoints.ts'
import { resourceEndpoints } from './resources/resource-endpoints.ts'
import { stateParts } from './state-parts-endpoints.ts'
import { stateVersionEndpoints } from './state-version-endpoints.ts'

export { listedInstances } from './analysis/resource-list.ts'
export { type Change, namedAttributes } from './changes/state-change.ts'
export { type Comparison, compareVersions } from './changes/state-change-actions.ts'
export { contentUrl } from './content/content-url.ts'
export {
  listStateVersions,
  loadNewest,
  loadSerialsBetween,
  loadStateVersion,
  loadVersionBefore,
} from './records/state-version-store.ts'
export { listResources } from './resources/resource-endpoints.ts'
export type { StateStatus, StateVersion } from './state-version.ts'
export { stateVersionInPath } from './state-version-access-actions.ts'
export { includeWithVersions } from './state-version-document-endpoints.ts'
export { rollbackState } from './writing/rollback-actions.ts'

/** State: stored encrypted and versioned, written under the lock of its workspace. */
export const stateVersionsFeature: Feature = defineFeature({
  name: 'state-versions',
  endpoints: [
    ...stateVersionEndpoints,
    ...outputEndpoints,
    ...resourceEndpoints,
    ...contentEndpoints,
    ...backingDataEndpoints,
  ],
  jobs: [retentionJob],
  parts: stateParts,
})
