import { type OrganizationGrants, rightsOnWorkspace } from '../../../../access/permissions/index.ts'
import { type Awaitable, allOf, andThen } from '../../../../kernel/awaitable.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import type { Resource } from '../../../../kit/jsonapi/index.ts'
import { WhileUnchanged } from '../../../../kit/unchanged.ts'
import {
  type Organization,
  organizationOf,
  type RetentionPolicy,
  retentionPoliciesOf,
  toRetentionLink,
} from '../../../people/organizations/index.ts'
import { lockInForce } from '../locking/lock-rules.ts'
import { projectDefaultsOf } from '../settings/project-defaults-actions.ts'
import { isAssessable } from '../settings/settings-rules.ts'
import { loadConnections } from '../settings/vcs/connection-store.ts'
import type { VcsConnection } from '../settings/vcs/vcs-rules.ts'
import { type Catalogue, catalogueOf } from '../tool-versions/tool-version-actions.ts'
import type { OnWorkspace } from '../workspace-access.ts'
import { type PartName, workspaceParts } from '../workspace-parts.ts'
import { effectiveExecution, inheritedExecution, type ProjectDefaults, type Workspace } from '../workspace-rules.ts'
import { isConditional, requireMatch } from './entity-tags.ts'
import { type Links, noLinks, recallLinks, recallOrRender, recallOrRenderLock } from './rendered-memory.ts'
import { toWorkspaceResource, withLockShown } from './workspace-wire.ts'

/** The parts of a call that the document of a workspace depends on. */
type RenderCall = Pick<Call, 'deps' | 'request'>

/** Workspaces of one organization as resources: the same few queries for one as for a page of them. */
export function renderWorkspaces(
  call: RenderCall,
  grants: OrganizationGrants,
  workspaces: readonly Workspace[],
): Awaitable<Resource[]> {
  if (workspaces.length === 0) return []
  return andThen(surroundingsOf(call, grants, workspaces), (around) => {
    const now = call.deps.clock.now()
    return workspaces.map((workspace) => {
      const unlocked = renderUnlocked(call, rightsOnWorkspace(grants, workspace), workspace, around)
      const lock = lockInForce(workspace.lock, now)
      return lock ? recallOrRenderLock(unlocked, lock, () => withLockShown(unlocked, lock)) : unlocked
    })
  })
}

/** What documents of workspaces show besides the workspaces themselves. */
type Surroundings = {
  readonly organization: Organization
  readonly catalogue: Catalogue
  readonly projects: ReadonlyMap<string, ProjectDefaults>
  readonly retentions: ReadonlyMap<string, RetentionPolicy>
  readonly connections: ReadonlyMap<string, VcsConnection>
  readonly outputs: Links
  readonly vars: Links
}

function surroundingsOf(
  call: RenderCall,
  { organizationId }: OrganizationGrants,
  workspaces: readonly Workspace[],
): Awaitable<Surroundings> {
  const { deps } = call
  const found = allOf([
    organizationOf(deps, organizationId),
    catalogueOf(deps),
    projectsOf(call, workspaces),
    retentionPoliciesOf(
      deps,
      workspaces.map(({ id }) => id),
    ),
    connectionsOf(call, organizationId, workspaces),
    linksOf(call, 'outputs', workspaces),
    linksOf(call, 'vars', workspaces),
  ])
  return andThen(found, ([organization, catalogue, projects, retentions, connections, outputs, vars]) => {
    return { organization, catalogue, projects, retentions, connections, outputs, vars }
  })
}

function renderUnlocked(
  call: RenderCall,
  rights: ReturnType<typeof rightsOnWorkspace>,
  workspace: Workspace,
  { organization, catalogue, ...found }: Surroundings,
): Resource {
  const { origin } = call.request
  const project = found.projects.get(workspace.projectId) as ProjectDefaults
  const retention = found.retentions.get(workspace.id)
  const connection = found.connections.get(workspace.vcsRepo?.oauthTokenId ?? '')
  const outputIds = found.outputs.get(workspace.id) ?? []
  const varIds = found.vars.get(workspace.id) ?? []
  const linked = [retention?.id, outputIds.join(), varIds.join(), ...Object.values(connection ?? {})]
  const around = [organization, project, catalogue, rights, origin, ...linked]
  return recallOrRender(workspace, around, () =>
    toWorkspaceResource({
      workspace,
      organizationName: organization.name,
      project,
      rights,
      execution: effectiveExecution(workspace, inheritedExecution(organization, project)),
      assessed: isAssessed(call, workspace, { organization, project, releases: catalogue.releases }),
      tool: catalogue.resolve(workspace.toolVersion, organization.defaultTool),
      connection,
      retention: toRetentionLink(retention),
      outputIds,
      varIds,
      origin,
    }),
  )
}

type ShownWorkspace = { readonly origin: string; readonly resource: Resource }

/** What each caller was shown last; grants are kept per caller and server, so they serve as the key for both. */
const shownWorkspaces = new WeakMap<OrganizationGrants, WhileUnchanged<Workspace, ShownWorkspace>>()

/** One workspace as a resource. Besides the database it depends on the caller's rights, the address, and the clock. */
export function renderWorkspace(
  call: RenderCall,
  grants: OrganizationGrants,
  workspace: Workspace,
): Awaitable<Resource> {
  const { origin } = call.request
  const render = (): Awaitable<ShownWorkspace> =>
    andThen(renderWorkspaces(call, grants, [workspace]), ([resource]) => ({ origin, resource: resource as Resource }))
  const kept = shownWorkspaces.get(grants) ?? new WhileUnchanged(new WeakMap())
  shownWorkspaces.set(grants, kept)
  const endsByItself = workspace.lock !== null && workspace.lock.expiresAt !== null
  return andThen(
    kept.get(call.deps, workspace, render, () => !endsByItself),
    (shown) => (shown.origin === origin ? shown.resource : andThen(render(), ({ resource }) => resource)),
  )
}

/** The revision that a conditional request has read; refused if the document is another by now. */
export async function expectedRevision(
  call: RenderCall & { readonly subject: OnWorkspace },
): Promise<number | undefined> {
  if (!isConditional(call.request)) return undefined
  const { resource: workspace, grants } = call.subject
  requireMatch(call.request, await renderWorkspace(call, grants, workspace))
  return workspace.revision
}

/**
 * The self-hosted edition assesses nothing; the hosted one every workspace that can be, if it is asked for or enforced.
 */
function isAssessed(
  { deps }: RenderCall,
  workspace: Workspace,
  context: Parameters<typeof isAssessable>[1] & {
    readonly organization: Organization
    readonly project: ProjectDefaults
  },
): boolean {
  if (deps.settings.edition !== 'hosted') return false
  const wanted = workspace.assessmentsEnabled || context.organization.assessmentsEnforced
  return wanted && isAssessable(workspace, context)
}

function projectsOf(
  { deps }: RenderCall,
  workspaces: readonly Workspace[],
): Awaitable<ReadonlyMap<string, ProjectDefaults>> {
  const ids = [...new Set(workspaces.map(({ projectId }) => projectId))]
  const defaults = allOf<ProjectDefaults[]>(ids.map((id) => projectDefaultsOf(deps, id)))
  return andThen(defaults, (found) => new Map(ids.map((id, index) => [id, found[index] as ProjectDefaults])))
}

const noConnections: ReadonlyMap<string, VcsConnection> = new Map()

function connectionsOf(
  { deps }: RenderCall,
  organizationId: string,
  workspaces: readonly Workspace[],
): Awaitable<ReadonlyMap<string, VcsConnection>> {
  const tokenIds = new Set(workspaces.flatMap(({ vcsRepo }) => vcsRepo?.oauthTokenId ?? []))
  if (tokenIds.size === 0) return noConnections
  return andThen(
    loadConnections(deps.db, organizationId, [...tokenIds]),
    (connections) => new Map(connections.map((connection) => [connection.tokenId, connection])),
  )
}

function linksOf({ deps }: RenderCall, name: PartName, workspaces: readonly Workspace[]): Awaitable<Links> {
  const part = workspaceParts(deps).get(name)
  if (!part?.links) return noLinks
  if (!part.linksFollowRevision) return part.links(deps.db, workspaces)
  return recallLinks(name, workspaces, (unknown) => part.links?.(deps.db, unknown) ?? noLinks)
}
