import { canOnProject, hidden, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Failure, Fault } from '../../../../kernel/failure.ts'
import { isId } from '../../../../kernel/ids.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { invalidDocument } from '../../../../kit/jsonapi/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import { lockAgentPoolForShare, lockDefaultPoolForShare, organizationOf } from '../../../people/organizations/index.ts'
import { mayUsePool } from '../pools/usable-pool-store.ts'
import { bindingListFaults } from '../tagging/tag-binding.ts'
import { catalogueOf } from '../tool-versions/tool-version-actions.ts'
import { inheritedExecution, type ProjectDefaults, type Workspace, type WorkspaceSettings } from '../workspace.ts'
import { loadWorkspaceByName } from '../workspace-store.ts'
import { inheritedSchedule, lastActivityOf } from './auto-destroy.ts'
import { lacksPool, poolNeeded } from './execution.ts'
import {
  loadProjectDefaults,
  lockProjectDefaultsForShare,
  lockProjectDurationForShare,
} from './project-defaults-store.ts'
import { faultAt, poolFault, type RequestedSettings, type WorkspaceDraft } from './requested-settings.ts'
import { inaccessibleRepo } from './vcs-settings.ts'
import { loadConnections, lockConnectionForShare } from './vcs-settings-store.ts'
import { type SettingsContext, type SettledSettings, settleSettings } from './workspace-settings.ts'

const cacheOf = perApp(
  (deps) => new VersionedCache<string, ProjectDefaults>(deps.store.versions, 'projects', { max: 10_000 }),
)

/** What a project decides for its workspaces; from memory unless a project has changed. */
export async function projectDefaultsOf(deps: Pick<Deps, 'db' | 'store'>, id: string): Promise<ProjectDefaults> {
  return await cacheOf(deps).getOrLoad(id, async () => {
    const project = await loadProjectDefaults(deps.db, id)
    if (!project) throw hidden()
    return project
  })
}

/** What settings are decided by. */
export type SettingsDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'settings'>

/** The fault of a name that another workspace of the organization has. */
const nameTaken: Fault = faultAt('name', 'Name has already been taken', 'workspace.name-taken')

/** The refusal of a document whose name was taken by another workspace before it was written. */
export const nameRefused = (): Failure => invalidDocument([nameTaken])

/** Settings after a request, and the time of the request. */
type Settled = Pick<SettledSettings, 'settings'> & { readonly at: SettingsContext['now'] }

/**
 * Applies a document to the settings of a workspace, new or existing; throws all of its faults together, or returns
 * undefined if the document collects them. What has to be looked up for them is asked of `db`, perhaps a transaction.
 */
export async function settleDraft(
  db: Queryable,
  draft: WorkspaceDraft,
  context: SettingsContext,
): Promise<Settled | undefined> {
  const settled = settleSettings(draft.requested, context)
  const { before, project } = context
  const faults = await allFaults(db, draft, settled, { organizationId: project.organizationId, before })
  draft.requireNoFaults(faults)
  return faults.length > 0 ? undefined : { settings: settled.settings, at: context.now }
}

/**
 * The project that a workspace will be in: the one it is in, or the one that is named, if the caller may move it there.
 */
export async function targetProject(
  tx: Tx,
  { grants, known }: { readonly grants: OrganizationGrants; readonly known: ProjectDefaults },
  before: Workspace,
  projectId: string = before.projectId,
): Promise<ProjectDefaults> {
  const project = projectId === known.id ? known : await loadProjectDefaults(tx, projectId)
  if (!project) throw hidden()
  requireMovable(grants, before, project)
  return project
}

/** The project of a new workspace; one that the caller cannot see or create workspaces in does not exist for it. */
export async function projectForNew(
  deps: SettingsDeps,
  grants: OrganizationGrants,
  projectId: string,
): Promise<ProjectDefaults> {
  const project = await projectFor(deps, grants, projectId)
  if (!canOnProject(grants, 'can-create-workspace', project.id)) throw hidden()
  return project
}

async function projectFor(deps: SettingsDeps, grants: OrganizationGrants, id: string): Promise<ProjectDefaults> {
  if (!isId('prj', id)) throw hidden()
  return requireReadable(grants, await projectDefaultsOf(deps, id))
}

function requireReadable(grants: OrganizationGrants, project: ProjectDefaults): ProjectDefaults {
  const isReadable = project.organizationId === grants.organizationId && canOnProject(grants, 'can-read', project.id)
  if (!isReadable) throw hidden()
  return project
}

/** Throws unless the workspace may be moved to this project: that needs the right to move on both sides. */
function requireMovable(grants: OrganizationGrants, before: Workspace, project: ProjectDefaults): void {
  if (project.id === before.projectId) return
  requireReadable(grants, project)
  const both = [before.projectId, project.id].every((id) => canOnProject(grants, 'can-move-workspace', id))
  if (!both) throw hidden()
}

/** What settings depend on besides the workspace; `project` is the one it is in as far as is known. */
export type Surroundings = Omit<SettingsContext, 'before'>

/** Reads what settings depend on: from memory, as a rule, so it is done before a transaction begins. */
export async function surroundingsOf(deps: SettingsDeps, project: ProjectDefaults): Promise<Surroundings> {
  const { releases } = await catalogueOf(deps)
  return {
    organization: await organizationOf(deps, project.organizationId),
    project,
    releases,
    edition: deps.settings.edition,
    now: deps.clock.now(),
    newWebhookId: deps.ids.uuid(),
  }
}

type FaultContext = { readonly organizationId: string; readonly before: Workspace | undefined }

const unusablePool = (requested: RequestedSettings): Fault =>
  poolFault(requested, 'Agent pool id does not name a pool that this workspace may use')

/** The faults found by the rules, and those that need the database. */
async function allFaults(
  db: Queryable,
  draft: WorkspaceDraft,
  settled: SettledSettings,
  { organizationId, before }: FaultContext,
): Promise<Fault[]> {
  const faults = [...settled.faults]
  const { name } = draft.requested
  const isNewName = name !== undefined && name !== before?.name
  if (isNewName && (await loadWorkspaceByName(db, organizationId, name))) faults.push(nameTaken)
  const { newPoolId, newTokenId, settings } = settled
  const user = { organizationId, projectId: settings.projectId, workspaceId: before?.id }
  if (newPoolId !== null && !(await mayUsePool(db, newPoolId, user))) {
    faults.push(unusablePool(draft.requested))
  }
  if (newTokenId !== null && (await loadConnections(db, organizationId, [newTokenId])).length === 0) {
    faults.push(inaccessibleRepo)
  }
  if (draft.bindings) faults.push(...bindingListFaults(draft.bindings, '/data/relationships/tag-bindings/data'))
  return faults
}

/**
 * Refuses a connection or pool that was deleted since the settings were decided, and a default pool that is no longer
 * one; those already in use are not checked again.
 */
export async function requireLinked(
  tx: Tx,
  organizationId: string,
  { requested, settings }: { readonly requested: RequestedSettings; readonly settings: WorkspaceSettings },
  before: WorkspaceSettings | undefined,
): Promise<void> {
  const { agentPoolId, vcsRepo } = settings
  if (
    agentPoolId &&
    agentPoolId !== before?.agentPoolId &&
    !(await lockAgentPoolForShare(tx, organizationId, agentPoolId))
  ) {
    throw invalidDocument([unusablePool(requested)])
  }
  if (followsPool(settings) && !(before && followsPool(before) && before.projectId === settings.projectId)) {
    await requireDefaultPool(tx, organizationId, { requested, settings })
  }
  const tokenId = vcsRepo?.oauthTokenId
  if (!tokenId || tokenId === before?.vcsRepo?.oauthTokenId) return
  if (!(await lockConnectionForShare(tx, tokenId))) throw invalidDocument([inaccessibleRepo])
}

/** True if a workspace is in agent mode by its own choice and uses the pool of its project or organization. */
const followsPool = (own: WorkspaceSettings): boolean =>
  own.overwritesExecutionMode && own.executionMode === 'agent' && !own.overwritesAgentPool

async function requireDefaultPool(
  tx: Tx,
  organizationId: string,
  { requested, settings }: { readonly requested: RequestedSettings; readonly settings: WorkspaceSettings },
): Promise<void> {
  const organization = await lockDefaultPoolForShare(tx, organizationId)
  const project = await lockProjectDefaultsForShare(tx, settings.projectId)
  if (!organization || !project) throw hidden()
  if (lacksPool(settings, inheritedExecution(organization, project))) throw invalidDocument([poolNeeded(requested)])
}

/**
 * Settings with the schedule of a project that they begin to follow, whose duration may have changed since they were
 * decided. If they followed it before, the request that changes the duration updates them.
 */
export async function withProjectSchedule<T extends WorkspaceSettings>(
  tx: Tx,
  settings: T,
  { before, now }: { readonly before: Workspace | undefined; readonly now: Instant },
): Promise<T> {
  const followed = before?.projectId === settings.projectId && before.inheritsProjectAutoDestroy !== false
  if (followed || settings.inheritsProjectAutoDestroy === false) return settings
  const project = await lockProjectDurationForShare(tx, settings.projectId)
  if (!project) throw hidden()
  const { autoDestroyActivityDuration: projectDuration } = project
  return { ...settings, ...inheritedSchedule({ projectDuration, now, lastActivityAt: lastActivityOf(before) }) }
}
