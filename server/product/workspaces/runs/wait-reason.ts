import { type Instant, toIso } from '../../../kernel/clock.ts'
import { holderText, sinceText } from '../workspaces/locking/lock.ts'
import type { WorkspaceLock } from '../workspaces/workspace.ts'
import type { Run } from './run.ts'

/** Why a run waits. */
export const waitCodes = [
  'behind-run',
  'locked-by-user',
  'locked-by-team',
  'remote-execution-off',
  'paused',
  'organization-limit',
  'no-runner',
  'runners-busy',
  'pool-not-allowed',
  'needs-confirmation',
  'executor-lost',
] as const

/** Why a run waits, for whom, and since when. */
export type WaitReason = {
  readonly code: (typeof waitCodes)[number]
  readonly message: string
  readonly since: Instant
  readonly details: Readonly<Record<string, string>>
}

/** What decides why a run waits: the rows by which it would begin. */
export type WaitContext = {
  /** The first run in the queue of the workspace. */
  readonly head: Run | undefined
  readonly lock: WorkspaceLock | null
  readonly isRemoteExecutionOn: boolean
  /** The pool of a run in agent mode, if it is still there, and whether it allows the workspace. */
  readonly pool: { readonly name: string; readonly isAllowed: boolean } | undefined
  /** The runners that may take its job; undefined if there never was one. */
  readonly fleet?: { readonly online: number; readonly busy: number; readonly lastSeenAt: Instant | null } | undefined
  readonly concurrency?: { readonly running: number; readonly speculative: number; readonly limit: number } | undefined
  readonly pause?: { readonly reason: string; readonly by: string; readonly since: Instant } | undefined
}

const statusText = ({ status }: Run): string => status.replaceAll('_', ' ')

/** Why a run waits; undefined if it does not. */
export function waitReason(run: Run, context: WaitContext): WaitReason | undefined {
  switch (run.status) {
    case 'pending':
    case 'confirmed':
      return waitsForTurn(run, context)
    case 'plan_queued':
    case 'apply_queued':
      return waitsForRunner(run, context)
    case 'planned':
    case 'planned_and_saved':
      return needsConfirmation(run)
    case 'applying':
      return run.isLost ? executorLost(run) : undefined
    default:
      return undefined
  }
}

function waitsForTurn(run: Run, context: WaitContext): WaitReason | undefined {
  const { head, lock, isRemoteExecutionOn } = context
  if (run.queueNumber !== null && head && head.id !== run.id) return behind(run, head)
  if (run.queueNumber !== null && lock && lock.holder.id !== run.id) return locked(run, lock)
  return isRemoteExecutionOn ? undefined : executionOff(run)
}

function behind(run: Run, head: Run): WaitReason {
  const needs = head.status === 'planned' ? ', needs confirmation by somebody with the right to apply' : ''
  return {
    code: 'behind-run',
    message: `waits for ${head.id} (${statusText(head)} since ${toIso(head.updatedAt)}${needs})`,
    since: run.updatedAt,
    details: { 'run-id': head.id, status: head.status },
  }
}

function locked({ updatedAt }: Run, lock: WorkspaceLock): WaitReason {
  const { holder, since } = lock
  return {
    code: holder.kind === 'team' ? 'locked-by-team' : 'locked-by-user',
    message: `workspace is locked by ${holderText(holder)}${sinceText(lock)}`,
    since: since > updatedAt ? since : updatedAt,
    details: { kind: holder.kind, id: holder.id, name: holder.name },
  }
}

const executionOff = ({ updatedAt }: Run): WaitReason => ({
  code: 'remote-execution-off',
  message: 'remote execution is off for this organization; an owner can set remote-execution-enabled',
  since: updatedAt,
  details: {},
})

function waitsForRunner(run: Run, context: WaitContext): WaitReason | undefined {
  const { isRemoteExecutionOn, pool, pause } = context
  if (!isRemoteExecutionOn) return executionOff(run)
  if (pause) return paused(run, pause)
  const details: WaitReason['details'] = run.executionMode === 'agent' ? { 'agent-pool-id': run.agentPoolId ?? '' } : {}
  const since = run.updatedAt
  if (run.executionMode === 'agent' && !pool)
    return { code: 'pool-not-allowed', message: 'its agent pool no longer exists', since, details }
  if (pool && !pool.isAllowed)
    return { code: 'pool-not-allowed', message: `pool ${pool.name} no longer allows this workspace`, since, details }
  return atLimit(run, context) ?? withoutRunner(run, context, details)
}

function paused({ updatedAt }: Run, { by, reason, since }: NonNullable<WaitContext['pause']>): WaitReason {
  const why = reason === '' ? '' : `: ${reason}`
  const message = `runs are paused by ${by} since ${toIso(since)}${why}`
  return { code: 'paused', message, since: since > updatedAt ? since : updatedAt, details: { by, reason } }
}

function atLimit({ planOnly, updatedAt: since }: Run, { concurrency }: WaitContext): WaitReason | undefined {
  if (!concurrency || concurrency.limit === 0) return undefined
  const { running, speculative, limit } = concurrency
  const half = Math.max(1, Math.floor(limit / 2))
  const code = 'organization-limit'
  if (running >= limit)
    return { code, message: `${running} of ${limit} jobs of the organization are running`, since, details: {} }
  if (!planOnly || speculative < half) return undefined
  return {
    code,
    message: `${speculative} of ${half} plan-only jobs of the organization are running`,
    since,
    details: {},
  }
}

/** Whom it waits for; undefined where a runner has a free place, and takes it in a moment. */
function withoutRunner(
  { updatedAt: since }: Run,
  { pool, fleet }: WaitContext,
  details: WaitReason['details'],
): WaitReason | undefined {
  const which = pool ? ` of pool ${pool.name}` : ''
  if (!fleet || fleet.lastSeenAt === null)
    return { code: 'no-runner', message: `no runner${which} has been online yet`, since, details }
  if (fleet.online === 0) {
    const message = `no runner${which} has been online since ${toIso(fleet.lastSeenAt)}`
    return { code: 'no-runner', message, since, details }
  }
  if (fleet.busy < fleet.online) return undefined
  const all = fleet.online === 1 ? `the runner${which} is busy` : `all ${fleet.online} runners${which} are busy`
  return { code: 'runners-busy', message: all, since, details }
}

const needsConfirmation = ({ status, updatedAt }: Run): WaitReason => ({
  code: 'needs-confirmation',
  message:
    status === 'planned'
      ? 'waits for somebody with the right to apply, who confirms or discards the plan'
      : 'the saved plan waits for somebody with the right to apply, who confirms or discards it',
  since: updatedAt,
  details: {},
})

const executorLost = ({ updatedAt, deadlineAt }: Run): WaitReason => ({
  code: 'executor-lost',
  message: `the runner gives no signs of life${deadlineAt === null ? '' : `; it may come back until ${toIso(deadlineAt)}`}`,
  since: updatedAt,
  details: {},
})
