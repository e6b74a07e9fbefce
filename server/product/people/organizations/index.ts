import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { attentionEndpoints } from './attention/attention-endpoints.ts'
import { changeEndpoints } from './changes/change-endpoints.ts'
import { seedDemo } from './dev-seed.ts'
import { organizationRemover } from './organization-actions.ts'
import { organizationEndpoints } from './organization-endpoints.ts'
import { renderOrganizations } from './organization-listing-endpoints.ts'
import { removalEndpoints } from './removals/removal-endpoints.ts'
import { organizationRetentionEndpoints } from './retention/organization-retention-endpoints.ts'
import { tierEndpoints } from './tiers/tier-endpoints.ts'
import { tokenLimitEndpoints } from './token-limits/token-limit-endpoints.ts'

export { type ExecutionMode, executionModes } from './execution-modes.ts'
export {
  defaultPoolPointers,
  type Organization,
  type OrganizationDefaults,
} from './organization.ts'
export { organizationOf } from './organization-actions.ts'
export { sentDefaultPool, toOrganizationResource } from './organization-endpoints.ts'
export { hasAgentPool, loadOrganization, loadOrganizationByName, lockAgentPoolForShare } from './organization-store.ts'
export { followerFaults, listNames } from './pool-followers.ts'
export { loadPoolFollowers, lockDefaultPoolForShare } from './pool-followers-store.ts'
export {
  blankSettings,
  type CountedProject,
  defaultsInForce,
  type InheritedDefaults,
  type Project,
  type ProjectSettings,
  passedDefaults,
} from './projects/project.ts'
export { toProjectResource } from './projects/project-document-fields.ts'
export {
  activityDurationProblem,
  projectDefaults,
  projectFacts,
  projectSettings,
} from './projects/project-fields.ts'
export {
  countedProjects,
  deleteProject,
  insertProject,
  loadProjects,
  toCounted,
  toProject,
  updateProject,
} from './projects/project-row-store.ts'
export type { RetentionPolicy } from './retention/data-retention.ts'
export { retentionPoliciesOf, retentionPolicyOf } from './retention/data-retention-actions.ts'
export { retentionEndpointsFor, toRetentionLink } from './retention/data-retention-endpoints.ts'
export { deleteRetentionPolicy } from './retention/data-retention-store.ts'

import { searchEndpoints } from './search/search-endpoints.ts'

/** Organizations: their settings, entitlements and default retention policy. */
export const organizationsFeature: Feature = defineFeature({
  name: 'organizations',
  endpoints: [
    ...organizationEndpoints,
    ...organizationRetentionEndpoints,
    ...tierEndpoints,
    ...tokenLimitEndpoints,
    ...changeEndpoints,
    ...removalEndpoints,
    ...searchEndpoints,
    ...attentionEndpoints,
  ],
  parts: { renderOrganizations, remover: organizationRemover },
  devSeed: seedDemo,
})
