import { canOnProject, canSeeWorkspace, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { type Resource, resourceSchema, shown, toMany, toOne } from '../../../kit/jsonapi/index.ts'
import { loadProjects, organizationOf, toProjectResource } from '../../people/organizations/index.ts'
import { variableFacts, variableSettings } from '../variables/index.ts'
import { loadWorkspaces, renderWorkspaces } from '../workspaces/index.ts'
import type { SetVariable } from './set-variable.ts'
import { visibleSetValue } from './set-variable-actions.ts'
import { listSetVariableIds, listSetVariables } from './set-variable-store.ts'
import { mayManageSets, type VariableSet } from './variable-set.ts'
import { facts, settings } from './variable-set-fields.ts'
import { listTargets, type SetTarget } from './variable-set-store.ts'

/** What a set can be read with. */
export const setIncludes = ['workspaces', 'projects', 'vars'] as const

/** A variable of a set as answers show it. */
export const setVariableSchema = resourceSchema('vars', {
  name: 'SetVariable',
  attributes: {
    ...variableSettings.shown,
    value: shown.maybeText('Value; null if it is sensitive.'),
    ...variableFacts.shown,
  },
  relationships: { varset: 'The set it belongs to.', configurable: 'The workspace it belongs to.' },
})

/** A variable of a set as a resource, without its value if it is sensitive. */
export const renderSetVariable = (deps: Pick<Deps, 'keyring'>, variable: SetVariable): Resource => ({
  type: 'vars',
  id: variable.id,
  attributes: {
    ...variableSettings.toDocument(variable),
    value: visibleSetValue(deps, variable),
    ...variableFacts.toDocument(variable),
  },
  relationships: { varset: toOne('varsets', variable.setId, `/api/v2/varsets/${variable.setId}`) },
  links: { self: `/api/v2/varsets/${variable.setId}/relationships/vars/${variable.id}` },
})

/** A variable set as answers show it. */
export const setSchema = resourceSchema('varsets', {
  name: 'VariableSet',
  attributes: {
    ...settings.shown,
    ...facts.shown,
    'var-count': shown.whole('How many variables it has.'),
    'workspace-count': shown.whole('How many workspaces it was given to.'),
    'project-count': shown.whole('How many projects it was given to.'),
    permissions: shown.flags(['can-update'], 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'Its organization.',
    parent: 'The organization or the project that owns it.',
    workspaces: 'Workspaces that it was given to, as far as the caller sees them.',
    projects: 'Projects that it was given to, as far as the caller sees them.',
    vars: 'Its variables.',
  },
})

/** What rendering sets needs of a call. */
type RenderCall = Parameters<typeof renderWorkspaces>[0] & Pick<Call, 'deps'>

/** Sets of one organization as resources, with what `include` asks for. */
export async function renderSets(
  call: RenderCall,
  grants: OrganizationGrants,
  sets: readonly VariableSet[],
  include: ReadonlySet<string>,
): Promise<{ readonly resources: readonly Resource[]; readonly included: readonly Resource[] }> {
  const { db } = call.deps
  const ids = sets.map(({ id }) => id)
  const targets = await listTargets(db, ids)
  const idsOf = (kind: SetTarget['kind']) => [
    ...new Set(targets.flatMap((each) => (each.kind === kind ? each.id : []))),
  ]
  const workspaces = (await loadWorkspaces(db, idsOf('workspaces'))).filter((each) => canSeeWorkspace(grants, each))
  const projectIds = idsOf('projects').filter((id) => canOnProject(grants, 'can-read', id))
  const visible = new Set<string>([...workspaces.map(({ id }) => id), ...projectIds])
  const bySet = Map.groupBy(targets, ({ setId }) => setId)
  const variables = Map.groupBy(await listSetVariableIds(db, ids), (variable) => variable.set_id)
  const resources = sets.map((set) =>
    toSetResource(set, grants, {
      targets: bySet.get(set.id) ?? [],
      visible,
      variableIds: (variables.get(set.id) ?? []).map(({ id }) => id),
    }),
  )
  const included: Resource[] = []
  if (include.has('workspaces')) included.push(...(await renderWorkspaces(call, grants, workspaces)))
  if (include.has('projects')) {
    const organization = await organizationOf(call.deps, grants.organizationId)
    const projects = await loadProjects(db, projectIds)
    included.push(...projects.map((project) => toProjectResource(project, grants, organization)))
  }
  if (include.has('vars')) {
    const all = await listSetVariables(call.deps.reads, ids)
    included.push(...all.map((variable) => renderSetVariable(call.deps, variable)))
  }
  return { resources, included }
}

type SetView = {
  readonly targets: readonly SetTarget[]
  /** The workspaces and projects that the caller sees. */
  readonly visible: ReadonlySet<string>
  readonly variableIds: readonly string[]
}

function toSetResource(set: VariableSet, grants: OrganizationGrants, view: SetView): Resource {
  const self = `/api/v2/varsets/${set.id}`
  const of = (kind: SetTarget['kind']) => view.targets.filter((target) => target.kind === kind).map(({ id }) => id)
  const shownOf = (kind: SetTarget['kind']) => of(kind).filter((id) => view.visible.has(id))
  const { organizationName } = grants
  const organization = toOne('organizations', organizationName, `/api/v2/organizations/${organizationName}`)
  return {
    type: 'varsets',
    id: set.id,
    attributes: {
      ...settings.toDocument(set),
      ...facts.toDocument(set),
      'var-count': view.variableIds.length,
      'workspace-count': of('workspaces').length,
      'project-count': of('projects').length,
      permissions: { 'can-update': mayManageSets(grants, set.projectId) },
    },
    relationships: {
      organization,
      parent:
        set.projectId === null ? organization : toOne('projects', set.projectId, `/api/v2/projects/${set.projectId}`),
      workspaces: toMany('workspaces', shownOf('workspaces')),
      projects: toMany('projects', shownOf('projects')),
      vars: toMany('vars', view.variableIds, `${self}/relationships/vars`),
    },
    links: { self },
  }
}
