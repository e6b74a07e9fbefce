import {
  actorOf,
  inOrganization,
  type OrganizationGrants,
  onResource,
  organizationAccessNames,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import {
  type Access,
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  type RuleCall,
} from '../../../kit/endpoint.ts'
import {
  type Attribute,
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  changing,
  documentSchema,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toMany,
  toOne,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { renderUsers } from '../users/index.ts'
import { visibleMembership } from './memberships/membership.ts'
import { toMembershipResource } from './memberships/membership-fields.ts'
import { listMembershipsById } from './memberships/membership-store.ts'
import {
  canFillTeam,
  canManageTeam,
  canManageTeamTokens,
  canSeeEveryTeam,
  canSeeTeam,
  type Team,
  type TeamDetails,
  type TeamSettings,
  withLoginMethods,
} from './team.ts'
import { changeTeam, createTeam, removeTeam } from './team-actions.ts'
import { facts, settings } from './team-fields.ts'
import { listTeamMembers, listTeams, loadTeam } from './team-store.ts'

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
const newTeamBody = resourceBody('teams', { attributes })

/** The body that changes a team. */
const changedTeamBody = resourceBody('teams', { attributes: changing(attributes) })

/** Settings as they were sent; grants that are not sent stay as they are. */
function toSettings(sent: Partial<Values<typeof attributes>>, before?: Team): TeamSettings {
  const { organizationAccess } = sent
  const given = withLoginMethods(settings.given(sent), before?.allowedLoginMethods ?? [])
  if (!organizationAccess) return given
  const had = before?.access ?? []
  const access = organizationAccessNames.filter((name) => organizationAccess[camel(name)] ?? had.includes(name))
  return { ...given, access }
}

const include = ['users', 'organization_memberships'] as const

/** The query of a list of teams. */
const teamsQuery = listQuery({
  include,
  parameters: {
    search: parameter.text('q', 'Part of the name.'),
    names: parameter.list('filter[names]', 'Names.'),
  },
})

/** The query of a read of one team. */
const teamQuery = showQuery({ include })

const permissionNames = [
  'can-destroy',
  'can-update-membership',
  'can-update-organization-access',
  'can-update-api-token',
  'can-update-visibility',
  'can-update-name',
] as const

/** A team as answers show it. */
const teamSchema = resourceSchema('teams', {
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
type TeamMembers = { readonly userIds: readonly string[]; readonly membershipIds: readonly string[] }

/** A team as a resource; members are linked when they are known. */
const toTeamResource = (
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

type ReadCall = Pick<Call, 'deps' | 'caller'> & { readonly query: { readonly include: ReadonlySet<string> } }

/** Teams as resources with their members, and what was asked to be included: two to four queries for a page. */
async function renderTeams<const T extends readonly TeamDetails[]>(
  call: ReadCall,
  grants: OrganizationGrants,
  teams: T,
): Promise<{ resources: { [K in keyof T]: Resource }; included: readonly Resource[] }> {
  const actor = actorOf(call.caller)
  const places = await listTeamMembers(
    call.deps.reads,
    teams.map(({ id }) => id),
  )
  const membersOf = membersAmong(places)
  const resources = teams.map((team) => toTeamResource(team, grants, actor, membersOf(team)))
  return { resources: resources as { [K in keyof T]: Resource }, included: await includedOf(call, grants, places) }
}

/** Teams as they are included with something else, each with the rights of the caller in its organization. */
export async function renderIncludedTeams(
  { deps, caller }: Pick<Call, 'deps' | 'caller'>,
  teams: readonly { readonly team: TeamDetails; readonly grants: OrganizationGrants }[],
): Promise<Resource[]> {
  if (teams.length === 0) return []
  const ids = teams.map(({ team }) => team.id)
  const membersOf = membersAmong(await listTeamMembers(deps.reads, ids))
  return teams.map(({ team, grants }) => toTeamResource(team, grants, actorOf(caller), membersOf(team)))
}

type Place = Awaited<ReturnType<typeof listTeamMembers>>[number]

function membersAmong(places: readonly Place[]): (team: TeamDetails) => TeamMembers {
  const byTeam = Map.groupBy(places, ({ teamId }) => teamId)
  return ({ id }) => {
    const own = byTeam.get(id) ?? []
    return {
      userIds: own.flatMap(({ userId }) => userId ?? []),
      membershipIds: own.map(({ membershipId }) => membershipId),
    }
  }
}

async function includedOf(
  call: ReadCall,
  grants: OrganizationGrants,
  places: readonly { readonly userId: string | null; readonly membershipId: string }[],
): Promise<Resource[]> {
  const { include } = call.query
  const userIds = include.has('users') ? [...new Set(places.flatMap(({ userId }) => userId ?? []))] : []
  const wanted = include.has('organization_memberships') ? places.map(({ membershipId }) => membershipId) : []
  const memberships = wanted.length > 0 ? await listMembershipsById(call.deps.db, wanted) : []
  return [
    ...(await renderUsers(call, userIds)),
    ...memberships.map((membership) => toMembershipResource(visibleMembership(grants, membership))),
  ]
}

const byId = { teamId: { description: 'Identifier of the team.' } }

/** The team a path addresses. */
async function addressedTeam(call: RuleCall): Promise<TeamDetails | undefined> {
  const id = call.params.teamId ?? ''
  return isId('team', id) ? loadTeam(call.deps.db, id) : undefined
}

/** Access to the team in the path, for those whom the rule allows. */
export const onTeam = (
  name: string,
  allows: (grants: OrganizationGrants, team: Team, actor: ActorPrincipal) => boolean,
): Access<PermittedResource<TeamDetails>> => onResource({ name: `team:${name}`, load: addressedTeam, allows })

const withUsersCount = async (call: Pick<Call, 'deps'>, team: Team): Promise<TeamDetails> =>
  (await loadTeam(call.deps.db, team.id)) ?? { ...team, usersCount: 0 }

/** Teams: groups of people that rights are given to. */
export const teamEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'teams.list',
    route: 'GET /organizations/:organization/teams',
    summary: 'List the teams you can see.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: teamsQuery,
    returns: { 200: pageSchema(teamSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { subject: grants, query } = call
      const secretFor = canSeeEveryTeam(grants) ? undefined : grants.teamIds
      const filter = { organizationId: grants.organizationId, names: query.names, search: query.search, secretFor }
      const found = await listTeams(call.deps.reads, filter, rangeOf(query.page))
      const { resources, included } = await renderTeams(call, grants, found.teams)
      return answerPage(call, { resources, total: found.total }, { included })
    },
  }),
  endpoint({
    id: 'teams.create',
    route: 'POST /organizations/:organization/teams',
    summary: 'Create a team.',
    access: inOrganization('can-create-team'),
    params: organizationInPath,
    query: teamQuery,
    body: newTeamBody,
    returns: { 201: documentSchema(teamSchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { attributes } = call.body
      const requested = { ...toSettings(attributes), name: attributes.name }
      const team = await createTeam(call.deps, authorOf(call), call.subject, requested)
      const { resources, included } = await renderTeams(call, call.subject, [{ ...team, usersCount: 0 }])
      return answerCreated(call, resources[0], { included })
    },
  }),
  endpoint({
    id: 'teams.show',
    route: 'GET /teams/:teamId',
    summary: 'Read a team.',
    access: onTeam('read', canSeeTeam),
    params: byId,
    query: teamQuery,
    returns: { 200: documentSchema(teamSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { resources, included } = await renderTeams(call, call.subject.grants, [call.subject.resource])
      return answerOne(call, resources[0], { included })
    },
  }),
  endpoint({
    id: 'teams.update',
    route: 'PATCH /teams/:teamId',
    summary: 'Change a team.',
    access: onTeam('update', canManageTeam),
    params: byId,
    query: teamQuery,
    body: changedTeamBody,
    returns: { 200: documentSchema(teamSchema) },
    fails: ['missing', 'refused', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      requireSameId(call.body, resource.id)
      const wanted = (before: Team) => toSettings(call.body.attributes, before)
      const team = await changeTeam(call.deps, authorOf(call), { grants, id: resource.id, wanted })
      const { resources, included } = await renderTeams(call, grants, [await withUsersCount(call, team)])
      return answerOne(call, resources[0], { included })
    },
  }),
  endpoint({
    id: 'teams.delete',
    route: 'DELETE /teams/:teamId',
    summary: 'Delete a team with its access and tokens; the owners team cannot be deleted.',
    access: onTeam('delete', canManageTeam),
    params: byId,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await removeTeam(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
])
