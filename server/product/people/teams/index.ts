import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { membershipEndpoints } from './memberships/membership-endpoints.ts'
import { searchTeams } from './team-actions.ts'
import { teamEndpoints } from './team-endpoints.ts'
import { teamMemberEndpoints } from './team-member-endpoints.ts'

export { allowsLogin, canManageTeamTokens, canSeeEveryTeam, canSeeTeam, type Team } from './team.ts'
export { createOwnersTeam, findLinkedTeam, requireCanGrantTeam } from './team-actions.ts'
export { onTeam, renderIncludedTeams } from './team-endpoints.ts'
export { loadTeam, loadTeamByNames, loadTeams } from './team-store.ts'

/** Teams and who belongs to organizations. */
export const teamsFeature: Feature = defineFeature({
  name: 'teams',
  endpoints: [...membershipEndpoints, ...teamEndpoints, ...teamMemberEndpoints],
  parts: { searcher: searchTeams },
})
