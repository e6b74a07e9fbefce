import { hidden, readGrants } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Author, serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { loadConfiguration, newestCurrent } from '../configurations/index.ts'
import {
  type ChangedMembers,
  changeInTransaction,
  type Entry,
  handOn,
  isSameHolder,
  type LockHolder,
  mayOnWorkspace,
  releasedByRun,
  takenByRun,
  type Workspace,
  type WorkspaceChange,
  wakeFirstWaiter,
} from '../workspaces/index.ts'
import { consequencesOf, recordStep } from './consequence-actions.ts'
import { endJobs } from './jobs/job-store.ts'
import { dropArtifacts } from './jobs/removal-actions.ts'
import { addEvent, addToLog } from './record-actions.ts'
import { dropSensitive } from './record-store.ts'
import { isPhaseFinal, type Phase, type PhaseResult, type Run, runLimits } from './run.ts'
import { destroySource } from './run-fields.ts'
import { isRemoteExecutionOn, loadHead, loadLast, loadRun, loadSaved, updateRun } from './run-store.ts'
import type { Row } from './run-table.ts'
import { eventText } from './run-texts.ts'
import { isFinal, type Trigger } from './run-words.ts'
import { dueTrigger, holdsWorkspace, renewed, type Situation, type Step, step } from './transition.ts'

/** What changing runs needs. */
export type RunDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'parts' | 'keyring'>

/** What comes with a trigger. */
export type Move = {
  readonly by?: LockHolder
  readonly comment?: string | undefined
  readonly runner?: string
  readonly result?: PhaseResult
  /** The fence under which the runner has the job. */
  readonly fence?: number
  /** The digest of the plan that whoever confirms has seen. */
  readonly planDigest?: string | undefined
}

/** A workspace while its runs are being changed: what it becomes is collected, and written once. */
export type Desk = {
  readonly deps: RunDeps
  readonly tx: Tx
  /** The current state before anything was released. */
  readonly stateBefore: string | null
  /** Who asked for the change. */
  readonly author: Author
  workspace: Workspace
  members: ChangedMembers
  readonly entries: Entry[]
}

/** Begins to change the runs of a workspace that nobody else can change meanwhile. */
export const openDesk = (
  deps: RunDeps,
  tx: Tx,
  workspace: Workspace,
  { stateBefore, author = serverAuthor }: { readonly stateBefore?: string | null; readonly author?: Author } = {},
): Desk => ({
  deps,
  tx,
  author,
  stateBefore: stateBefore === undefined ? workspace.currentStateVersionId : stateBefore,
  workspace,
  members: {},
  entries: [],
})

/** What has become of the workspace; undefined if nothing has. */
export const changeOf = ({ members, entries }: Desk): WorkspaceChange | undefined =>
  Object.keys(members).length === 0 ? undefined : { members, entries }

/** Says what becomes of the workspace. */
export function put(desk: Desk, { members, entries = [] }: WorkspaceChange): void {
  desk.members = { ...desk.members, ...members }
  desk.workspace = { ...desk.workspace, ...members }
  desk.entries.push(...entries)
}

/** Says that a run is the current one of its workspace. */
export const setCurrent = (desk: Desk, { id, status, createdAt }: Run): void =>
  put(desk, {
    members: {
      currentRunId: id,
      currentRunStatus: status,
      currentRunNewestFirst: -createdAt,
      currentRunAtOrLast: createdAt,
    },
  })

async function situationOf(desk: Desk, run: Run, trigger: Trigger, move: Move): Promise<Situation> {
  const { deps, tx, workspace } = desk
  const head = await loadHead(tx, workspace.id)
  const last = await loadLast(tx, workspace.id)
  const isFirst = head?.id === run.id
  const holder = workspace.lock?.holder
  const holding = trigger === 'advance' && holder?.kind === 'run' ? await loadRun(tx, holder.id) : undefined
  return {
    now: deps.clock.now(),
    limits: runLimits,
    place: run.queueNumber === null ? 'beside' : isFirst ? 'first' : 'behind',
    isFree: workspace.lock === null && (head === undefined || isFirst),
    holder: holding?.status ?? null,
    stateId: workspace.currentStateVersionId,
    mayApply: run.source === destroySource || (await mayApply(tx, workspace, run.confirmedBy ?? run.createdBy)),
    by: move.by ?? null,
    queueNumber: trigger === 'advance' ? (head?.queueNumber ?? 0) : last.queueNumber + 1,
    runner: move.runner ?? null,
    result: move.result ?? null,
  }
}

/** Whether somebody may apply in a workspace at this moment. */
async function mayApply(tx: Tx, workspace: Workspace, { kind, id }: LockHolder): Promise<boolean> {
  if (kind === 'run') return false
  const grants = (await readGrants(tx, { kind, id })).byId.get(workspace.organizationId)
  return grants !== undefined && mayOnWorkspace(grants, 'can-queue-apply', workspace)
}

type Locking = { readonly keepsLock?: boolean }

/** Does to a run what a trigger causes; undefined if it causes nothing. */
export async function moveOn(
  desk: Desk,
  run: Run,
  trigger: Trigger,
  move: Move & Locking = {},
): Promise<Step | undefined> {
  const done = step(run, trigger, await situationOf(desk, run, trigger, move))
  if (done) await storeStep(desk, done, move)
  return done
}

async function storeStep(desk: Desk, { row, before, after }: Step, move: Move & Locking): Promise<void> {
  const { deps, tx } = desk
  await updateRun(tx, after)
  if (before.claimedBy !== null && after.fence !== before.fence) await endJobs(tx, after.id, deps.clock.now())
  // Runners and readers wait for what becomes of runs.
  bumpVersion(tx, 'runs')
  const actor = move.by ?? null
  await addEvent(deps, tx, after, { action: row.event, description: eventText(row), actor, comment: move.comment })
  await endLogs(desk, { row, before, after })
  if (isFinal(after.status)) {
    await dropSensitive(tx, after.id)
    await dropArtifacts(tx, after.id, ['plan', 'lock-file'])
  }
  if (holdsWorkspace(after) && !holdsWorkspace(before)) {
    setCurrent(desk, after)
    put(desk, takenByRun(desk.workspace, after.id, deps.clock.now()))
  }
  if (holdsWorkspace(before) && !holdsWorkspace(after) && !move.keepsLock)
    put(desk, await releasedByRun(deps, tx, desk.workspace))
  if (desk.workspace.currentRunId === after.id && desk.workspace.currentRunStatus !== after.status)
    put(desk, { members: { currentRunStatus: after.status } })
  if (row.effects.includes('promote the configuration')) await promoteConfiguration(desk, after)
  put(desk, await consequencesOf(deps, tx, desk.workspace, { row, before, after }))
  await recordStep(deps, tx, move.by ? desk.author : serverAuthor, { row, before, after })
}

/** A provisional configuration that was applied becomes the current one, unless a newer one is. */
async function promoteConfiguration(desk: Desk, { configurationVersionId }: Run): Promise<void> {
  const applied = await loadConfiguration(desk.tx, configurationVersionId)
  if (!applied?.provisional || applied.workspaceId !== desk.workspace.id) return
  const newest = await newestCurrent(desk.tx, desk.workspace.id)
  if (newest && newest.ordinal > applied.ordinal) return
  put(desk, { members: { currentConfigurationVersionId: applied.id } })
}

/** Ends the logs of phases that are over: one that never ran says why, others what went wrong. */
async function endLogs({ deps, tx }: Desk, { row, before, after }: Step): Promise<void> {
  const phases: readonly (readonly [Phase, Phase])[] = [
    [before.plan, after.plan],
    [before.apply, after.apply],
  ]
  for (const [was, is] of phases) {
    if (row.effects.includes('queue the job again') && is.status === 'queued' && was.status === 'running')
      await addToLog(deps, tx, after, { phase: is, line: eventText(row), isOfJob: true })
    if (!isPhaseFinal(is.status) || isPhaseFinal(was.status)) continue
    await addToLog(deps, tx, after, { phase: is, line: lastLine(row, was, is, after), isOver: true })
  }
}

function lastLine(row: Row, was: Phase, is: Phase, run: Run): string | undefined {
  if (is.status === 'finished') return undefined
  if (was.status === 'pending' && is.kind === 'apply' && run.status === 'planned_and_finished')
    return 'There is nothing to apply.'
  return run.error?.message ?? eventText(row)
}

/**
 * Lets the queue of a workspace go on: plans that were made with another state end, the first run becomes the current one
 * and takes the workspace if nobody holds it.
 */
export async function settle(desk: Desk, { starts = true }: Settling = {}): Promise<void> {
  const { tx } = desk
  if (desk.workspace.currentStateVersionId !== desk.stateBefore) {
    for (const saved of await loadSaved(tx, desk.workspace.id)) await moveOn(desk, saved, 'outdate')
  }
  for (;;) {
    const head = await loadHead(tx, desk.workspace.id)
    if (!head) return
    if (desk.workspace.currentRunId !== head.id) setCurrent(desk, head)
    if (!starts || desk.workspace.lock !== null || !(await isRemoteExecutionOn(tx, head.organizationId))) return
    const started = await moveOn(desk, head, 'start')
    if (!started || !isFinal(started.after.status)) return
  }
}

/** Whether runs that wait begin at once. */
type Settling = { readonly starts?: boolean }

/** Which run is moved, and whether the caller may still do so on what its workspace has become. */
export type Target = {
  readonly run: Pick<Run, 'id' | 'workspaceId'>
  readonly allows?: (current: Workspace) => boolean
}

/** The workspace whose runs change. */
type ChangedPlace = Settling & {
  readonly workspaceId: string
  readonly allows?: ((current: Workspace) => boolean) | undefined
}

/** Works on the runs of a workspace in one transaction, and then lets its queue go on. */
export async function changeRuns<T>(
  deps: RunDeps,
  author: Author,
  target: ChangedPlace,
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const { allows } = target
  const { result, before, after } = await inTransaction(deps.db, async (tx) => {
    const results: T[] = []
    const changed = await changeInTransaction(
      deps,
      tx,
      author,
      { id: target.workspaceId, ...(allows ? { allows } : {}) },
      async (workspace) => {
        const desk = openDesk(deps, tx, workspace, { author })
        results.push(await work(desk))
        await settle(desk, target)
        return changeOf(desk)
      },
    )
    return { ...changed, result: results.at(-1) as T }
  })
  handOn(deps, before, after)
  if (before.lock && !after.lock) wakeFirstWaiter(deps, after.id)
  return result
}

/** What a refused trigger would have done, in the words of a refusal. */
const refusedTexts: Readonly<Partial<Record<Trigger, string>>> = {
  confirm: 'be applied',
  discard: 'be discarded',
  cancel: 'be canceled',
  'force-cancel': 'be canceled by force',
  advance: 'be executed by force',
}

const refusal = ({ id, status, forceCancelAvailableAt }: Run, trigger: Trigger) => {
  const wait =
    trigger === 'force-cancel' && !isFinal(status) && forceCancelAvailableAt !== null
      ? ' It can be from force-cancel-available-at on.'
      : ''
  const detail = `Run ${id} cannot ${refusedTexts[trigger] ?? trigger} while it is ${status}: transition not allowed.${wait}`
  return failure('conflict', `run.${trigger}-refused`, detail)
}

/** A request that is repeated because its answer was lost is answered as before. */
const repeatable = 30_000

function isRepeated(run: Run, trigger: Trigger, by: LockHolder | undefined, now: number): boolean {
  if (!by) return false
  const within = (at: number | null) => at !== null && now - at < repeatable
  if (trigger === 'confirm')
    return run.confirmedBy !== null && isSameHolder(run.confirmedBy, by) && within(run.confirmedAt)
  if (trigger === 'cancel') return run.canceledBy !== null && isSameHolder(run.canceledBy, by) && within(run.canceledAt)
  return trigger === 'discard' && run.discardedById === by.id && within(run.discardedAt)
}

/** Does to a run what a trigger causes, and lets the queue of its workspace go on; refused where it causes nothing. */
export const moveRun = (
  deps: RunDeps,
  author: Author,
  { run, allows }: Target,
  trigger: Trigger,
  move: Move = {},
): Promise<Run> =>
  changeRuns(deps, author, { workspaceId: run.workspaceId, allows }, async (desk) => {
    const current = await loadRun(desk.tx, run.id)
    if (!current) throw hidden()
    requireFence(current, move)
    requireDigest(current, move)
    const done = await moveOn(desk, current, trigger, move)
    if (done && trigger === 'advance') await displaceHolder(desk, move)
    if (done) return done.after
    if (isRepeated(current, trigger, move.by, deps.clock.now())) return current
    throw refusal(current, trigger)
  })

/** Lets a run begin that waits for nothing, and the first one in the queue of its workspace. */
export const startRun = (deps: RunDeps, author: Author, { id, workspaceId }: Pick<Run, 'id' | 'workspaceId'>) =>
  changeRuns(deps, author, { workspaceId }, async (desk) => {
    const run = await loadRun(desk.tx, id)
    const isOn = run && (await isRemoteExecutionOn(desk.tx, run.organizationId))
    if (run?.status === 'pending' && run.queueNumber === null && isOn) await moveOn(desk, run, 'start')
  })

/** Does what the passing of its deadline does to a run; false if nothing was due any more. */
export const moveDue = (deps: RunDeps, { id, workspaceId }: Run): Promise<boolean> =>
  changeRuns(deps, serverAuthor, { workspaceId }, async (desk) => {
    const run = await loadRun(desk.tx, id)
    const trigger = run && dueTrigger(run, deps.clock.now())
    if (!run || !trigger) return false
    if (trigger === 'start' && run.queueNumber !== null) return true
    if (trigger === 'start' && !(await isRemoteExecutionOn(desk.tx, run.organizationId))) {
      await updateRun(desk.tx, { ...run, deadlineAt: null })
      return false
    }
    return (await moveOn(desk, run, trigger)) !== undefined
  })

/** Ends a run that has not begun in a workspace that is executed locally by now; false if it has begun. */
export const moveLocalized = (deps: RunDeps, { id, workspaceId }: Run): Promise<boolean> =>
  changeRuns(deps, serverAuthor, { workspaceId }, async (desk) => {
    const run = await loadRun(desk.tx, id)
    return run !== undefined && (await moveOn(desk, run, 'localize')) !== undefined
  })

/** A runner gives a sign of life. */
export const renewLease = (deps: RunDeps, { id, workspaceId }: Run, fence: number): Promise<Run> =>
  changeRuns(deps, serverAuthor, { workspaceId }, async ({ tx, workspace }) => {
    const run = await loadRun(tx, id)
    if (!run) throw hidden()
    requireFence(run, { fence })
    const at = { now: deps.clock.now(), limits: runLimits, place: 'first', isFree: workspace.lock === null } as const
    const after = renewed(run, at)
    await updateRun(tx, after)
    return after
  })

/** A runner whose job was taken from it changes nothing. */
function requireFence(run: Run, { fence }: Move): void {
  if (fence === undefined || fence === run.fence) return
  throw failure('conflict', 'run.fence', 'The job was given to another runner, or has ended.')
}

function requireDigest(run: Run, { planDigest }: Move): void {
  if (planDigest === undefined || planDigest === run.planDigest) return
  const detail = 'The plan is not the one that was shown: read the run again and compare its plan-digest.'
  throw failure('conflict', 'run.plan-digest', detail)
}

/** The run that holds the workspace makes way for one that is to go first. */
async function displaceHolder(desk: Desk, { by }: Move): Promise<void> {
  const holder = await loadRun(desk.tx, desk.workspace.lock?.holder.id ?? '')
  if (holder) await moveOn(desk, holder, 'displace', by ? { by } : {})
}
