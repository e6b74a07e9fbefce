import { hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import {
  effectiveBindingId,
  loadBindings,
  type TagBinding,
  withBindingsLinked,
} from '../../workspaces/workspaces/index.ts'
import { type CountedProject, organizationOf, toProjectResource } from '../organizations/index.ts'
import { loadProject } from './project-store.ts'

type AnswerCall = Pick<Call, 'deps'>

/** Projects of one organization as resources. */
export async function renderProjects(
  { deps }: AnswerCall,
  grants: OrganizationGrants,
  projects: readonly CountedProject[],
): Promise<Resource[]> {
  const organization = await organizationOf(deps, grants.organizationId)
  return projects.map((project) => toProjectResource(project, grants, organization))
}

/** A project as it is now. */
export async function renderProject(call: AnswerCall, grants: OrganizationGrants, id: string): Promise<Resource> {
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
export async function includeWith(
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
