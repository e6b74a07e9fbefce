import {
  anyActor,
  canOnProject,
  canOnWorkspace,
  canSeeWorkspace,
  grantsInOrganization,
  hidden,
  type OrganizationGrants,
  onResource,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Access, type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  entriesOn,
  listQuery,
  pageSchema,
  parameter,
  requireSameId,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import type { Queryable } from '../../../storage/open.ts'
import { loadWorkspace } from '../../workspaces/workspaces/index.ts'
import { loadProject } from '../projects/index.ts'
import { canSeeTeam } from '../teams/index.ts'
import {
  changeAccess,
  grantAccess,
  projectAccess,
  revokeAccess,
  type WritableKind,
  workspaceAccess,
} from './access-actions.ts'
import { type AccessWire, projectAccessWire, workspaceAccessWire } from './access-fields.ts'
import type { ProjectDetails, TeamAccess, WorkspaceDetails } from './team-access.ts'

type Target = { readonly id: string; readonly organizationId: string }
type Judge<T> = (grants: OrganizationGrants, target: T) => boolean

/** What the endpoints of one kind of access depend on. */
type AccessApi<D extends object, T extends Target> = {
  readonly noun: 'workspace' | 'project'
  readonly idName: 'teamWorkspaceId' | 'teamProjectId'
  readonly writable: WritableKind<D>
  readonly wire: AccessWire<D>
  readonly loadTarget: (db: Queryable, id: string) => Promise<T | undefined>
  readonly mayRead: Judge<T>
  readonly mayManage: Judge<T>
}

type FoundAccess<D, T> = { readonly organizationId: string; readonly given: TeamAccess<D>; readonly target: T }

/**
 * Callers who manage the workspace or project see all access to it; those who read it see that of teams they can see.
 */
const onAccess = <D extends object, T extends Target>(
  api: AccessApi<D, T>,
  rule: 'read' | 'manage',
): Access<PermittedResource<FoundAccess<D, T>>> =>
  onResource({
    name: `${api.noun}:${rule}-teams`,
    load: async ({ deps, params }) => {
      const id = params[api.idName] ?? ''
      if (!isId(api.writable.prefix, id)) return undefined
      const given = await api.writable.store.load(deps.db, id)
      const target = given && (await api.loadTarget(deps.db, given.targetId))
      return target && { organizationId: given.organizationId, given, target }
    },
    allows: (grants, { given, target }) =>
      api.mayManage(grants, target) ||
      (rule === 'read' && api.mayRead(grants, target) && canSeeTeam(grants, given.team)),
  })

/** The workspace or project that a body or filter names, and the rights of the caller on it. */
async function judgeTarget<D extends object, T extends Target>(
  call: Pick<Call, 'deps' | 'caller'>,
  api: AccessApi<D, T>,
  id: string,
  may: Judge<T>,
): Promise<{ grants: OrganizationGrants; target: T }> {
  const target = await api.loadTarget(call.deps.db, id)
  if (!target) throw hidden()
  const grants = await grantsInOrganization(call, target.organizationId)
  if (!may(grants, target)) throw hidden()
  return { grants, target }
}

function filterMissing(name: string): Failure {
  const detail = `Say whose access is asked for with ${name}.`
  return failure('invalid', 'team-access.filter', detail, { faults: [{ detail, parameter: name }] })
}

const byId = <D extends object, T extends Target>({ idName, writable }: AccessApi<D, T>) => ({
  [idName]: { description: 'Identifier of the access.', example: `${writable.prefix}-1111111111111111` },
})

function readingEndpoints<D extends object, T extends Target>(api: AccessApi<D, T>): readonly Endpoint[] {
  const { noun, writable, wire, idName } = api
  const { type } = writable
  const filter = `filter[${noun}][id]`
  const targetId = parameter.text(filter, `Identifier of the ${noun}; required.`)
  const teamId = parameter.text('filter[team][id]', 'The access of this team only.')
  return defineEndpoints('api/v2', [
    endpoint({
      id: `${type}.list`,
      route: `GET /${type}`,
      summary: `List the teams that have access to a ${noun}.`,
      access: anyActor(),
      query: listQuery({ parameters: { targetId, teamId } }),
      returns: { 200: pageSchema(wire.schema) },
      fails: ['missing', 'invalid'],
      handle: async (call) => {
        const { page, targetId: id, teamId: only } = call.query
        if (id === undefined) throw filterMissing(filter)
        const { grants, target } = await judgeTarget(call, api, id, api.mayRead)
        const all = await writable.store.list(call.deps.db, id)
        const maySeeAll = api.mayManage(grants, target)
        const wanted = all.filter(({ team }) => only === undefined || team.id === only)
        const seen = wanted.filter(({ team }) => maySeeAll || canSeeTeam(grants, team))
        const resources = entriesOn(page, seen).map(wire.toResource)
        return answerPage(call, { resources, total: seen.length })
      },
    }),
    endpoint({
      id: `${type}.show`,
      route: `GET /${type}/:${idName}`,
      summary: `Read a team's access to a ${noun}.`,
      access: onAccess(api, 'read'),
      params: byId(api),
      query: showQuery(),
      returns: { 200: documentSchema(wire.schema) },
      fails: ['missing'],
      handle: (call) => answerOne(call, wire.toResource(call.subject.resource.given)),
    }),
  ])
}

function writingEndpoints<D extends object, T extends Target>(api: AccessApi<D, T>): readonly Endpoint[] {
  const { noun, writable, wire, idName } = api
  const { type } = writable
  return defineEndpoints('api/v2', [
    endpoint({
      id: `${type}.create`,
      route: `POST /${type}`,
      summary: `Give a team access to a ${noun}.`,
      access: anyActor(),
      query: showQuery(),
      body: wire.newBody,
      returns: { 201: documentSchema(wire.schema) },
      fails: ['missing', 'invalid', 'refused'],
      handle: async (call) => {
        const { targetId, teamId, requested } = call.body
        const { grants } = await judgeTarget(call, api, targetId, api.mayManage)
        const made = await grantAccess(call.deps, authorOf(call), writable, { grants, teamId, targetId, requested })
        return answerCreated(call, wire.toResource(made))
      },
    }),
    endpoint({
      id: `${type}.update`,
      route: `PATCH /${type}/:${idName}`,
      summary: `Change a team's access to a ${noun}.`,
      access: onAccess(api, 'manage'),
      params: byId(api),
      query: showQuery(),
      body: wire.changedBody,
      returns: { 200: documentSchema(wire.schema) },
      fails: ['missing', 'invalid', 'refused', 'conflict'],
      handle: async (call) => {
        const { grants, resource } = call.subject
        requireSameId(call.body, resource.given.id)
        const change = { grants, id: resource.given.id, requested: call.body.requested }
        return answerOne(call, wire.toResource(await changeAccess(call.deps, authorOf(call), writable, change)))
      },
    }),
    endpoint({
      id: `${type}.delete`,
      route: `DELETE /${type}/:${idName}`,
      summary: `Revoke a team's access to a ${noun}.`,
      access: onAccess(api, 'manage'),
      params: byId(api),
      returns: { 204: null },
      fails: ['missing', 'refused'],
      handle: async (call) => {
        const { grants, resource } = call.subject
        await revokeAccess(call.deps, authorOf(call), writable, { grants, id: resource.given.id })
        return nothing()
      },
    }),
  ])
}

type WorkspaceTarget = Target & { readonly projectId: string }

const onWorkspaces: AccessApi<WorkspaceDetails, WorkspaceTarget> = {
  noun: 'workspace',
  idName: 'teamWorkspaceId',
  writable: workspaceAccess,
  wire: workspaceAccessWire,
  loadTarget: async (db, id) => (isId('ws', id) ? await loadWorkspace(db, id) : undefined),
  mayRead: canSeeWorkspace,
  mayManage: (grants, workspace) => canOnWorkspace(grants, 'can-update', workspace),
}

const onProjects: AccessApi<ProjectDetails, Target> = {
  noun: 'project',
  idName: 'teamProjectId',
  writable: projectAccess,
  wire: projectAccessWire,
  loadTarget: async (db, id) => (isId('prj', id) ? await loadProject(db, id) : undefined),
  mayRead: (grants, { id }) => canOnProject(grants, 'can-read-teams', id),
  mayManage: (grants, { id }) => canOnProject(grants, 'can-manage-teams', id),
}

/** What teams may do with single workspaces and projects. */
export const teamAccessEndpoints: readonly Endpoint[] = [
  ...readingEndpoints(onWorkspaces),
  ...writingEndpoints(onWorkspaces),
  ...readingEndpoints(onProjects),
  ...writingEndpoints(onProjects),
]
