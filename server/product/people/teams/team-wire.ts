import {
  type OrganizationAccess,
  type OrganizationGrants,
  organizationAccessNames,
} from '../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import {
  type Attribute,
  attribute,
  changing,
  listQuery,
  parameter,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toMany,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { facts, settings } from './team-fields.ts'
import { canFillTeam, canManageTeam, canManageTeamTokens, type TeamDetails, type TeamSettings } from './team-rules.ts'

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** One flag for each grant over the organization. */
const accessFlags = Object.fromEntries(
  organizationAccessNames.map((name) => [camel(name), attribute.flag(`Grants ${name}.`)]),
) as Readonly<Record<string, Attribute<boolean, false>>>

const attributes = {
  ...settings.fields,
  organizationAccess: attribute.object('What the team may do in the whole organization.', accessFlags),
} as const

/** The body that makes a team. */
export const newTeamBody = resourceBody('teams', { attributes })

/** The body that changes a team. */
export const changedTeamBody = resourceBody('teams', { attributes: changing(attributes) })

/** Settings as they were sent; grants that are not sent stay as they are. */
export function toSettings(
  sent: Partial<Values<typeof attributes>>,
  before: readonly OrganizationAccess[],
): TeamSettings {
  const { organizationAccess } = sent
  const given = settings.given(sent)
  if (!organizationAccess) return given
  const access = organizationAccessNames.filter((name) => organizationAccess[camel(name)] ?? before.includes(name))
  return { ...given, access }
}

const include = ['users', 'organization_memberships'] as const

/** The query of a list of teams. */
export const teamsQuery = listQuery({
  include,
  parameters: {
    search: parameter.text('q', 'Part of the name.'),
    names: parameter.list('filter[names]', 'Names.'),
  },
})

/** The query of a read of one team. */
export const teamQuery = showQuery({ include })

const permissionNames = [
  'can-destroy',
  'can-update-membership',
  'can-update-organization-access',
  'can-update-api-token',
  'can-update-visibility',
  'can-update-name',
] as const

/** A team as answers show it. */
export const teamSchema = resourceSchema('teams', {
  attributes: {
    ...settings.shown,
    ...facts.shown,
    'users-count': shown.whole('Number of members.'),
    'organization-access': shown.flags(organizationAccessNames, 'What it may do in the whole organization.'),
    permissions: shown.flags(permissionNames, 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'The organization.',
    users: 'Its members.',
    'organization-memberships': 'The memberships of its members.',
    'authentication-token': 'Its token.',
  },
})

/** Who is in a team. */
export type TeamMembers = { readonly userIds: readonly string[]; readonly membershipIds: readonly string[] }

/** A team as a resource; members are linked when they are known. */
export const toTeamResource = (
  team: TeamDetails,
  grants: OrganizationGrants,
  actor: ActorPrincipal,
  members: TeamMembers,
): Resource => ({
  type: 'teams',
  id: team.id,
  attributes: {
    ...settings.toDocument(team),
    ...facts.toDocument(team),
    'users-count': team.usersCount,
    'organization-access': Object.fromEntries(
      organizationAccessNames.map((name) => [name, team.owners || team.access.includes(name)]),
    ),
    permissions: permissionsOf(team, grants, actor),
  },
  relationships: {
    organization: toOne('organizations', grants.organizationName),
    users: toMany('users', members.userIds),
    'organization-memberships': toMany('organization-memberships', members.membershipIds),
    'authentication-token': { links: { related: `/api/v2/teams/${team.id}/authentication-token` } },
  },
  links: { self: `/api/v2/teams/${team.id}` },
})

function permissionsOf(
  team: TeamDetails,
  grants: OrganizationGrants,
  actor: ActorPrincipal,
): Readonly<Record<(typeof permissionNames)[number], boolean>> {
  const manages = canManageTeam(grants, team)
  return {
    'can-destroy': manages && !team.owners,
    'can-update-membership': canFillTeam(grants, team),
    'can-update-organization-access': manages && !team.owners,
    'can-update-api-token': canManageTeamTokens(grants, team, actor),
    'can-update-visibility': manages,
    'can-update-name': manages && !team.owners,
  }
}
