import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { attemptSweep } from '../../../kit/throttling/index.ts'
import { adminActionEndpoints } from './administration/admin-action-endpoints.ts'
import { adminUserEndpoints } from './administration/admin-user-endpoints.ts'
import { sessionSweep } from './sessions/session-actions.ts'
import { ensureAdministrator } from './user-actions.ts'
import { userEndpoints } from './user-endpoints.ts'

export { runDepartureSteps } from './departure-actions.ts'
export { invitedUserId, type OpenInvitation } from './invited/invitation.ts'
export { createMember, invitationOfLink, joinByLink } from './invited/joining-actions.ts'
export { type NewLink, newLink, ownerOfLink, redeemLink } from './links/account-link-actions.ts'
export type { LinkPurpose } from './links/account-link-store.ts'
export { deleteMembership, insertMembership } from './organization-membership-store.ts'
export { hashOfPassword, passwordClaim } from './password-actions.ts'
export {
  csrfTokenOf,
  endSession,
  endSessionOf,
  endSessionsOf,
  openSessionsOf,
  resumeSession,
  type SessionStart,
  serviceTokenOf,
  sessionLifetimeMs,
  startSession,
} from './sessions/session-actions.ts'
export {
  deleteSessions,
  type ListedSession,
  loadSession,
  lockSessionForUpdate,
  type Session,
} from './sessions/session-store.ts'
export { administratorName, emailProblem, foldCase, shortestPassword, type User } from './user.ts'
export { renderUsers } from './user-endpoints.ts'
export { serviceUserId, toInvitedResource, toServiceUserResource, toUserResource } from './user-fields.ts'
export { loadUser, loadUserByEmail, loadUserByName, loadUsers } from './user-store.ts'

/** People: accounts, passwords, invitation and reset links, browser sessions. */
export const usersFeature: Feature = defineFeature({
  name: 'users',
  endpoints: [...userEndpoints, ...adminUserEndpoints, ...adminActionEndpoints],
  jobs: [sessionSweep, attemptSweep],
  start: ensureAdministrator,
})
