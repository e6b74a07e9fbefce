import { hidden } from '../../../../access/permissions/index.ts'
import { type Awaitable, allOf } from '../../../../kernel/awaitable.ts'
import { toIso } from '../../../../kernel/clock.ts'
import { type Failure, failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange, serverAuthor } from '../../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { workOff } from '../../../../kit/work-off.ts'
import { isClaimLost } from '../../../../storage/errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { rememberStored } from '../records/known-workspaces-store.ts'
import { holdWorkspace, loadWorkspace } from '../records/workspace-store.ts'
import { inheritRendered } from '../rendering/rendered-memory.ts'
import { workspaceSubject } from '../workspace-changes.ts'
import type { LockHolder, Workspace, WorkspaceLock } from '../workspace-rules.ts'
import { decideForce, decideLock, decideUnlock, type LockDecision, lockInForce, refusalText } from './lock-rules.ts'
import { claimSwap, listExpiredLocks, swapLock } from './lock-store.ts'
import { wakeFirstWaiter } from './waiting/lock-queue.ts'

type LockDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** What else has to happen when a workspace is released; provided by the feature that stores state. */
export type UnlockStep = {
  /** Claims that there is nothing to do, in the transaction of the release. */
  claimNothingToDo(tx: Tx, workspace: Workspace): Awaitable<void>
  /**
   * Finds out what has to be done, in the transaction of the release. It changes nothing: the release may still be
   * refused.
   */
  inspect(tx: Tx, workspace: Workspace): Promise<Release>
}

/** What has to be done for a release, and the refusal if it is not forced. */
export type Release = {
  readonly refusal: Failure | undefined
  /** Does it; returns whether that has changed the workspace itself. */
  readonly perform: () => Promise<boolean>
}

const unlockSteps = perApp<UnlockStep[]>(() => [])

/** Adds a step to every release of a workspace. */
export const provideUnlockStep = (deps: Pick<Deps, 'store'>, step: UnlockStep): void =>
  void unlockSteps(deps).push(step)

/** A workspace as the caller has seen it, and whether the call is still allowed if it has changed since. */
export type SeenWorkspace = { readonly workspace: Workspace; readonly allows: (current: Workspace) => boolean }

/** Locks a workspace that nobody holds. */
export const lockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  wanted: WorkspaceLock,
): Promise<Workspace> =>
  changeLock(deps, { author, seen, action: 'lock', decide: (current) => decideLock(current, wanted) })

/** Releases a workspace by its holder. */
export const unlockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  by: LockHolder,
): Promise<Workspace> =>
  changeLock(deps, { author, seen, action: 'unlock', decide: (current) => decideUnlock(current, by, false) })

/** Releases a workspace whoever holds it. */
export const forceUnlockWorkspace = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  by: LockHolder,
): Promise<Workspace> =>
  changeLock(deps, { author, seen, action: 'force-unlock', decide: (current) => decideUnlock(current, by, true) })

/** Releases the lock that began at this time, as a page shows it, whoever holds it; not one that was taken since. */
export const forceUnlockShown = (
  deps: LockDeps,
  author: Author,
  seen: SeenWorkspace,
  shownSince: string,
): Promise<Workspace> =>
  changeLock(deps, { author, seen, action: 'force-unlock', decide: (current) => decideForce(current, shownSince) })

type LockAction = 'lock' | 'unlock' | 'force-unlock'

type LockRequest = {
  readonly author: Author
  readonly seen: SeenWorkspace
  readonly action: LockAction
  readonly decide: (current: WorkspaceLock | null) => LockDecision
}

/**
 * First trusts the workspace as the caller has seen it: the swap costs a single trip to the database, and fails if the
 * workspace has changed since. Then, or if the workspace as seen would be refused, it is read and judged again.
 */
async function changeLock(deps: LockDeps, lockRequest: LockRequest): Promise<Workspace> {
  const { author, action, seen, decide } = lockRequest
  const { workspace } = seen
  const decision = decide(lockInForce(workspace.lock, deps.clock.now()))
  const early = decision.ok ? await tryAsSeen(deps, { author, action, workspace, next: decision.next }) : undefined
  const changed = early ?? (await changeAsRead(deps, lockRequest))
  rememberStored(deps.db, changed)
  if (changed.lock === null) wakeFirstWaiter(deps, changed.id)
  return changed
}

type LockSwap = { author: Author; action: LockAction; workspace: Workspace; next: WorkspaceLock | null }

/** Undefined when the workspace is no longer as it was seen, or when the swap is not all that has to be done. */
async function tryAsSeen(deps: LockDeps, swap: LockSwap): Promise<Workspace | undefined> {
  const { author, action, workspace, next } = swap
  const current = lockInForce(workspace.lock, deps.clock.now())
  if (workspace.lock && !current) return undefined
  try {
    await inTransaction(deps.db, (tx) =>
      allOf([
        claimSwap(tx, workspace, next),
        ...(current ? unlockSteps(deps).map((step) => step.claimNothingToDo(tx, workspace)) : []),
        recordLock(deps, tx, author, { workspace, action, from: current, to: next }),
      ]),
    )
  } catch (error) {
    if (isClaimLost(error)) return undefined
    throw error
  }
  return afterSwap(workspace, next)
}

/**
 * The first try only reads the workspace. The second locks its row first, so that it cannot lose to somebody who writes
 * tags or settings all the time.
 */
const workspaceReaders = [loadWorkspace, holdWorkspace] as const

async function changeAsRead(deps: LockDeps, { author, action, seen, decide }: LockRequest): Promise<Workspace> {
  for (const read of workspaceReaders) {
    const changed = await inTransaction(deps.db, async (tx) => {
      const workspace = await read(tx, seen.workspace.id)
      if (!workspace || !seen.allows(workspace)) throw hidden()
      const current = lockInForce(workspace.lock, deps.clock.now())
      const decision = decide(current)
      if (!decision.ok) throw failure('conflict', `lock.${decision.why}`, refusalText(decision.why, current))
      return trySwap(deps, tx, { author, action, workspace, next: decision.next })
    })
    if (changed) return changed
  }
  throw failure('conflict', 'lock.contended', 'The workspace lock is changing hands; try again.')
}

/** Swaps the lock and does everything that goes with it; undefined when the workspace has changed since it was read. */
async function trySwap(deps: LockDeps, tx: Tx, swap: LockSwap): Promise<Workspace | undefined> {
  const { author, action, workspace, next } = swap
  const current = lockInForce(workspace.lock, deps.clock.now())
  const isExpired = workspace.lock !== null && current === null
  const steps = isExpired || (current && action !== 'lock') ? unlockSteps(deps) : []
  // All are sent in one round trip. The database executes them in this order, so the steps see the lock already
  // swapped.
  const [isSwapped, ...releases] = await Promise.all([
    swapLock(tx, workspace, next),
    ...steps.map((step) => step.inspect(tx, workspace)),
  ])
  if (!isSwapped) return undefined
  const isChanged = await performReleases(releases, isExpired || action === 'force-unlock')
  // An expired lock is recorded like any other release, by whichever request notices it first.
  if (isExpired)
    await recordLock(deps, tx, serverAuthor, { workspace, action: 'expire-lock', from: workspace.lock, to: null })
  if (next || current) await recordLock(deps, tx, author, { workspace, action, from: current, to: next })
  return isChanged ? await loadWorkspace(tx, workspace.id) : afterSwap(workspace, next)
}

function afterSwap(workspace: Workspace, lock: WorkspaceLock | null): Workspace {
  const { lockGeneration, revision } = workspace
  const after = { ...workspace, lock, lockGeneration: lockGeneration + 1, revision: revision + 1 }
  inheritRendered(workspace, after)
  return after
}

/** Does everything that a release asks for, unless it is refused; returns whether that has changed the workspace. */
async function performReleases(releases: readonly Release[], force: boolean): Promise<boolean> {
  const refusal = refusalAmong(releases)
  if (refusal && !force) throw refusal
  let isChanged = false
  for (const { perform } of releases) isChanged = (await perform()) || isChanged
  return isChanged
}

const refusalAmong = (releases: readonly Release[]): Failure | undefined =>
  releases.find(({ refusal }) => refusal)?.refusal

/** Why its holder could not release a workspace at the moment. */
export const releaseRefusal = (deps: LockDeps, workspace: Workspace): Promise<Failure | undefined> =>
  inTransaction(deps.db, async (tx) =>
    refusalAmong(await Promise.all(unlockSteps(deps).map((step) => step.inspect(tx, workspace)))),
  )

type LockChange = {
  workspace: Workspace
  action: LockAction | 'expire-lock'
  from: WorkspaceLock | null
  to: WorkspaceLock | null
}

const recordLock = (
  deps: LockDeps,
  tx: Tx,
  author: Author,
  { workspace, action, from, to }: LockChange,
): Awaitable<void> =>
  recordChange(deps, tx, author, {
    ...workspaceSubject(workspace),
    action,
    before: describe(from),
    after: describe(to),
  })

/** Releases expired locks, so that the change log and events show it; returns how many. */
export const releaseExpiredLocks = (deps: LockDeps & Pick<Deps, 'log'>, signal?: AbortSignal): Promise<number> =>
  workOff(deps, {
    find: (limit) => listExpiredLocks(deps.db, deps.clock.now(), limit),
    handle: (id) => releaseIfExpired(deps, id),
    problem: 'could not release an expired lock',
    signal,
  })

/** False when the lock changed hands in the meantime. */
async function releaseIfExpired(deps: LockDeps, id: string): Promise<boolean> {
  const isReleased = await inTransaction(deps.db, async (tx) => {
    const workspace = await loadWorkspace(tx, id)
    if (!workspace?.lock || lockInForce(workspace.lock, deps.clock.now())) return false
    return (await releaseExpiredLock(deps, tx, workspace)) !== undefined
  })
  if (isReleased) wakeFirstWaiter(deps, id)
  return isReleased
}

/**
 * Releases an expired lock, in the caller's transaction; undefined when the workspace has changed meanwhile. Only the
 * expiry is recorded: by then there is no lock that an unlock could release.
 */
export const releaseExpiredLock = (deps: LockDeps, tx: Tx, workspace: Workspace): Promise<Workspace | undefined> =>
  trySwap(deps, tx, { author: serverAuthor, action: 'unlock', workspace, next: null })

const describe = (lock: WorkspaceLock | null) =>
  lock
    ? {
        locked: true,
        'locked-reason': lock.reason,
        'locked-by': `${lock.holder.kind}:${lock.holder.name}`,
        ...(lock.expiresAt === null ? {} : { 'lock-expires-at': toIso(lock.expiresAt) }),
      }
    : { locked: false }
