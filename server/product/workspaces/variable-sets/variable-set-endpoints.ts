import {
  hidden,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  changing,
  documentSchema,
  type Item,
  invalidRelationship,
  type ListQuery,
  listBody,
  listQuery,
  pageSchema,
  parameter,
  rangeOf,
  relation,
  requireSameId,
  resourceBody,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { loadProject, onProject, projectInPath } from '../../people/projects/index.ts'
import { toNewVariable, variableAttributes } from '../variables/index.ts'
import { onWorkspace, workspaceInPath } from '../workspaces/index.ts'
import { type VariableSet, variableReaders } from './variable-set.ts'
import { type AddressedSet, onManagedSet, onNewSet, onReadableSet, setInPath } from './variable-set-access-actions.ts'
import { changeSet, changeTargets, createSet, removeSet } from './variable-set-actions.ts'
import { renderSets, setIncludes, setSchema } from './variable-set-document-endpoints.ts'
import { settings } from './variable-set-fields.ts'
import { listSets, type SetFilter } from './variable-set-store.ts'

const targets = {
  workspaces: relation.items('workspaces', 'Workspaces that have it; a list that is sent replaces the present one.'),
  projects: relation.items(
    'projects',
    'Projects whose workspaces have it; a list that is sent replaces the present one.',
  ),
}

/** The body that makes a variable set. */
const newSetBody = resourceBody('varsets', {
  attributes: settings.fields,
  relationships: {
    ...targets,
    parent: relation.either(['organizations', 'projects'], 'What owns it; the organization unless it is given.'),
    vars: relation.items('vars', 'Its first variables.', { attributes: variableAttributes }),
  },
})

/** The body that changes a variable set. */
const changedSetBody = resourceBody('varsets', { attributes: changing(settings.fields), relationships: targets })

const setQuery = showQuery({ include: setIncludes })
const parameters = {
  text: parameter.text('q', 'Part of the name.'),
  global: parameter.flag('filter[global]', 'Only sets that every workspace has, or only others.'),
}
const setsQuery = listQuery({ include: setIncludes, parameters })

const idsOf = (items: readonly Item[]): string[] => items.flatMap(({ id }) => id ?? [])

/** The lists of a document; those that were not sent stay absent. */
const sentTargets = (sent: { readonly workspaces?: readonly Item[]; readonly projects?: readonly Item[] }) => ({
  ...(sent.workspaces ? { workspaces: idsOf(sent.workspaces) } : {}),
  ...(sent.projects ? { projects: idsOf(sent.projects) } : {}),
})

type RenderCall = Parameters<typeof renderSets>[0]
type IncludeQuery = { readonly query: { readonly include: ReadonlySet<string> } }

async function renderSet(call: RenderCall & IncludeQuery, grants: OrganizationGrants, set: VariableSet) {
  const { resources, included } = await renderSets(call, grants, [set], call.query.include)
  const [resource] = resources
  if (!resource) throw hidden()
  return { resource, extras: call.query.include.size === 0 ? {} : { included } }
}

/** One page of the sets that match, as far as the caller may read them. */
async function answerSets(
  call: RenderCall & {
    readonly query: ListQuery<typeof parameters, never>
    readonly request: Call['request']
  },
  grants: OrganizationGrants,
  wanted: Partial<SetFilter>,
): Promise<Reply> {
  const { text, global, page, include } = call.query
  const { organizationId } = grants
  const filter = { organizationId, readers: variableReaders(grants), text, global, ...wanted }
  const { sets, total } = await listSets(call.deps.reads, filter, rangeOf(page))
  const { resources, included } = await renderSets(call, grants, sets, include)
  return answerPage(call, { resources, total }, include.size === 0 ? {} : { included })
}

/** The project that is to own a set; null for the organization. */
async function parentProject(
  { deps }: Pick<Call, 'deps'>,
  { organizationId, organizationName }: OrganizationGrants,
  parent: { readonly type: string; readonly id: string } | undefined,
): Promise<string | null> {
  if (!parent) return null
  if (parent.type === 'organizations' && [organizationName, organizationId].includes(parent.id)) return null
  const project = parent.type === 'projects' ? await loadProject(deps.db, parent.id) : undefined
  if (project?.organizationId === organizationId) return project.id
  throw invalidRelationship('parent', 'Parent must be the organization in the path, or one of its projects')
}

const example = {
  request: {
    data: { type: 'varsets', attributes: { name: 'aws-credentials', global: false, priority: false } },
  },
}

/** Variable sets: variables that several workspaces have. */
const ownEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'varsets.list',
    route: 'GET /organizations/:organization/varsets',
    summary: 'List the variable sets of an organization.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    query: setsQuery,
    returns: { 200: pageSchema(setSchema) },
    fails: ['missing', 'malformed'],
    handle: (call) => answerSets(call, call.subject, {}),
  }),
  endpoint({
    id: 'varsets.create',
    route: 'POST /organizations/:organization/varsets',
    summary: 'Create a variable set in an organization or in one of its projects.',
    access: onNewSet,
    params: organizationInPath,
    query: setQuery,
    body: newSetBody,
    returns: { 201: documentSchema(setSchema) },
    fails: ['missing', 'invalid', 'malformed'],
    example,
    handle: async (call) => {
      const { attributes, relationships } = call.body
      const set = await createSet(call.deps, authorOf(call), call.subject, {
        settings: settings.made(attributes),
        projectId: await parentProject(call, call.subject, relationships.parent),
        targets: sentTargets(relationships),
        variables: (relationships.vars ?? []).map((item) => toNewVariable(item.attributes)),
      })
      const { resource, extras } = await renderSet(call, call.subject, set)
      return answerCreated(call, resource, extras)
    },
  }),
  endpoint({
    id: 'varsets.show',
    route: 'GET /varsets/:varsetId',
    summary: 'Read a variable set.',
    access: onReadableSet,
    params: setInPath,
    query: setQuery,
    returns: { 200: documentSchema(setSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { grants, resource: found } = call.subject
      const { resource, extras } = await renderSet(call, grants, found.set)
      return answerOne(call, resource, extras)
    },
  }),
  endpoint({
    id: 'varsets.update',
    route: 'PATCH /varsets/:varsetId',
    summary: 'Change a variable set; omitted members stay, and lists that are sent replace the present ones.',
    access: onManagedSet,
    params: setInPath,
    query: setQuery,
    body: changedSetBody,
    returns: { 200: documentSchema(setSchema) },
    fails: ['missing', 'invalid', 'malformed', 'conflict'],
    example: { request: { data: { type: 'varsets', attributes: { description: 'For all accounts' } } } },
    handle: async (call) => {
      const { grants, resource: found } = call.subject
      requireSameId(call.body, found.set.id)
      const change = {
        settings: settings.given(call.body.attributes),
        targets: sentTargets(call.body.relationships),
      }
      const set = await changeSet(call.deps, authorOf(call), { grants, id: found.set.id }, change)
      const { resource, extras } = await renderSet(call, grants, set)
      return answerOne(call, resource, extras)
    },
  }),
  endpoint({
    id: 'varsets.delete',
    route: 'DELETE /varsets/:varsetId',
    summary: 'Delete a variable set with its variables.',
    access: onManagedSet,
    params: setInPath,
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeSet(call.deps, authorOf(call), call.subject.resource.set.id)
      return nothing()
    },
  }),
])

type TargetCall = Call<Record<string, string>, unknown, readonly Item[], PermittedResource<AddressedSet>>

/** Giving sets to workspaces and projects, and taking them away. */
const targetEndpoints: readonly Endpoint[] = (['workspaces', 'projects'] as const).flatMap((kind) => {
  const body = listBody(kind)
  const base = { access: onManagedSet, params: setInPath, body, returns: { 204: null } } as const
  const change = async (call: TargetCall, what: 'add' | 'remove'): Promise<Reply> => {
    const { grants, resource } = call.subject
    const { set } = resource
    await changeTargets(call.deps, authorOf(call), { grants, set }, { kind, change: what, ids: idsOf(call.body) })
    return nothing()
  }
  const id = kind === 'workspaces' ? 'ws-SihZTyXKfNXUWuUa' : 'prj-1111111111111111'
  const request = { request: { data: [{ type: kind, id }] } }
  return defineEndpoints('api/v2', [
    endpoint({
      ...base,
      id: `varsets.add-${kind}`,
      route: `POST /varsets/:varsetId/relationships/${kind}`,
      summary: `Give a variable set to more ${kind}.`,
      fails: ['missing', 'invalid'],
      example: request,
      handle: (call) => change(call, 'add'),
    }),
    endpoint({
      ...base,
      id: `varsets.remove-${kind}`,
      route: `DELETE /varsets/:varsetId/relationships/${kind}`,
      summary: `Take a variable set from ${kind}.`,
      fails: ['missing', 'invalid'],
      example: request,
      handle: (call) => change(call, 'remove'),
    }),
  ])
})

/** The sets that a workspace or a project has. */
const placedEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  ...(
    [
      ['workspaces.list-varsets', 'varsets', 'List the variable sets that a workspace has, with inherited ones.'],
      ['workspaces.list-applicable-varsets', 'applicable-varsets', 'The same list, under the name of another client.'],
    ] as const
  ).map(([id, path, summary]) =>
    endpoint({
      id,
      route: `GET /workspaces/:workspaceId/${path}`,
      summary,
      access: onWorkspace('can-read-variable'),
      params: workspaceInPath,
      query: setsQuery,
      returns: { 200: pageSchema(setSchema) },
      fails: ['missing', 'malformed'],
      handle: (call) => {
        const { grants, resource } = call.subject
        return answerSets(call, grants, { readers: { kind: 'all' }, inWorkspace: resource })
      },
    }),
  ),
  endpoint({
    id: 'projects.list-varsets',
    route: 'GET /projects/:projectId/varsets',
    summary: 'List the variable sets that all workspaces of a project have.',
    access: onProject('can-read'),
    params: projectInPath,
    query: setsQuery,
    returns: { 200: pageSchema(setSchema) },
    fails: ['missing', 'malformed'],
    handle: (call) => answerSets(call, call.subject.grants, { inProject: call.subject.resource.id }),
  }),
])

/** All endpoints of variable sets themselves. */
export const variableSetEndpoints: readonly Endpoint[] = [...ownEndpoints, ...targetEndpoints, ...placedEndpoints]
