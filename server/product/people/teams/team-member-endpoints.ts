import type { PermittedResource } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Access, Endpoint } from '../../../kit/endpoint.ts'
import { defineEndpoints, endpoint } from '../../../kit/endpoint.ts'
import { listBody } from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { canFillTeam, type TeamDetails } from './team.ts'
import { addMembers, type MemberNames, removeMembers } from './team-actions.ts'
import { onTeam } from './team-endpoints.ts'

const access: Access<PermittedResource<TeamDetails>> = onTeam('update-membership', canFillTeam)

const emptyRefused = "can't be empty"

type Kind = {
  readonly type: 'users' | 'organization-memberships'
  readonly names: (ids: readonly string[]) => MemberNames
}

const kinds: readonly Kind[] = [
  { type: 'users', names: (users) => ({ users }) },
  { type: 'organization-memberships', names: (memberships) => ({ memberships }) },
]

const endpointsFor = ({ type, names }: Kind) => {
  const common = {
    access,
    params: { teamId: { description: 'Identifier of the team.' } },
    body: listBody(type, { emptyRefused }),
    returns: { 204: null },
    fails: ['missing', 'invalid', 'refused'],
  } as const
  const idsOf = (body: readonly { readonly id: string | undefined }[]) => names(body.map(({ id }) => id ?? ''))
  return [
    endpoint({
      ...common,
      id: `teams.add-${type}`,
      route: `POST /teams/:teamId/relationships/${type}`,
      summary:
        type === 'users'
          ? 'Add members to a team by username or user id.'
          : 'Add members to a team by organization membership.',
      handle: async (call) => {
        const { resource, grants } = call.subject
        await addMembers(call.deps, authorOf(call), { grants, team: resource, names: idsOf(call.body) })
        return nothing()
      },
    }),
    endpoint({
      ...common,
      id: `teams.remove-${type}`,
      route: `DELETE /teams/:teamId/relationships/${type}`,
      summary:
        type === 'users'
          ? 'Remove members from a team by username or user id.'
          : 'Remove members from a team by organization membership.',
      handle: async (call) => {
        await removeMembers(call.deps, authorOf(call), call.subject.resource, idsOf(call.body))
        return nothing()
      },
    }),
  ]
}

/** Who is in a team: by person, or by membership. */
export const teamMemberEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', kinds.flatMap(endpointsFor))
