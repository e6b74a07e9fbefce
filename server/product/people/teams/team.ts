import { canInOrganization, type OrganizationGrants } from '../../../access/permissions/grants.ts'
import type { OrganizationAccess } from '../../../access/permissions/organization-rights.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { facts, settings } from './team-fields.ts'

/** The identifier of a team. */
export type TeamId = Id<'team'>

/** A team of an organization. */
export type Team = Stored<typeof settings.fields> &
  Stored<typeof facts.fields> & {
    readonly id: TeamId
    readonly organizationId: string
    readonly access: readonly OrganizationAccess[]
  }

/** A team with the number of its members. */
export type TeamDetails = Team & { readonly usersCount: number }

/** Settings that are sent for a team. */
export type TeamSettings = Partial<Stored<typeof settings.fields> & Pick<Team, 'access'>>

/** True if tokens of logins by this auth method may act as the team. */
export const allowsLogin = ({ allowedLoginMethods }: Pick<Team, 'allowedLoginMethods'>, method: string): boolean =>
  allowedLoginMethods.some((each) => each === method)

/**
 * The older setting for certificates alone always says what the list of methods says about `cert`. Of two that were sent,
 * the one that changes something counts.
 */
export function withLoginMethods(sent: TeamSettings, before: Team['allowedLoginMethods']): TeamSettings {
  const { allowCertificateLogin: flag, allowedLoginMethods: methods } = sent
  if (flag === undefined && methods === undefined) return sent
  const had = before.includes('cert')
  const isListed = methods?.includes('cert') ?? had
  const allowCertificateLogin = flag === undefined || flag === had ? isListed : flag
  const others = (methods ?? before).filter((method) => method !== 'cert')
  const unique = [...new Set(allowCertificateLogin ? ['cert' as const, ...others] : others)]
  return { ...sent, allowCertificateLogin, allowedLoginMethods: unique }
}

/** The name of the team that each organization is created with. */
export const ownersName = 'owners'

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
