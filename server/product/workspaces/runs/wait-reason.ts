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
  'no-runner',
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

function waitsForRunner(run: Run, { isRemoteExecutionOn, pool }: WaitContext): WaitReason {
  if (!isRemoteExecutionOn) return executionOff(run)
  const since = run.updatedAt
  if (run.executionMode !== 'agent') {
    return { code: 'no-runner', message: 'no runner has been online yet', since, details: {} }
  }
  const details = { 'agent-pool-id': run.agentPoolId ?? '' }
  if (!pool) return { code: 'pool-not-allowed', message: 'its agent pool no longer exists', since, details }
  if (!pool.isAllowed) {
    const message = `pool ${pool.name} no longer allows this workspace`
    return { code: 'pool-not-allowed', message, since, details }
  }
  return { code: 'no-runner', message: `no runner of pool ${pool.name} has been online yet`, since, details }
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
