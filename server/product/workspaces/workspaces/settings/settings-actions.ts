import { canOnProject, hidden, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Failure, Fault } from '../../../../kernel/failure.ts'
import { isId } from '../../../../kernel/ids.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { invalidDocument } from '../../../../kit/jsonapi/index.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { keepAgentPool, keepDefaultPool, organizationOf } from '../../../people/organizations/index.ts'
import { mayUsePool } from '../pools/pool-store.ts'
import { loadWorkspaceByName } from '../records/workspace-store.ts'
import { bindingListFaults } from '../tagging/binding-rules.ts'
import { catalogueOf } from '../tool-versions/tool-version-actions.ts'
import { inheritedExecution, type ProjectDefaults, type Workspace, type WorkspaceSettings } from '../workspace-rules.ts'
import { type AskedSettings, faultAt, poolFault, type WorkspaceDraft } from './asked-rules.ts'
import { inheritedSchedule, lastActivityOf } from './auto-destroy-rules.ts'
import { lacksPool, poolNeeded } from './execution-rules.ts'
import { projectDefaultsOf } from './project-defaults-actions.ts'
import { keepProjectDefaults, keepProjectDuration } from './project-defaults-store.ts'
import { type SettingsContext, type SettledSettings, settleSettings } from './settings-rules.ts'
import { holdConnection, loadConnections } from './vcs/connection-store.ts'
import { inaccessibleRepo } from './vcs/vcs-rules.ts'

type SettingsDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'settings'>

/** The fault of a name that another workspace of the organization has. */
const nameTaken: Fault = faultAt('name', 'Name has already been taken', 'workspace.name-taken')

/** The refusal of a document whose name was taken by another workspace before it was written. */
export const nameRefused = (): Failure => invalidDocument([nameTaken])

/** Settings after a request, and the time of the request. */
type Settled = Pick<SettledSettings, 'settings'> & { readonly at: SettingsContext['now'] }

/** Applies a document to the settings of a workspace, new or existing; throws all of its faults together. */
export async function settleDraft(
  deps: SettingsDeps,
  project: ProjectDefaults,
  draft: WorkspaceDraft,
  before: Workspace | undefined,
): Promise<Settled> {
  const context = await contextOf(deps, project, before)
  const settled = settleSettings(draft.asked, context)
  draft.requireNoFaults(await allFaults(deps.db, draft, settled, { organizationId: project.organizationId, before }))
  return { settings: settled.settings, at: context.now }
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
  const project = await projectDefaultsOf(deps, id)
  if (project.organizationId !== grants.organizationId || !canOnProject(grants, 'can-read', id)) throw hidden()
  return project
}

/**
 * The project a workspace will be in. A move needs the right to move on both sides; naming the same project is not a
 * move.
 */
export async function targetProject(
  deps: SettingsDeps,
  grants: OrganizationGrants,
  before: Workspace,
  projectId: string | undefined,
): Promise<ProjectDefaults> {
  if (projectId === undefined || projectId === before.projectId) return await projectDefaultsOf(deps, before.projectId)
  const project = await projectFor(deps, grants, projectId)
  const both = [before.projectId, project.id].every((id) => canOnProject(grants, 'can-move-workspace', id))
  if (!both) throw hidden()
  return project
}

async function contextOf(
  deps: SettingsDeps,
  project: ProjectDefaults,
  before: Workspace | undefined,
): Promise<SettingsContext> {
  const { releases } = await catalogueOf(deps)
  return {
    before,
    organization: await organizationOf(deps, project.organizationId),
    project,
    releases,
    edition: deps.settings.edition,
    now: deps.clock.now(),
    newWebhookId: deps.ids.uuid(),
  }
}

type FaultContext = { readonly organizationId: string; readonly before: Workspace | undefined }

const unusablePool = (asked: AskedSettings): Fault =>
  poolFault(asked, 'Agent pool id does not name a pool that this workspace may use')

/** The faults found by the rules, and those that need the database. */
async function allFaults(
  db: Queryable,
  draft: WorkspaceDraft,
  settled: SettledSettings,
  { organizationId, before }: FaultContext,
): Promise<Fault[]> {
  const faults = [...settled.faults]
  const { name } = draft.asked
  const isNewName = name !== undefined && name !== before?.name
  if (isNewName && (await loadWorkspaceByName(db, organizationId, name))) faults.push(nameTaken)
  const { newPoolId, newTokenId, settings } = settled
  const user = { organizationId, projectId: settings.projectId, workspaceId: before?.id }
  if (newPoolId !== null && !(await mayUsePool(db, newPoolId, user))) {
    faults.push(unusablePool(draft.asked))
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
  { asked, settings }: { readonly asked: AskedSettings; readonly settings: WorkspaceSettings },
  before: WorkspaceSettings | undefined,
): Promise<void> {
  const { agentPoolId, vcsRepo } = settings
  if (agentPoolId && agentPoolId !== before?.agentPoolId && !(await keepAgentPool(tx, organizationId, agentPoolId))) {
    throw invalidDocument([unusablePool(asked)])
  }
  if (followsPool(settings) && !(before && followsPool(before) && before.projectId === settings.projectId)) {
    await requireDefaultPool(tx, organizationId, { asked, settings })
  }
  const tokenId = vcsRepo?.oauthTokenId
  if (!tokenId || tokenId === before?.vcsRepo?.oauthTokenId) return
  if (!(await holdConnection(tx, tokenId))) throw invalidDocument([inaccessibleRepo])
}

/** True if a workspace is in agent mode by its own choice and uses the pool of its project or organization. */
const followsPool = (own: WorkspaceSettings): boolean =>
  own.overwritesExecutionMode && own.executionMode === 'agent' && !own.overwritesAgentPool

async function requireDefaultPool(
  tx: Tx,
  organizationId: string,
  { asked, settings }: { readonly asked: AskedSettings; readonly settings: WorkspaceSettings },
): Promise<void> {
  const organization = await keepDefaultPool(tx, organizationId)
  const project = await keepProjectDefaults(tx, settings.projectId)
  if (!organization || !project) throw hidden()
  if (lacksPool(settings, inheritedExecution(organization, project))) throw invalidDocument([poolNeeded(asked)])
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
  const project = await keepProjectDuration(tx, settings.projectId)
  if (!project) throw hidden()
  const { autoDestroyActivityDuration: projectDuration } = project
  return { ...settings, ...inheritedSchedule({ projectDuration, now, lastActivityAt: lastActivityOf(before) }) }
}
