import { maybeIso } from '../../../kernel/clock.ts'
import { type Author, recordChange } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import type { Entry, Workspace, WorkspaceChange } from '../workspaces/index.ts'
import { figuresOf, figuresWindow } from './figures.ts'
import { listCounted } from './list-store.ts'
import type { Run } from './run.ts'
import { destroySource } from './run-fields.ts'
import { isFinal, type RunStatus } from './run-words.ts'
import type { Step } from './transition.ts'

/** What a transition of a run makes of its workspace, besides its lock and its queue. */
export async function consequencesOf(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  workspace: Workspace,
  { before, after }: Step,
): Promise<WorkspaceChange> {
  if (before.status === after.status) return { members: {} }
  const counts = !after.planOnly && (after.status === 'applied' || after.status === 'errored')
  const figures = counts ? figuresOf(await listCounted(tx, workspace.id, figuresWindow)) : {}
  const destroyed = after.source === destroySource ? destructionOf(workspace, after) : undefined
  const isCurrent = workspace.currentRunId === after.id
  return {
    members: { ...(isCurrent ? { latestChangeAt: clock.now() } : {}), ...figures, ...destroyed?.members },
    entries: destroyed?.entries ?? [],
  }
}

/** What has become of a scheduled destruction. */
function destructionOf(
  { autoDestroyAt, autoDestroyStatus }: Workspace,
  run: Run,
): { readonly members: Partial<Workspace>; readonly entries: readonly Entry[] } | undefined {
  const next = statusOf(run)
  // Another time may have been set meanwhile; what becomes of the earlier one is told by the run alone.
  if (!next || autoDestroyStatus === 'scheduled' || autoDestroyStatus === next) return undefined
  const at = { 'auto-destroy-at': maybeIso(autoDestroyAt) }
  const entry: Entry = {
    action: 'auto-destroy',
    before: { ...at, 'auto-destroy-status': autoDestroyStatus },
    after: { ...at, 'auto-destroy-status': next, run: run.id, ...(run.error ? { reason: run.error.code } : {}) },
  }
  return { members: { autoDestroyStatus: next }, entries: isFinal(run.status) ? [entry] : [] }
}

function statusOf({ status }: Run): string | undefined {
  if (status === 'planning') return 'destroying'
  if (status === 'applied' || status === 'planned_and_finished') return 'destroyed'
  return isFinal(status) ? 'errored' : undefined
}

type RecordDeps = Pick<Deps, 'clock' | 'ids' | 'store'>

const recordOf = ({ organizationId, workspaceId, id }: Run) => ({
  organizationId,
  workspaceId,
  subject: { type: 'runs', id, name: id },
})

/** Records that a run was created. */
export async function recordCreation(deps: RecordDeps, tx: Tx, author: Author, run: Run): Promise<void> {
  await recordChange(deps, tx, author, { ...recordOf(run), action: 'create', after: { status: run.status } })
}

/** Records what people do with a run, and what they may have to act on; what runners do on the way is in its events. */
export async function recordStep(
  deps: RecordDeps,
  tx: Tx,
  author: Author,
  { row, before, after }: Step,
): Promise<void> {
  const isNews = author.kind !== 'system' || isFinal(after.status) || newsStatuses.includes(after.status)
  if (!isNews) return
  const change = { action: row.event, before: { status: before.status }, after: { status: after.status } }
  await recordChange(deps, tx, author, { ...recordOf(after), ...change })
}

const newsStatuses: readonly RunStatus[] = ['planned', 'planned_and_saved']
