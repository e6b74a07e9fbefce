import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { retentionJob } from './backing-data/backing-data-actions.ts'
import { backingDataEndpoints } from './backing-data/backing-data-endpoints.ts'
import { stateChangeEndpoints } from './changes/state-change-endpoints.ts'
import { contentEndpoints } from './content/content-endpoints.ts'
import { outputEndpoints } from './outputs/output-endpoints.ts'
import { resourceEndpoints } from './resources/resource-endpoints.ts'
import { stateParts } from './state-parts-endpoints.ts'
import { stateVersionEndpoints } from './state-version-endpoints.ts'

export { contentUrl } from './content/content-url.ts'
export { loadStateVersion } from './records/state-version-store.ts'

/** State: stored encrypted and versioned, written under the lock of its workspace. */
export const stateVersionsFeature: Feature = defineFeature({
  name: 'state-versions',
  endpoints: [
    ...stateVersionEndpoints,
    ...stateChangeEndpoints,
    ...outputEndpoints,
    ...resourceEndpoints,
    ...contentEndpoints,
    ...backingDataEndpoints,
  ],
  jobs: [retentionJob],
  parts: stateParts,
})
