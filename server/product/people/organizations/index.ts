import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { changeEndpoints } from './changes/change-endpoints.ts'
import { seedDemo } from './dev-seed.ts'
import { renderOrganizations } from './organization-answers.ts'
import { organizationEndpoints } from './organization-endpoints.ts'
import { organizationRetentionEndpoints } from './retention/organization-retention-endpoints.ts'
import { tierEndpoints } from './tiers/tier-endpoints.ts'

export { type ExecutionMode, executionModes } from './execution-modes.ts'
export { organizationOf } from './organization-actions.ts'
export { sentDefaultPool, toOrganizationResource } from './organization-endpoints.ts'
export {
  defaultPoolPointers,
  type Organization,
  type OrganizationDefaults,
} from './organization-rules.ts'
export { hasAgentPool, loadOrganization, loadOrganizationByName, lockAgentPoolForShare } from './organization-store.ts'
export { followerFaults, listNames } from './pool-followers-rules.ts'
export { loadPoolFollowers, lockDefaultPoolForShare } from './pool-followers-store.ts'
export {
  activityDurationProblem,
  projectDefaults,
  projectFacts,
  projectSettings,
} from './projects/project-fields.ts'
export { toProjectResource } from './projects/project-resource-wire.ts'
export {
  countedProjects,
  deleteProject,
  insertProject,
  loadProjects,
  toCounted,
  toProject,
  updateProject,
} from './projects/project-row-store.ts'
export {
  blankSettings,
  type CountedProject,
  defaultsInForce,
  type InheritedDefaults,
  type Project,
  type ProjectSettings,
  passedDefaults,
} from './projects/project-rules.ts'
export { retentionPoliciesOf, retentionPolicyOf } from './retention/retention-actions.ts'
export { retentionEndpointsFor, toRetentionLink } from './retention/retention-endpoints.ts'
export type { RetentionPolicy } from './retention/retention-rules.ts'
export { deleteRetentionPolicy } from './retention/retention-store.ts'

/** Organizations: their settings, entitlements and default retention policy. */
export const organizationsFeature: Feature = defineFeature({
  name: 'organizations',
  endpoints: [...organizationEndpoints, ...organizationRetentionEndpoints, ...tierEndpoints, ...changeEndpoints],
  parts: { renderOrganizations },
  devSeed: seedDemo,
})
