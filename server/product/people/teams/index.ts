import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { membershipEndpoints } from './memberships/membership-endpoints.ts'
import { teamEndpoints } from './team-endpoints.ts'
import { teamMemberEndpoints } from './team-member-endpoints.ts'

export { findLinkedTeam } from './linked-team-actions.ts'
export { createOwnersTeam, requireCanGrantTeam } from './team-actions.ts'
export { renderIncludedTeams } from './team-answers.ts'
export { onTeam } from './team-endpoints.ts'
export { canManageTeamTokens, canSeeEveryTeam, canSeeTeam, type Team } from './team-rules.ts'
export { loadTeam, loadTeamByNames, loadTeams } from './team-store.ts'

/** Teams and who belongs to organizations. */
export const teamsFeature: Feature = defineFeature({
  name: 'teams',
  endpoints: [...membershipEndpoints, ...teamEndpoints, ...teamMemberEndpoints],
})
