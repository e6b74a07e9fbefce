import type { Instant } from '../../../../kernel/clock.ts'
import { type Failure, failure } from '../../../../kernel/failure.ts'
import { type Author, type Members, serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../kit/job.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { workOff } from '../../../../kit/work-off.ts'
import { isClaimLost } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { LockHolder, Workspace, WorkspaceId, WorkspaceLock } from '../workspace.ts'
import {
  type ChangeDeps,
  changeInTransaction,
  changeWorkspace,
  type Entry,
  handOn,
  recordWorkspaceChange,
  type WorkspaceChange,
} from '../workspace-actions.ts'
import { type ChangedMembers, claimLockSwap, loadWorkspace } from '../workspace-store.ts'
import {
  decideExtension,
  decideForce,
  decideLock,
  decideUnlock,
  describeLock,
  type Extension,
  type LockDecision,
  lockInForce,
  refusalText,
} from './lock.ts'
import { wakeFirstWaiter } from './lock-queue-actions.ts'
import { listExpiredLocks } from './lock-store.ts'

/** What changing a lock needs. */
export type LockDeps = ChangeDeps & Pick<Deps, 'parts' | 'keyring'>

/** What else has to happen when a workspace is released. */
export type UnlockStep = {
  /** Claims that there is nothing to do, after the lock was taken away in the same transaction. */
  claimNothingToDo(tx: Tx, workspace: Workspace): Promise<void>
  /**
   * Finds out what has to be done, while nobody else can change the workspace. It changes nothing: the release may still
   * be refused.
   */
  inspect(deps: Pick<Deps, 'clock'>, tx: Tx, workspace: Workspace): Promise<Release>
}

/** What has to be done for a release, and the refusal if it is not forced. */
export type Release = {
  readonly refusal: Failure | undefined
  /** Does it; returns what that changes in the workspace itself. */
  readonly perform: () => Promise<ChangedMembers>
}

/** The runs that wait for a workspace, or hold it. */
export type RunQueue = {
  /** Ends the run that holds a workspace, which is taken from it by force; returns what that changes in the workspace. */
  endHolder(deps: LockDeps, tx: Tx, workspace: Workspace, by: Author): Promise<ChangedMembers>
  /** What the runs make of a workspace that has just been released: the first one takes it. */
  afterRelease(deps: LockDeps, tx: Tx, before: Workspace, released: Workspace): Promise<WorkspaceChange>
  /** Ends a scheduled destruction that has not begun, since another time was set; returns what that changes. */
  afterRescheduling(deps: LockDeps, tx: Tx, workspace: Workspace): Promise<ChangedMembers>
  /** Ends runs that cannot begin any more, since the workspace is executed locally from now on. */
  afterLocalizing(deps: LockDeps, tx: Tx, workspace: Workspace): Promise<ChangedMembers>
}

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /** What else happens in every release of a workspace. */
    unlockStep: UnlockStep
    /** Who takes a workspace next. */
    runQueue: RunQueue
  }
}

/** True if a run is first in the queue of a workspace and has not begun: it takes the workspace when it is released. */
const isAwaited = ({ currentRunStatus }: Workspace): boolean =>
  currentRunStatus === 'pending' || currentRunStatus === 'confirmed'

/** A release, with what the runs make of it. */
async function handedOn(deps: LockDeps, tx: Tx, before: Workspace, change: WorkspaceChange): Promise<WorkspaceChange> {
  const { members, entries = [] } = change
  const [queue] = partsOf(deps, 'runQueue')
  if (!queue) return change
  const next = await queue.afterRelease(deps, tx, before, { ...before, ...members })
  return { members: { ...members, ...next.members }, entries: [...entries, ...(next.entries ?? [])] }
}

/** A workspace that nobody holds is taken by a run. */
export function takenByRun(workspace: Workspace, runId: string, since: Instant): WorkspaceChange {
  const holder: LockHolder = { kind: 'run', id: runId, name: runId }
  const lock: WorkspaceLock = { holder, reason: `Run ${runId}`, since, expiresAt: null }
  const entry: Entry = { action: 'lock', before: describeLock(null), after: describeLock(lock), author: serverAuthor }
  return { members: lockMembers(workspace, lock), entries: [entry] }
}

/** The run that holds a workspace lets go of it; its newest state becomes the current one. */
export async function releasedByRun(deps: LockDeps, tx: Tx, workspace: Workspace): Promise<WorkspaceChange> {
  const released = await performSteps(deps, tx, workspace, true)
  const [before, after] = [describeLock(workspace.lock), describeLock(null)]
  const entry: Entry = { action: 'unlock', before, after, author: serverAuthor }
  return { members: { ...released, ...lockMembers(workspace, null) }, entries: [entry] }
}

/** A workspace as the caller has seen it, and whether the call is still allowed if it has changed since. */
export type SeenWorkspace = { readonly workspace: Workspace; readonly allows: (current: Workspace) => boolean }

/** Locks a workspace that nobody holds. */
export const lockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  wanted: WorkspaceLock,
): Promise<Workspace> =>
  changeLock(deps, author, seen, { action: 'lock', decide: (current) => decideLock(current, wanted) })

/** Releases a workspace by its holder. */
export const unlockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  by: LockHolder,
): Promise<Workspace> =>
  changeLock(deps, author, seen, { action: 'unlock', decide: (current) => decideUnlock(current, by) })

/** How a lock is broken: which one, and why. */
export type Force = { readonly lockedAt: Instant | undefined; readonly reason: string }

/** Releases a workspace whoever holds it; only the lock that began at that time, if the request names one. */
export const forceUnlockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  { lockedAt, reason }: Force = { lockedAt: undefined, reason: '' },
): Promise<Workspace> =>
  changeLock(deps, author, seen, {
    action: 'force-unlock',
    decide: (current) => decideForce(current, lockedAt),
    note: reason === '' ? {} : { reason },
  })

type LockRequest = {
  readonly action: 'lock' | 'unlock' | 'force-unlock'
  readonly decide: (current: WorkspaceLock | null) => LockDecision
  /** What is recorded besides the lock. */
  readonly note?: Members
}

/**
 * First trusts the workspace as the caller has seen it: the swap costs a single round trip to the database, and fails if the
 * workspace has changed since. A refusal is only given for the workspace as it is now.
 */
async function changeLock(
  deps: LockDeps,
  author: Author,
  { workspace: seen, allows }: SeenWorkspace,
  request: LockRequest,
): Promise<Workspace> {
  const { id } = seen
  const changed =
    (await swapAsSeen(deps, author, seen, request)) ??
    (await changeWorkspace(deps, author, { id, allows }, (workspace, tx) =>
      decideChange(deps, tx, author, workspace, request),
    ))
  if (changed.lock === null) wakeFirstWaiter(deps, id)
  return changed
}

/** Undefined if that would be refused, if the workspace has changed, or if the swap is not all that has to be done. */
async function swapAsSeen(
  deps: LockDeps,
  author: Author,
  seen: Workspace,
  { action, decide, note }: LockRequest,
): Promise<Workspace | undefined> {
  const current = lockInForce(seen.lock, deps.clock.now())
  const decision = decide(current)
  if (!decision.ok || current !== seen.lock) return undefined
  if (current && (isAwaited(seen) || current.holder.kind === 'run')) return undefined
  const entry = { action, before: describeLock(current), after: { ...describeLock(decision.next), ...note } }
  try {
    const after = await inTransaction(deps.db, async (tx) => {
      const swapped = await claimLockSwap(tx, seen, lockMembers(seen, decision.next))
      if (current) for (const step of partsOf(deps, 'unlockStep')) await step.claimNothingToDo(tx, seen)
      await recordWorkspaceChange(deps, tx, author, swapped, { entries: [entry] })
      return swapped
    })
    return handOn(deps, seen, after)
  } catch (error) {
    if (isClaimLost(error)) return undefined
    throw error
  }
}

const lockMembers = ({ lockGeneration }: Workspace, lock: WorkspaceLock | null) => ({
  lock,
  lockGeneration: lockGeneration + 1,
})

/** The same for a workspace that nobody else can change meanwhile, with everything that goes with it. */
async function decideChange(
  deps: LockDeps,
  tx: Tx,
  author: Author,
  workspace: Workspace,
  { action, decide, note }: LockRequest,
): Promise<WorkspaceChange> {
  const current = lockInForce(workspace.lock, deps.clock.now())
  const decision = decide(current)
  if (!decision.ok) throw failure('conflict', `lock.${decision.why}`, refusalText(decision.why, current))
  const own: Entry = { action, before: describeLock(current), after: { ...describeLock(decision.next), ...note } }
  // A lock that has expired is recorded like any other release, by whichever request notices it first.
  if (workspace.lock && !current) {
    if (isAwaited(workspace)) throw failure('conflict', 'lock.already-locked', awaitedText(workspace))
    const { members, entries = [] } = await releaseExpired(deps, tx, workspace)
    return { members: { ...members, lock: decision.next }, entries: decision.next ? [...entries, own] : entries }
  }
  if (!current) return { members: lockMembers(workspace, decision.next), entries: [own] }
  const ended = current.holder.kind === 'run' ? await endHolder(deps, tx, workspace, author) : {}
  const released = await performSteps(deps, tx, workspace, action === 'force-unlock')
  const members = { ...ended, ...released, ...lockMembers(workspace, decision.next) }
  return await handedOn(deps, tx, workspace, { members, entries: [own] })
}

const endHolder = async (deps: LockDeps, tx: Tx, workspace: Workspace, by: Author): Promise<ChangedMembers> =>
  (await partsOf(deps, 'runQueue')[0]?.endHolder(deps, tx, workspace, by)) ?? {}

const awaitedText = ({ currentRunId }: Workspace): string =>
  `The workspace is already locked. It is locked by Run ${currentRunId}, which takes it within seconds.`

async function releaseExpired(deps: LockDeps, tx: Tx, workspace: Workspace): Promise<WorkspaceChange> {
  const released = await performSteps(deps, tx, workspace, true)
  const before = describeLock(workspace.lock)
  const entry: Entry = { action: 'expire-lock', before, after: describeLock(null), author: serverAuthor }
  return { members: { ...released, ...lockMembers(workspace, null) }, entries: [entry] }
}

/** Does everything that goes with a release, unless it is refused; returns what that changes in the workspace. */
async function performSteps(deps: LockDeps, tx: Tx, workspace: Workspace, force: boolean): Promise<ChangedMembers> {
  const releases = await Promise.all(partsOf(deps, 'unlockStep').map((step) => step.inspect(deps, tx, workspace)))
  const refusal = refusalAmong(releases)
  if (refusal && !force) throw refusal
  let members: ChangedMembers = {}
  for (const { perform } of releases) members = { ...members, ...(await perform()) }
  return members
}

const refusalAmong = (releases: readonly Release[]): Failure | undefined =>
  releases.find(({ refusal }) => refusal)?.refusal

/** Why its holder could not release a workspace at the moment. */
export const releaseRefusal = (deps: LockDeps, workspace: Workspace): Promise<Failure | undefined> =>
  inTransaction(deps.db, async (tx) =>
    refusalAmong(await Promise.all(partsOf(deps, 'unlockStep').map((step) => step.inspect(deps, tx, workspace)))),
  )

/**
 * Lets the lock of the caller end later. Holders do this every few minutes, so the change log has no entry for it; it
 * tells of the lock and of its end.
 */
export const extendLock = (
  deps: LockDeps,
  { workspace: { id }, allows }: SeenWorkspace,
  requested: Extension,
): Promise<Workspace> =>
  changeWorkspace(deps, serverAuthor, { id, allows }, async ({ lock }) => {
    const decision = decideExtension(lock, requested, deps.clock.now())
    if (!decision.ok) throw failure('conflict', `lock.${decision.why}`, decision.text)
    if (!lock || lock.expiresAt === decision.expiresAt) return undefined
    return { members: { lock: { ...lock, expiresAt: decision.expiresAt } } }
  })

/** Releases expired locks, so that the change log and events show it; returns how many. */
export const releaseExpiredLocks = (deps: LockDeps & Pick<Deps, 'log'>, signal?: AbortSignal): Promise<number> =>
  workOff(deps, {
    find: async (limit) => await listExpiredLocks(deps.db, deps.clock.now(), limit),
    handle: (id) => releaseIfExpired(deps, id as WorkspaceId),
    problem: 'could not release an expired lock',
    signal,
  })

/** False when the lock changed hands in the meantime. */
async function releaseIfExpired(deps: LockDeps, id: WorkspaceId): Promise<boolean> {
  if (!(await loadWorkspace(deps.db, id))) return false
  const { before, after } = await inTransaction(deps.db, (tx) => releaseExpiredLock(deps, tx, id))
  if (before === after) return false
  wakeFirstWaiter(deps, id)
  return true
}

/**
 * Releases the lock of a workspace if it has expired, in the caller's transaction. Only the expiry is recorded: by then
 * there is no lock that an unlock could release.
 */
export const releaseExpiredLock = (deps: LockDeps, tx: Tx, id: WorkspaceId) =>
  changeInTransaction(deps, tx, serverAuthor, { id }, async (workspace) =>
    workspace.lock && !lockInForce(workspace.lock, deps.clock.now())
      ? await handedOn(deps, tx, workspace, await releaseExpired(deps, tx, workspace))
      : undefined,
  )

/** Releases expired locks. They keep nobody out anyway; this makes the change log and events show it. */
export const expiredLocksJob: Job = defineJob({
  name: 'workspaces.release-expired-locks',
  every: '5s',
  run: async (deps, { signal }) => {
    const released = await releaseExpiredLocks(deps, signal)
    if (released > 0) deps.log.info({ released }, 'expired locks released')
  },
})
