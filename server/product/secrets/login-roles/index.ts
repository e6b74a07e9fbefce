import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { lockoutEndpoints } from './lockout-endpoints.ts'
import { pageOfHolders } from './login-role-actions.ts'

export { underLockout } from './lockout-actions.ts'
export {
  checkTokenTerms,
  equivalentRolePaths,
  type LoginRole,
  roleNameOf,
  termWarnings,
} from './login-role.ts'
export {
  countedLogin,
  findRole,
  issueRoleToken,
  type KnownRole,
  type RoleKind,
  renewalTermsOf,
  requireAddress,
  roleForLogin,
  roleHolder,
  termsOf,
  writeRole,
} from './login-role-actions.ts'
export {
  addressedRole,
  requireLinkSudo,
  requireRole,
  roleEndpoints,
  roleParams,
  writeAddressedRole,
} from './login-role-endpoints.ts'
export { cidrsOf } from './login-role-fields.ts'
export { removeSomeRoles } from './login-role-store.ts'
export {
  closedTeamText,
  lostTeam,
  lostTeamText,
  type TeamLink,
  teamIdOf,
  teamLinkOf,
  teamWarnings,
} from './team-link-actions.ts'

/** What the roles of all auth methods have in common, and who waits after wrong credentials. */
export const loginRolesFeature: Feature = defineFeature({
  name: 'login-roles',
  endpoints: lockoutEndpoints,
  parts: { holderSource: { kind: 'role', source: 'role', page: pageOfHolders } },
})
