import {
  type OrganizationAccess,
  type OrganizationGrants,
  organizationAccessNames,
} from '../../../access/permissions/index.ts'
import { toIso } from '../../../kernel/clock.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import {
  type Attribute,
  attribute,
  listQuery,
  parameter,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toMany,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import {
  canFillTeam,
  canManageTeam,
  canManageTeamTokens,
  type TeamDetails,
  type TeamSettings,
  teamNameProblem,
} from './team-rules.ts'

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** One flag for each grant over the organization. */
const accessFlags = Object.fromEntries(
  organizationAccessNames.map((name) => [camel(name), attribute.flag(`Grants ${name}.`)]),
) as Readonly<Record<string, Attribute<boolean, false>>>

const settings = {
  visibility: attribute.choice('Who sees the team: its members, or everybody in the organization.', [
    'secret',
    'organization',
  ]),
  organizationAccess: attribute.object('What the team may do in the whole organization.', accessFlags),
  allowMemberTokenManagement: attribute.flag('Whether members may create tokens of the team.', { default: true }),
  allowCertificateLogin: attribute.flag('Whether tokens from certificate logins may act as this team.', {
    default: false,
  }),
  ssoTeamId: attribute.text('Name of the team in single sign-on; stored for clients, has no effect.', {
    nullable: true,
    maxLength: 255,
  }),
} as const

const nameRules = { check: teamNameProblem, example: 'operators' } as const

/** The body that makes a team. */
export const newTeamBody = resourceBody('teams', {
  attributes: { name: attribute.text('Name of the team.', { ...nameRules, required: true }), ...settings },
})

/** The body that changes a team. */
export const changedTeamBody = resourceBody('teams', {
  attributes: { name: attribute.text('Name of the team.', nameRules), ...settings },
})

type Sent = {
  readonly visibility?: 'secret' | 'organization'
  readonly organizationAccess?: Readonly<Record<string, boolean | undefined>>
  readonly allowMemberTokenManagement?: boolean
  readonly allowCertificateLogin?: boolean
  readonly ssoTeamId?: string | null
}

/** Settings as they were sent; grants that are not sent stay as they are, and a blank id means none. */
export function toSettings<S extends Sent>(
  sent: S,
  before: readonly OrganizationAccess[],
): Omit<S, 'organizationAccess'> & TeamSettings {
  const { organizationAccess, ...rest } = sent
  const others = rest.ssoTeamId === '' ? { ...rest, ssoTeamId: null } : rest
  if (!organizationAccess) return others
  const access = organizationAccessNames.filter((name) => organizationAccess[camel(name)] ?? before.includes(name))
  return { ...others, access }
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
    name: shown.text('Name of the team.'),
    visibility: shown.text('`secret` or `organization`.'),
    'users-count': shown.whole('Number of members.'),
    'organization-access': shown.flags(organizationAccessNames, 'What it may do in the whole organization.'),
    'allow-member-token-management': shown.flag('Whether members may create its tokens.'),
    'allow-certificate-login': shown.flag('Whether tokens from certificate logins may act as this team.'),
    'sso-team-id': shown.maybeText('Name of the team in single sign-on; stored for clients, has no effect.'),
    'created-at': shown.time('When it was created.'),
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
    name: team.name,
    visibility: team.visibility,
    'users-count': team.usersCount,
    'organization-access': Object.fromEntries(
      organizationAccessNames.map((name) => [name, team.owners || team.access.includes(name)]),
    ),
    'allow-member-token-management': team.allowMemberTokenManagement,
    'allow-certificate-login': team.allowCertificateLogin,
    'sso-team-id': team.ssoTeamId,
    'created-at': toIso(team.createdAt),
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
