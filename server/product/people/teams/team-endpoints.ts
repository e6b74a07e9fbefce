import {
  inOrganization,
  type OrganizationGrants,
  onResource,
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
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  pageSchema,
  rangeOf,
  requireSameId,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { changeTeam, createTeam, removeTeam } from './team-actions.ts'
import { renderTeams } from './team-answers.ts'
import { canManageTeam, canSeeEveryTeam, canSeeTeam, type Team, type TeamDetails } from './team-rules.ts'
import { listTeams, loadTeam } from './team-store.ts'
import { changedTeamBody, newTeamBody, teamQuery, teamSchema, teamsQuery, toSettings } from './team-wire.ts'

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
      const found = await listTeams(call.deps.db, filter, rangeOf(query.page))
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
      const requested = { ...toSettings(attributes, []), name: attributes.name }
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
      const wanted = ({ access }: Team) => toSettings(call.body.attributes, access)
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
