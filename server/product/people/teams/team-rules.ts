import {
  canInOrganization,
  type OrganizationAccess,
  type OrganizationGrants,
} from '../../../access/permissions/index.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'

/** The identifier of a team. */
export type TeamId = Id<'team'>

/** A team of an organization. */
export type Team = {
  readonly id: TeamId
  readonly organizationId: string
  readonly name: string
  /** The team that may do everything; each organization has exactly one, and it is never empty. */
  readonly owners: boolean
  readonly visibility: 'secret' | 'organization'
  readonly access: readonly OrganizationAccess[]
  readonly allowMemberTokenManagement: boolean
  /** True if tokens from certificate logins may act as this team, when their role says so too. */
  readonly allowCertificateLogin: boolean
  /** The identifier of the team in single sign-on. */
  readonly ssoTeamId: string | null
  readonly createdAt: Instant
}

/** A team with the number of its members. */
export type TeamDetails = Team & { readonly usersCount: number }

/** The settings of a team. */
export type TeamSettings = Partial<
  Pick<Team, 'name' | 'visibility' | 'access' | 'allowMemberTokenManagement' | 'allowCertificateLogin' | 'ssoTeamId'>
>

/** The name of the team that each organization is created with. */
export const ownersName = 'owners'

/** What is wrong with the name of a team; plain ASCII, so that no two look alike. */
export function teamNameProblem(name: string): string | undefined {
  if (name.length > 90) return 'is too long, the maximum is 90 characters'
  return /^[A-Za-z0-9_-](?:[A-Za-z0-9 _.-]*[A-Za-z0-9_.-])?$/.test(name)
    ? undefined
    : 'may contain only letters, numbers, spaces, ".", "-" and "_", and no spaces around it'
}

/** Secret teams are visible to their members, to owners, and to those who may see or manage them. */
export function canSeeTeam(grants: OrganizationGrants, team: Pick<Team, 'id' | 'visibility'>): boolean {
  return team.visibility === 'organization' || grants.teamIds.has(team.id) || canSeeEveryTeam(grants)
}

/** True for those who see secret teams, too. */
export const canSeeEveryTeam = (grants: OrganizationGrants): boolean =>
  (['can-access-secret-teams', 'can-manage-teams'] as const).some((right) => canInOrganization(grants, right))

/** Owners are managed by owners, other teams by those who manage teams. */
export const canManageTeam = (grants: OrganizationGrants, team: Pick<Team, 'id' | 'visibility' | 'owners'>): boolean =>
  canSeeTeam(grants, team) && (grants.owner || (!team.owners && canInOrganization(grants, 'can-manage-teams')))

/** Those who manage teams or people decide who is in a team. */
export const canFillTeam = (grants: OrganizationGrants, team: Pick<Team, 'id' | 'visibility' | 'owners'>): boolean =>
  canManageTeam(grants, team) ||
  (canSeeTeam(grants, team) && !team.owners && canInOrganization(grants, 'can-manage-users'))

/** A team's tokens are made by those who manage the team, and by its members if the team allows it. */
export function canManageTeamTokens(grants: OrganizationGrants, team: Team, actor: ActorPrincipal): boolean {
  if (canManageTeam(grants, team)) return true
  return actor.kind === 'user' && team.allowMemberTokenManagement && !team.owners && grants.teamIds.has(team.id)
}
