import { type OrganizationGrants, rightsOnWorkspace } from '../../access/permissions/index.ts'
import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import { perApp } from '../../kit/deps.ts'
import type { Call } from '../../kit/endpoint.ts'
import type { Resource } from '../../kit/jsonapi/index.ts'
import { WhileUnchanged } from '../../kit/unchanged.ts'
import { VersionedCache } from '../../storage/versions.ts'
import {
  loadRetentionPolicies,
  type Organization,
  organizationOf,
  type RetentionPolicy,
  toRetentionLink,
} from '../organizations/index.ts'
import { isConditional, requireMatch } from './entity-tags.ts'
import { lockInForce } from './locking/lock-rules.ts'
import { recallLinks, recallOrLock, recallOrRender } from './rendered-memory.ts'
import { loadConnections } from './settings/connection-store.ts'
import { projectDefaultsOf } from './settings/project-actions.ts'
import { isAssessable } from './settings/settings-rules.ts'
import type { VcsConnection } from './settings/vcs-rules.ts'
import { catalogueOf } from './tool-versions/tool-version-actions.ts'
import type { OnWorkspace } from './workspace-access.ts'
import { type PartName, workspaceParts } from './workspace-parts.ts'
import { effectiveExecution, inheritedExecution, type ProjectDefaults, type Workspace } from './workspace-rules.ts'
import { toWorkspaceResource, withLockShown } from './workspace-wire.ts'

/** The parts of a call that the document of a workspace depends on. */
export type RenderCall = Pick<Call, 'deps' | 'request'>

/** Workspaces of one organization as resources: the same few queries for one as for a page of them. */
export async function renderWorkspaces(
  call: RenderCall,
  grants: OrganizationGrants,
  workspaces: readonly Workspace[],
): Promise<Resource[]> {
  if (workspaces.length === 0) return []
  const { deps } = call
  const organization = await organizationOf(deps, grants.organizationId)
  const catalogue = await catalogueOf(deps)
  const retentions = await retentionsOf(call, workspaces)
  const connections = await connectionsOf(call, organization.id, workspaces)
  const outputs = await linksOf(call, 'outputs', workspaces)
  const vars = await linksOf(call, 'vars', workspaces)
  const now = deps.clock.now()
  const resources: Resource[] = []
  for (const workspace of workspaces) {
    const known = projectDefaultsOf(deps, workspace.projectId)
    const project = known instanceof Promise ? await known : known
    const rights = rightsOnWorkspace(grants, workspace)
    const retention = retentions.get(workspace.id)
    const connection = connections.get(workspace.vcsRepo?.oauthTokenId ?? '')
    const outputIds = outputs.get(workspace.id) ?? []
    const varIds = vars.get(workspace.id) ?? []
    const lock = lockInForce(workspace.lock, now)
    const { origin } = call.request
    const linked = [retention?.id, outputIds.join(), varIds.join(), ...Object.values(connection ?? {})]
    const around = [organization, project, catalogue, rights, origin, ...linked]
    const render = (): Resource =>
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
      })
    const unlocked = recallOrRender(workspace, around, render)
    resources.push(lock ? recallOrLock(unlocked, lock, () => withLockShown(unlocked, lock)) : unlocked)
  }
  return resources
}

type Shown = { readonly origin: string; readonly resource: Resource }

/** What each caller was shown last; rights are kept for one caller of one server, so they tell both apart. */
const shownTo = new WeakMap<OrganizationGrants, WhileUnchanged<Workspace, Shown>>()

/** One workspace as a resource. Beside the database it follows from the caller's rights, the address, and the clock. */
export function renderWorkspace(
  call: RenderCall,
  grants: OrganizationGrants,
  workspace: Workspace,
): Awaitable<Resource> {
  const { origin } = call.request
  const render = async (): Promise<Shown> => {
    const [resource] = await renderWorkspaces(call, grants, [workspace])
    return { origin, resource: resource as Resource }
  }
  const kept = shownTo.get(grants) ?? new WhileUnchanged(new WeakMap())
  shownTo.set(grants, kept)
  const endsByItself = workspace.lock !== null && workspace.lock.expiresAt !== null
  return andThen(
    kept.get(call.deps, workspace, render, () => !endsByItself),
    (shown) => (shown.origin === origin ? shown.resource : render().then(({ resource }) => resource)),
  )
}

/** The revision that a caller who set a condition has read; refused if the workspace shows otherwise. */
export async function expectedRevision(
  call: RenderCall & { readonly subject: OnWorkspace },
): Promise<number | undefined> {
  if (!isConditional(call.request)) return undefined
  const { resource: workspace, grants } = call.subject
  requireMatch(call.request, await renderWorkspace(call, grants, workspace))
  return workspace.revision
}

/** The self-hosted edition assesses nothing; the hosted one what can be, where it is asked for or enforced. */
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

type Held = { readonly policy: RetentionPolicy | undefined }

const policiesOf = perApp(
  (deps) => new VersionedCache<string, Held>(deps.store.versions, 'organizations', { max: 20_000 }),
)

/** The explicit policies of workspaces; those that are not in memory are read together. */
async function retentionsOf(
  { deps }: RenderCall,
  workspaces: readonly Workspace[],
): Promise<ReadonlyMap<string, RetentionPolicy>> {
  const held = policiesOf(deps)
  const asOf = held.version()
  const unknown = workspaces.filter(({ id }) => held.get(id) === undefined).map(({ id }) => id)
  const loaded = unknown.length > 0 ? await loadRetentionPolicies(deps.db, unknown) : []
  const found = new Map(loaded.map((policy) => [policy.targetId, policy]))
  for (const id of unknown) held.set(id, { policy: found.get(id) }, asOf)
  for (const { id } of workspaces) {
    const policy = held.get(id)?.policy
    if (policy) found.set(id, policy)
  }
  return found
}

async function connectionsOf(
  { deps }: RenderCall,
  organizationId: string,
  workspaces: readonly Workspace[],
): Promise<ReadonlyMap<string, VcsConnection>> {
  const tokenIds = [...new Set(workspaces.flatMap(({ vcsRepo }) => vcsRepo?.oauthTokenId ?? []))]
  if (tokenIds.length === 0) return new Map()
  const connections = await loadConnections(deps.db, organizationId, tokenIds)
  return new Map(connections.map((connection) => [connection.tokenId, connection]))
}

const noLinks: ReadonlyMap<string, readonly string[]> = new Map()

async function linksOf(
  { deps }: RenderCall,
  name: PartName,
  workspaces: readonly Workspace[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const part = workspaceParts(deps).get(name)
  if (!part?.links) return noLinks
  if (!part.linksFollowRevision) return await part.links(deps.db, workspaces)
  return await recallLinks(name, workspaces, (unknown) => part.links?.(deps.db, unknown) ?? noLinks)
}
