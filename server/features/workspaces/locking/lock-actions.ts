import { setTimeout as wait } from 'node:timers/promises'
import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { type Author, recordChange, theServer } from '../../change-log/index.ts'
import { rememberStored } from '../known-workspaces-store.ts'
import { carryRendered } from '../rendered-memory.ts'
import type { LockHolder, Workspace, WorkspaceLock } from '../workspace-rules.ts'
import { holdWorkspace, loadWorkspace } from '../workspace-store.ts'
import { decideLock, decideUnlock, type LockDecision, lockInForce, refusalText } from './lock-rules.ts'
import { listExpiredLocks, swapLock } from './lock-store.ts'

type LockDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** What else has to happen when a workspace is released; kept by those who store state. */
export type UnlockStep = {
  /**
   * Runs in the transaction of the release; throws to refuse it. With force, nothing may stand in the way. Answers whether
   * it has changed the workspace itself.
   */
  release(tx: Tx, workspace: Workspace, force: boolean): Promise<boolean>
}

const unlockSteps = perApp<UnlockStep[]>(() => [])

/** Adds a step to every release of a workspace. */
export const provideUnlockStep = (deps: Pick<Deps, 'store'>, step: UnlockStep): void =>
  void unlockSteps(deps).push(step)

/**
 * The first try believes what was seen, the second reads. The third holds the workspace before it reads, for whoever writes
 * tags or settings all the time would win every race; so that a fourth is not needed.
 */
const mostTries = 3

/** A workspace as the caller has seen it, and whether he may do what he wants to it if it is another by now. */
export type Seen = { readonly workspace: Workspace; readonly allows: (current: Workspace) => boolean }

/** Locks a workspace that nobody holds. */
export const lockWorkspace = (deps: LockDeps, author: Author, seen: Seen, wanted: WorkspaceLock): Promise<Workspace> =>
  changeLock(deps, author, seen, 'lock', (current) => decideLock(current, wanted))

/** Releases a workspace by its holder. */
export const unlockWorkspace = (deps: LockDeps, author: Author, seen: Seen, by: LockHolder): Promise<Workspace> =>
  changeLock(deps, author, seen, 'unlock', (current) => decideUnlock(current, by, false))

/** Releases a workspace whoever holds it. */
export const forceUnlockWorkspace = (deps: LockDeps, author: Author, seen: Seen, by: LockHolder): Promise<Workspace> =>
  changeLock(deps, author, seen, 'force-unlock', (current) => decideUnlock(current, by, true))

type LockAction = 'lock' | 'unlock' | 'force-unlock'

/** Begins with the workspace as it was seen, for the swap finds out whether it still is; a refusal looks again. */
async function changeLock(
  deps: LockDeps,
  author: Author,
  seen: Seen,
  action: LockAction,
  decide: (current: WorkspaceLock | null) => LockDecision,
): Promise<Workspace> {
  const inForce = ({ lock }: Workspace) => lockInForce(lock, deps.clock.now())
  for (let tries = 0; tries < mostTries; tries++) {
    const believed = tries === 0 && decide(inForce(seen.workspace)).ok ? seen.workspace : undefined
    const changed = await inTransaction(deps.db, async (tx) => {
      const read = tries < mostTries - 1 ? loadWorkspace : holdWorkspace
      const workspace = believed ?? (await read(tx, seen.workspace.id))
      if (!workspace || (!believed && !seen.allows(workspace))) throw hidden()
      const current = inForce(workspace)
      const decision = decide(current)
      if (!decision.ok) throw failure('conflict', `lock.${decision.why}`, refusalText(decision.why, current))
      return swapped(deps, tx, { author, action, workspace, next: decision.next })
    })
    if (changed) {
      rememberStored(changed)
      return changed
    }
  }
  throw failure('conflict', 'lock.contended', 'The workspace lock is changing hands; try again.')
}

type Swap = { author: Author; action: LockAction; workspace: Workspace; next: WorkspaceLock | null }

async function swapped(deps: LockDeps, tx: Tx, swap: Swap): Promise<Workspace | undefined> {
  const { author, action, workspace, next } = swap
  if (!(await swapLock(tx, workspace, next))) return undefined
  const current = lockInForce(workspace.lock, deps.clock.now())
  const ended = workspace.lock !== null && current === null
  let isChanged = ended && (await recordEnd(deps, tx, workspace))
  if (current && action !== 'lock') isChanged = await released(deps, tx, workspace, action === 'force-unlock')
  if (next || current) {
    const change = { ...changeOf(workspace), action, before: describe(current), after: describe(next) }
    await recordChange(deps, tx, author, change)
  }
  if (isChanged) return await loadWorkspace(tx, workspace.id)
  const { lockGeneration, revision } = workspace
  const after = { ...workspace, lock: next, lockGeneration: lockGeneration + 1, revision: revision + 1 }
  carryRendered(workspace, after)
  return after
}

/** Takes all steps of a release; answers whether one has changed the workspace. */
async function released(deps: LockDeps, tx: Tx, workspace: Workspace, force: boolean): Promise<boolean> {
  let isChanged = false
  for (const step of unlockSteps(deps)) isChanged = (await step.release(tx, workspace, force)) || isChanged
  return isChanged
}

/** A lock that ended by itself is told like any other release, by whoever notices first. */
async function recordEnd(deps: LockDeps, tx: Tx, workspace: Workspace): Promise<boolean> {
  const isChanged = await released(deps, tx, workspace, true)
  const change = { ...changeOf(workspace), action: 'expire-lock' }
  await recordChange(deps, tx, theServer, { ...change, before: describe(workspace.lock), after: describe(null) })
  return isChanged
}

/** How many ended locks are released between two looks for more. */
const batch = 200

/** Releases the locks whose time is over, so that everybody hears of it; answers how many. */
export async function releaseExpiredLocks(deps: LockDeps, signal?: AbortSignal): Promise<number> {
  let released = 0
  for (;;) {
    const due = await listExpiredLocks(deps.db, deps.clock.now(), batch)
    for (const id of due) {
      if (signal?.aborted) return released
      if (await releaseExpired(deps, id)) released++
    }
    if (due.length < batch) return released
  }
}

/** False when the lock changed hands in the meantime. */
const releaseExpired = (deps: LockDeps, id: string): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const workspace = await loadWorkspace(tx, id)
    if (!workspace?.lock || lockInForce(workspace.lock, deps.clock.now())) return false
    return (await swapped(deps, tx, { author: theServer, action: 'unlock', workspace, next: null })) !== undefined
  })

const changeOf = (workspace: Workspace) => ({
  organizationId: workspace.organizationId,
  workspaceId: workspace.id,
  subject: { type: 'workspaces', id: workspace.id, name: workspace.name },
})

const describe = (lock: WorkspaceLock | null) =>
  lock
    ? { locked: true, 'locked-reason': lock.reason, 'locked-by': `${lock.holder.kind}:${lock.holder.name}` }
    : { locked: false }

/** The longest wait between two looks at a lock, in milliseconds. */
const pollEvery = 250

/**
 * Locks as soon as the workspace is free, for at most this long: the last look is when the time is over. Waiting callers
 * look again and again, so of several none has a right to be next.
 */
export async function lockWhenFree<T>(
  lock: () => Promise<T>,
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal },
): Promise<T> {
  const until = performance.now() + milliseconds
  for (;;) {
    try {
      return await lock()
    } catch (error) {
      const locked = error instanceof Error && 'code' in error && error.code === 'lock.already-locked'
      const left = until - performance.now()
      if (!locked || left <= 0) throw error
      await wait(Math.min(pollEvery, left), undefined, { signal })
    }
  }
}
