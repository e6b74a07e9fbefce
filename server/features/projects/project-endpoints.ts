import {
  canOnProject,
  hidden,
  inOrganization,
  onResource,
  type Permitted,
  type ProjectRight,
  visibleProjects,
} from '../../access/permissions/index.ts'
import { toIso } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { type Access, type Call, defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  listBody,
  offsetOf,
  pageSchema,
  type Resource,
  requireSameId,
  resourceSchema,
  shown,
  showQuery,
} from '../../kit/jsonapi/index.ts'
import { nothing } from '../../kit/reply.ts'
import { authorOf } from '../change-log/index.ts'
import { effectiveBindingId, loadBindings, type TagBinding } from '../workspaces/index.ts'
import { changeProject, createProject, mergeProjectBindings, moveWorkspaces, removeProject } from './project-actions.ts'
import type { CountedProject } from './project-rules.ts'
import { listProjects, loadProject } from './project-store.ts'
import {
  bindingsBody,
  changedProjectBody,
  newProjectBody,
  projectSchema,
  projectsQuery,
  toAsked,
  toProjectResource,
} from './project-wire.ts'

const inPath = { organization: { description: 'Name of the organization.', example: 'acme' } }
const byId = { projectId: { description: 'Identifier of the project.', example: 'prj-1111111111111111' } }

/** Access to the project in the path for those with this right on it. */
const onProject = (right: ProjectRight): Access<Permitted<CountedProject>> =>
  onResource({
    name: `project:${right}`,
    load: async ({ deps, params: { projectId = '' } }) =>
      isId('prj', projectId) ? loadProject(deps.db, projectId) : undefined,
    allows: (grants, project) =>
      canOnProject(grants, 'can-read', project.id) && canOnProject(grants, right, project.id),
  })

async function reloaded({ deps }: Pick<Call, 'deps'>, id: string): Promise<CountedProject> {
  const project = await loadProject(deps.db, id)
  if (!project) throw hidden()
  return project
}

const bindingResource =
  (type: string) =>
  (binding: TagBinding): Resource => ({
    type,
    id: type === 'tag-bindings' ? binding.id : effectiveBindingId(binding.projectId ?? '', binding.key),
    attributes: {
      key: binding.key,
      value: binding.value,
      ...(type === 'tag-bindings' ? { 'created-at': toIso(binding.createdAt) } : {}),
    },
  })

const bindingSchema = (type: string) =>
  resourceSchema(type, {
    attributes: {
      key: shown.text('Key.'),
      value: shown.text('Value.'),
      'created-at': shown.sometimes(shown.time('When it was made.')),
    },
  })

/** Projects: groups of workspaces. */
export const projectEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'projects.list',
    route: 'GET /organizations/:organization/projects',
    summary: 'List the projects you can see.',
    access: inOrganization('can-traverse'),
    params: inPath,
    query: projectsQuery,
    returns: { 200: pageSchema(projectSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { subject: grants, query } = call
      const visible = visibleProjects(grants)
      const filter = {
        organizationId: grants.organizationId,
        ids: visible.kind === 'all' ? undefined : visible.projectIds,
        names: query.names ?? [],
        text: (query.text ?? '').toLowerCase(),
      }
      const { projects, total } = await listProjects(call.deps.db, filter, {
        offset: offsetOf(query.page),
        limit: query.page.size,
      })
      return answerPage(call, { resources: projects.map((project) => toProjectResource(project, grants)), total })
    },
  }),
  endpoint({
    id: 'projects.create',
    route: 'POST /organizations/:organization/projects',
    summary: 'Make a project.',
    access: inOrganization('can-create-project'),
    params: inPath,
    query: showQuery(),
    body: newProjectBody,
    returns: { 201: documentSchema(projectSchema) },
    fails: ['missing', 'invalid'],
    example: { request: { data: { type: 'projects', attributes: { name: 'Network' } } } },
    handle: async (call) => {
      const { attributes, relationships } = call.body
      const asked = { ...toAsked(attributes, relationships.defaultAgentPool), name: attributes.name }
      const bindings = (relationships.tagBindings ?? []).map(({ attributes: { key, value } }) => ({
        key,
        value: value ?? '',
      }))
      const made = await createProject(call.deps, authorOf(call), call.subject.organizationId, { asked, bindings })
      return answerCreated(call, toProjectResource(await reloaded(call, made.id), call.subject))
    },
  }),
  endpoint({
    id: 'projects.show',
    route: 'GET /projects/:projectId',
    summary: 'Read a project.',
    access: onProject('can-read'),
    params: byId,
    query: showQuery(),
    returns: { 200: documentSchema(projectSchema) },
    fails: ['missing'],
    handle: (call) => answerOne(call, toProjectResource(call.subject.resource, call.subject.grants)),
  }),
  endpoint({
    id: 'projects.update',
    route: 'PATCH /projects/:projectId',
    summary: 'Change settings of a project.',
    access: onProject('can-update'),
    params: byId,
    query: showQuery(),
    body: changedProjectBody,
    returns: { 200: documentSchema(projectSchema) },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      requireSameId(call.body, resource.id)
      await changeProject(
        call.deps,
        authorOf(call),
        resource,
        toAsked(call.body.attributes, call.body.relationships.defaultAgentPool),
      )
      return answerOne(call, toProjectResource(await reloaded(call, resource.id), grants))
    },
  }),
  endpoint({
    id: 'projects.delete',
    route: 'DELETE /projects/:projectId',
    summary: 'Delete a project that has no workspaces.',
    access: onProject('can-destroy'),
    params: byId,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await removeProject(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
  endpoint({
    id: 'projects.list-tag-bindings',
    route: 'GET /projects/:projectId/tag-bindings',
    summary: 'List the tag bindings of a project.',
    access: onProject('can-read'),
    params: byId,
    query: showQuery(),
    returns: { 200: allSchema(bindingSchema('tag-bindings')) },
    fails: ['missing'],
    handle: async (call) => {
      const { id } = call.subject.resource
      return answerAll(
        call,
        (await loadBindings(call.deps.db, 'project_id', [id])).map(bindingResource('tag-bindings')),
        { links: { target: `/api/v2/projects/${id}` } },
      )
    },
  }),
  endpoint({
    id: 'projects.list-effective-tag-bindings',
    route: 'GET /projects/:projectId/effective-tag-bindings',
    summary: 'List the tag bindings in force on a project.',
    access: onProject('can-read'),
    params: byId,
    query: showQuery(),
    returns: { 200: allSchema(bindingSchema('effective-tag-bindings')) },
    fails: ['missing'],
    handle: async (call) =>
      answerAll(
        call,
        (await loadBindings(call.deps.db, 'project_id', [call.subject.resource.id])).map(
          bindingResource('effective-tag-bindings'),
        ),
      ),
  }),
  endpoint({
    id: 'projects.merge-tag-bindings',
    route: 'PATCH /projects/:projectId/tag-bindings',
    summary: 'Add tag bindings to a project or change their values.',
    access: onProject('can-manage-tags'),
    params: byId,
    query: showQuery(),
    body: bindingsBody,
    returns: { 200: allSchema(bindingSchema('tag-bindings')) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const pairs = call.body.map(({ attributes: { key, value } }) => ({ key, value: value ?? '' }))
      const after = await mergeProjectBindings(call.deps, authorOf(call), call.subject.resource, pairs)
      return answerAll(call, after.map(bindingResource('tag-bindings')), {
        links: { target: `/api/v2/projects/${call.subject.resource.id}` },
      })
    },
  }),
  endpoint({
    id: 'projects.move-workspaces',
    route: 'POST /projects/:projectId/relationships/workspaces',
    summary: 'Move workspaces into a project.',
    access: onProject('can-move-workspace'),
    params: byId,
    body: listBody('workspaces', { emptyRefused: 'must hold at least one workspace' }),
    returns: { 204: null },
    fails: ['missing', 'refused', 'invalid'],
    handle: async (call) => {
      const { resource: project, grants } = call.subject
      await moveWorkspaces(
        call.deps,
        authorOf(call),
        { grants, project },
        call.body.flatMap(({ id }) => id ?? []),
      )
      return nothing()
    },
  }),
])
