import { hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import { type Author, recordUpdate } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { KeyedMutex } from '../../../kit/keyed-mutex.ts'
import { untilWritten } from '../../../kit/until-written.ts'
import { unlessTaken } from '../../../storage/errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { hasSameSettings } from './records/workspace-row-store.ts'
import { holdWorkspace, loadWorkspace, saveFormerName, updateSettings } from './records/workspace-store.ts'
import type { WorkspaceDraft } from './settings/asked-rules.ts'
import {
  nameRefused,
  requireLinked,
  settleDraft,
  targetProject,
  withProjectSchedule,
} from './settings/settings-actions.ts'
import { storeBindings } from './tagging/binding-actions.ts'
import { replaceBindings } from './tagging/binding-store.ts'
import { mayOnWorkspace } from './workspace-access.ts'
import { describeWorkspace, workspaceSubject } from './workspace-changes.ts'
import type { Workspace, WorkspaceSettings } from './workspace-rules.ts'

/** What changing workspaces needs. */
export type WorkspaceDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'settings'>

/** The refusal of a caller that lost to concurrent writes again and again. */
export const contended = (): Failure =>
  failure('conflict', 'workspace.contended', 'The workspace is being changed by others; try again.')

/**
 * Changes of one workspace wait for each other within this process, so that none loses to the others again and again.
 */
const workspaceTurns = perApp(() => new KeyedMutex())

/** A change of settings. */
type WorkspaceUpdate = {
  readonly grants: OrganizationGrants
  readonly addressed: Workspace
  /** What the workspace is to become; called again for each try, since others may have changed it meanwhile. */
  readonly draftFor: (before: Workspace) => WorkspaceDraft
  /** Called with the workspace as it is; throws if the caller expected another. */
  readonly expect?: (before: Workspace) => Promise<unknown>
}

/** Changes settings of a workspace. Attributes that were not sent keep the value they have at the moment of writing. */
export const changeWorkspace = (deps: WorkspaceDeps, author: Author, update: WorkspaceUpdate): Promise<Workspace> =>
  workspaceTurns(deps).run(update.addressed.id, () => changeUntilWritten(deps, author, update))

async function changeUntilWritten(deps: WorkspaceDeps, author: Author, update: WorkspaceUpdate): Promise<Workspace> {
  let before = update.addressed
  return untilWritten(async () => {
    const changed = await tryChange(deps, author, update, before)
    if (changed) return changed
    const current = await loadWorkspace(deps.db, before.id)
    // It may have been moved to a project where the caller has no such right.
    if (!current || !mayOnWorkspace(update.grants, 'can-update', current)) throw hidden()
    before = current
    return undefined
  }, contended)
}

/** Undefined when another write came first. */
async function tryChange(
  deps: WorkspaceDeps,
  author: Author,
  { grants, draftFor, expect }: WorkspaceUpdate,
  before: Workspace,
): Promise<Workspace | undefined> {
  const change = await settleChange(deps, { grants, draft: draftFor(before) }, before)
  await expect?.(before)
  const exactly = expect !== undefined
  return await unlessTaken(nameRefused, () =>
    inTransaction(deps.db, (tx) => writeChange(deps, tx, author, { ...change, exactly })),
  )
}

/** A change that was decided for a workspace as it was. */
export type SettledChange = Pick<WorkspaceDraft, 'asked' | 'bindings'> & {
  readonly before: Workspace
  readonly settings: WorkspaceSettings
  readonly at: Instant
  /** True if nothing at all may have changed since then. */
  readonly exactly: boolean
}

/** Applies a draft to a workspace; throws all of its faults together. */
export async function settleChange(
  deps: WorkspaceDeps,
  { grants, draft }: { readonly grants: OrganizationGrants; readonly draft: WorkspaceDraft },
  before: Workspace,
): Promise<SettledChange> {
  const project = await targetProject(deps, grants, before, draft.projectId)
  const { settings, at } = await settleDraft(deps, project, draft, before)
  return { before, settings, at, asked: draft.asked, bindings: draft.bindings, exactly: false }
}

/** Writes a change in a transaction of the caller; undefined when another write came first. */
export async function writeChange(
  deps: WorkspaceDeps,
  tx: Tx,
  author: Author,
  change: SettledChange,
): Promise<Workspace | undefined> {
  const { before, at, bindings } = change
  await requireLinked(tx, before.organizationId, change, before)
  const settings = await withProjectSchedule(tx, change.settings, { before, now: at })
  const written = await storeSettings(tx, { ...change, settings })
  if (!written) return undefined
  if (settings.name !== before.name) await saveFormerName(tx, before, at)
  const target = { organizationId: before.organizationId, workspaceId: before.id }
  const rebound = bindings && (await storeBindings(deps, tx, target, { bindings, store: replaceBindings, at }))
  const after: Workspace = { ...written, ...settings, updatedAt: at, revision: written.revision + 1 }
  await recordUpdate(deps, tx, author, {
    ...workspaceSubject(after),
    before: { ...describeWorkspace(before), ...rebound?.before },
    after: { ...describeWorkspace(after), ...rebound?.after },
  })
  return after
}

/**
 * Returns the workspace as it was when the settings were written; undefined if its settings were no longer those that
 * the change was made for. Tags, variables and locks may have changed unless `exactly` is set: settings do not depend
 * on them.
 */
async function storeSettings(tx: Tx, { before, settings, at, exactly }: SettledChange): Promise<Workspace | undefined> {
  if (await updateSettings(tx, before, settings, at)) return before
  if (exactly) return undefined
  const current = await holdWorkspace(tx, before.id)
  if (!current || !hasSameSettings(current, before)) return undefined
  return (await updateSettings(tx, current, settings, at)) ? current : undefined
}
