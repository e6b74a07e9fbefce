import { canOnProject, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import type { Identifier, Resource } from '../../../../kit/jsonapi/index.ts'
import {
  loadProjects,
  organizationOf,
  retentionPolicyOf,
  toOrganizationResource,
  toProjectResource,
  toRetentionLink,
} from '../../../people/organizations/index.ts'
import { canSeeTeam, loadTeams, renderIncludedTeams } from '../../../people/teams/index.ts'
import { renderUsers, toServiceUserResource } from '../../../people/users/index.ts'
import { lockInForce } from '../locking/lock.ts'
import { visiblePool } from '../pools/usable-pool.ts'
import { toPoolResource } from '../pools/usable-pool-fields.ts'
import { loadPools, withDetails } from '../pools/usable-pool-store.ts'
import { effectiveBindings } from '../tagging/tag-binding.ts'
import { loadBindings } from '../tagging/tag-binding-store.ts'
import { toEffectiveBindingResource, withBindingsLinked } from '../tagging/tag-fields.ts'
import type { LockHolder, Workspace } from '../workspace.ts'
import { type PartName, workspacePart } from '../workspace-parts-actions.ts'

type IncludeCall = Pick<Call, 'deps' | 'caller' | 'request'>

/** What is included with a set of workspaces, and with which of their documents. */
type IncludeRequest = {
  readonly grants: OrganizationGrants
  readonly workspaces: readonly Workspace[]
  readonly resources: readonly Resource[]
}

/** Workspaces with linkage to what is included, the included resources, and headers that these need. */
type Included = {
  readonly resources: readonly Resource[]
  readonly included: readonly Resource[]
  readonly headers: Readonly<Record<string, string>>
}

type Include = (call: IncludeCall, request: IncludeRequest) => Promise<readonly Resource[]>

const idsOf = (resources: readonly Resource[], relationship: string, type: string): string[] => {
  const linked = resources.flatMap(({ relationships }) => {
    const data = relationships?.[relationship]?.data
    return data && !Array.isArray(data) ? [data as Identifier] : []
  })
  return [...new Set(linked.filter((each) => each.type === type).map(({ id }) => id))]
}

const organization: Include = async ({ deps }, { grants }) => {
  const found = await organizationOf(deps, grants.organizationId)
  return [toOrganizationResource(found, grants, toRetentionLink(await retentionPolicyOf(deps, found.id)))]
}

const project: Include = async ({ deps }, { grants, resources }) => {
  const ids = idsOf(resources, 'project', 'projects').filter((id) => canOnProject(grants, 'can-read', id))
  const found = await organizationOf(deps, grants.organizationId)
  return (await loadProjects(deps.db, ids)).map((each) => toProjectResource(each, grants, found))
}

const agentPool: Include = async ({ deps }, { grants, resources }) => {
  const pools = await loadPools(deps.db, idsOf(resources, 'agent-pool', 'agent-pools'))
  return (await withDetails(deps.db, pools)).map((pool) => toPoolResource(visiblePool(grants, pool)))
}

const lockedBy: Include = async (call, { grants, workspaces }) => {
  const now = call.deps.clock.now()
  const holders = workspaces.flatMap(({ lock }) => lockInForce(lock, now)?.holder ?? [])
  const runs = (await workspacePart(call.deps, 'locked_by')?.include?.(call, workspaces)) ?? []
  return [...(await includeHolders(call, grants, holders)), ...runs]
}

/** The holders of locks and the authors, each once; teams that are secret to the caller are left out. */
export async function includeHolders(
  call: Pick<Call, 'deps' | 'caller'>,
  grants: OrganizationGrants,
  holders: readonly LockHolder[],
): Promise<Resource[]> {
  const { deps } = call
  const idsOfKind = (kind: LockHolder['kind']) => [
    ...new Set(holders.filter((holder) => holder.kind === kind).map(({ id }) => id)),
  ]
  const teams = (await loadTeams(deps.db, idsOfKind('team'))).filter((team) => canSeeTeam(grants, team))
  return [
    ...(await renderUsers(call, idsOfKind('user'))),
    ...(await renderIncludedTeams(
      call,
      teams.map((team) => ({ team, grants })),
    )),
    ...(idsOfKind('organization').length > 0 ? [organizationHolder(grants)] : []),
  ]
}

/** The organization's own token acts as a service user. */
const organizationHolder = ({ organizationId, organizationName }: OrganizationGrants): Resource =>
  toServiceUserResource({ kind: 'organization', id: organizationId, name: organizationName })

const includePart =
  (name: PartName): Include =>
  async (call, { workspaces }) =>
    (await workspacePart(call.deps, name)?.include?.(call, workspaces)) ?? []

/** Runs with what is read along with them. */
const currentRun = (path = ''): Include => includePart(`current_run${path}` as PartName)

const ofRuns = ['', '.plan', '.apply', '.configuration_version'].flatMap((path) =>
  ['current_run', 'latest_run'].map((name) => [`${name}${path}`, currentRun(path)] as const),
)

/** What is included for a path. READMEs, commits and assessments do not exist yet: nothing is included for them. */
const includes: Readonly<Record<string, Include>> = {
  organization,
  project,
  agent_pool: agentPool,
  locked_by: lockedBy,
  ...Object.fromEntries(ofRuns),
  outputs: includePart('outputs'),
  vars: includePart('vars'),
  current_state_version: includePart('current_state_version'),
  current_configuration_version: includePart('current_configuration_version'),
}

/** Adds what `include` asks for. */
export async function includeWith(
  call: IncludeCall,
  include: ReadonlySet<string>,
  request: IncludeRequest,
): Promise<Included> {
  if (request.workspaces.length === 0) return { resources: request.resources, included: [], headers: {} }
  const included: Resource[] = []
  for (const path of include) {
    for (const resource of (await includes[path]?.(call, request)) ?? []) included.push(resource)
  }
  const headers = cachingOf(included)
  if (!include.has('effective_tag_bindings')) return { resources: request.resources, included, headers }
  return { ...(await withBindings(call, request, included)), headers }
}

/** The signed addresses in a state version give access to the state itself, so caches must not keep them. */
const cachingOf = (included: readonly Resource[]): Included['headers'] =>
  included.some(({ type }) => type === 'state-versions') ? { 'Cache-Control': 'no-store' } : {}

/** This relationship is only a link; when it is included, its linkage is added. */
async function withBindings(
  { deps }: IncludeCall,
  { workspaces, resources }: IncludeRequest,
  included: readonly Resource[],
): Promise<Omit<Included, 'headers'>> {
  const ids = workspaces.map(({ id }) => id)
  const direct = Map.groupBy(await loadBindings(deps.db, 'workspace_id', ids), (each) => each.workspaceId)
  const projectIds = [...new Set(workspaces.map(({ projectId }) => projectId))]
  const ofProjects = Map.groupBy(await loadBindings(deps.db, 'project_id', projectIds), (each) => each.projectId)
  const bindings = new Map<string, Resource[]>(
    workspaces.map(({ id, projectId }) => {
      const effective = effectiveBindings(direct.get(id) ?? [], ofProjects.get(projectId) ?? [], projectId)
      return [id, effective.map((each) => toEffectiveBindingResource(id, each))]
    }),
  )
  return {
    resources: resources.map((resource) => withBindingsLinked(resource, bindings.get(resource.id) ?? [])),
    included: [...included, ...[...bindings.values()].flat()],
  }
}
