import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { lockFormEndpoints } from './lock-form-endpoints.ts'
import { statePageEndpoints } from './states/state-page-endpoints.ts'
import { versionPageEndpoints } from './states/version-page-endpoints.ts'
import { workspaceListEndpoints } from './workspace-list-endpoints.ts'
import { workspacePageEndpoints } from './workspace-page-endpoints.ts'

/** Pages that show workspaces to people. */
export const workspacePagesFeature: Feature = defineFeature({
  name: 'workspace-pages',
  endpoints: [
    ...workspaceListEndpoints,
    ...workspacePageEndpoints,
    ...lockFormEndpoints,
    ...statePageEndpoints,
    ...versionPageEndpoints,
  ],
})
