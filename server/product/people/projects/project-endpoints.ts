import {
  canOnProject,
  hidden,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
  projectRights,
  visibleProjects,
} from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  changing,
  documentSchema,
  listBody,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  relation,
  requireSameId,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import {
  bindingAttributes,
  effectiveBindingId,
  loadBindings,
  sentBindings,
  type TagBinding,
  withBindingsLinked,
} from '../../workspaces/workspaces/index.ts'
import {
  type CountedProject,
  defaultPoolPointers,
  organizationOf,
  projectDefaults,
  projectFacts,
  projectSettings,
  sentDefaultPool,
  toProjectResource,
} from '../organizations/index.ts'
import {
  changeProject,
  createProject,
  moveIntoProject,
  onProject,
  projectInPath,
  removeProject,
} from './project-actions.ts'
import type { RequestedProject } from './project-change.ts'
import { listProjects, loadProject } from './project-store.ts'

type AnswerCall = Pick<Call, 'deps'>

/** Projects of one organization as resources. */
async function renderProjects(
  { deps }: AnswerCall,
  grants: OrganizationGrants,
  projects: readonly CountedProject[],
): Promise<Resource[]> {
  const organization = await organizationOf(deps, grants.organizationId)
  return projects.map((project) => toProjectResource(project, grants, organization))
}

/** A project as it is now. */
async function renderProject(call: AnswerCall, grants: OrganizationGrants, id: string): Promise<Resource> {
  const project = await loadProject(call.deps.db, id)
  if (!project) throw hidden()
  const [resource] = await renderProjects(call, grants, [project])
  return resource as Resource
}

/** A binding in force on a project, as a resource. */
export const toEffectiveBinding = ({ projectId, key, value }: TagBinding): Resource => ({
  type: 'effective-tag-bindings',
  id: effectiveBindingId(projectId ?? '', key),
  attributes: { key, value },
})

/** Adds what `include` asks for: the bindings of projects, and linkage to them. */
async function includeWith(
  { deps }: AnswerCall,
  include: ReadonlySet<string>,
  resources: readonly Resource[],
): Promise<{ readonly resources: readonly Resource[]; readonly included: readonly Resource[] }> {
  if (!include.has('effective_tag_bindings')) return { resources, included: [] }
  const ids = resources.map(({ id }) => id)
  const byProject = Map.groupBy(await loadBindings(deps.db, 'project_id', ids), ({ projectId }) => projectId)
  const bindingsOf = (id: string): Resource[] => (byProject.get(id) ?? []).map(toEffectiveBinding)
  return {
    resources: resources.map((resource) => withBindingsLinked(resource, bindingsOf(resource.id))),
    included: ids.flatMap(bindingsOf),
  }
}

const attributes = {
  ...projectSettings.fields,
  ...projectDefaults.fields,
  settingOverwrites: attribute.object('Which defaults are its own rather than those of the organization.', {
    defaultExecutionMode: attribute.flag('Whether it has its own execution mode.'),
    defaultAgentPool: attribute.flag('Whether it has its own agent pool.'),
  }),
} as const

const bindings = relation.items('tag-bindings', 'Tag bindings, which its workspaces inherit.', {
  attributes: bindingAttributes,
})
const pool = relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true })

const relationships = { tagBindings: bindings, defaultAgentPool: pool }

/** The body that makes a project. */
const newProjectBody = resourceBody('projects', { attributes, relationships })

/** The body that changes a project. */
const changedProjectBody = resourceBody('projects', { attributes: changing(attributes), relationships })

type Sent = Partial<Values<typeof attributes>>

/** A document in the form that actions take: the pool is sent as a relationship or as an attribute. */
function toDraft(
  sent: Sent,
  related: string | null | undefined,
): { readonly requested: RequestedProject; readonly poolPointer: string } {
  const { settingOverwrites: overwrites, defaultAgentPoolId } = sent
  const { pool, poolPointer = defaultPoolPointers.attribute } = sentDefaultPool(defaultAgentPoolId, related)
  const settings = { ...projectSettings.given(sent), ...projectDefaults.given(sent), ...pool }
  return { requested: { ...settings, ...(overwrites ? { overwrites } : {}) }, poolPointer }
}

const include = ['effective_tag_bindings'] as const

/** The query of a read of one project. */
const projectQuery = showQuery({ include })

/** The query of the list. */
const projectsQuery = listQuery({
  include,
  parameters: {
    names: parameter.list('filter[names]', 'Only projects with one of these names, in any case.'),
    text: parameter.text('q', 'Part of the name.'),
    tagged: parameter.groups('filter[tagged]', ['key', 'value'], 'Tag bindings that a project must have.'),
  },
  sort: ['name'],
})

/** A project as answers show it. */
const projectSchema = resourceSchema('projects', {
  attributes: {
    ...projectSettings.shown,
    ...projectDefaults.shown,
    ...projectFacts.shown,
    'workspace-count': shown.whole('Number of its workspaces.'),
    'team-count': shown.whole('Number of teams with access to it.'),
    'is-unified': shown.flag('Always false.'),
    'setting-overwrites': shown.flags(
      ['default-execution-mode', 'default-agent-pool'],
      'Which defaults are its own rather than those of the organization.',
    ),
    permissions: shown.flags(projectRights.names, 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'Its organization.',
    'default-agent-pool': 'Agent pool for agent mode.',
    'tag-bindings': 'Its tag bindings.',
    'effective-tag-bindings': 'Its effective tag bindings; the same as `tag-bindings`.',
  },
})

/** Projects: groups of workspaces. */
export const projectEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'projects.list',
    route: 'GET /organizations/:organization/projects',
    summary: 'List the projects you can see.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
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
        tagged: query.tagged.filter(({ key, value }) => key !== undefined || value !== undefined),
      }
      const range = { ...rangeOf(query.page), sort: query.sort }
      const { projects, total } = await listProjects(call.deps.reads, filter, range)
      const rendered = await renderProjects(call, grants, projects)
      const { resources, included } = await includeWith(call, query.include, rendered)
      return answerPage(call, { resources, total }, { included })
    },
  }),
  endpoint({
    id: 'projects.create',
    route: 'POST /organizations/:organization/projects',
    summary: 'Create a project.',
    access: inOrganization('can-create-project'),
    params: organizationInPath,
    query: showQuery(),
    body: newProjectBody,
    returns: { 201: documentSchema(projectSchema) },
    fails: ['missing', 'invalid'],
    example: { request: { data: { type: 'projects', attributes: { name: 'Network' } } } },
    handle: async (call) => {
      const { attributes, relationships } = call.body
      const { requested, poolPointer } = toDraft(attributes, relationships.defaultAgentPool)
      const bindings = relationships.tagBindings && sentBindings(relationships.tagBindings)
      const draft = { requested: { ...requested, name: attributes.name }, poolPointer, bindings }
      const made = await createProject(call.deps, authorOf(call), call.subject.organizationId, draft)
      return answerCreated(call, await renderProject(call, call.subject, made.id))
    },
  }),
  endpoint({
    id: 'projects.show',
    route: 'GET /projects/:projectId',
    summary: 'Read a project.',
    access: onProject('can-read'),
    params: projectInPath,
    query: projectQuery,
    returns: { 200: documentSchema(projectSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { resource: project, grants } = call.subject
      const rendered = await renderProjects(call, grants, [project])
      const { resources, included } = await includeWith(call, call.query.include, rendered)
      return answerOne(call, resources[0] as Resource, { included })
    },
  }),
  endpoint({
    id: 'projects.update',
    route: 'PATCH /projects/:projectId',
    summary: 'Change the settings of a project.',
    access: onProject('can-update'),
    params: projectInPath,
    query: showQuery(),
    body: changedProjectBody,
    returns: { 200: documentSchema(projectSchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      const { attributes, relationships } = call.body
      requireSameId(call.body, resource.id)
      const bindings = relationships.tagBindings && sentBindings(relationships.tagBindings)
      if (bindings && !canOnProject(grants, 'can-manage-tags', resource.id)) throw hidden()
      const draft = toDraft(attributes, relationships.defaultAgentPool)
      await changeProject(call.deps, authorOf(call), resource.id, { ...draft, bindings })
      return answerOne(call, await renderProject(call, grants, resource.id))
    },
  }),
  endpoint({
    id: 'projects.delete',
    route: 'DELETE /projects/:projectId',
    summary: 'Delete a project that has no workspaces.',
    access: onProject('can-destroy'),
    params: projectInPath,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      await removeProject(call.deps, authorOf(call), call.subject.resource)
      return nothing()
    },
  }),
  endpoint({
    id: 'projects.move-workspaces',
    route: 'POST /projects/:projectId/relationships/workspaces',
    summary: 'Move workspaces into a project.',
    access: onProject('can-move-workspace'),
    params: projectInPath,
    body: listBody('workspaces', { emptyRefused: 'must contain at least one workspace' }),
    returns: { 204: null },
    fails: ['missing', 'refused', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource: project, grants } = call.subject
      await moveIntoProject(
        call.deps,
        authorOf(call),
        { grants, project },
        call.body.flatMap(({ id }) => id ?? []),
      )
      return nothing()
    },
  }),
])
