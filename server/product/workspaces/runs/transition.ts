import { type Instant, later } from '../../../kernel/clock.ts'
import type { LockHolder } from '../workspaces/workspace.ts'
import {
  isDue,
  isPhaseFinal,
  noCounts,
  type Phase,
  type PhaseKind,
  type PhaseResult,
  type PhaseStatus,
  type Run,
  type RunError,
  type RunLimits,
} from './run.ts'
import { type Row, table } from './run-table.ts'
import { errorTexts } from './run-texts.ts'
import {
  type Condition,
  type Effect,
  type ErrorCode,
  holdingStatuses,
  isFinal,
  type RunStatus,
  type Trigger,
} from './run-words.ts'

/** What a transition depends on besides the run. */
export type Situation = {
  readonly now: Instant
  readonly limits: RunLimits
  /** Where the run is in the queue of its workspace. */
  readonly place: 'first' | 'behind' | 'beside'
  /** Whether nobody else holds the workspace, or is about to. */
  readonly isFree: boolean
  /** The status of the run that holds the workspace, if one does. */
  readonly holder: RunStatus | null
  /** The current state of the workspace. */
  readonly stateId: string | null
  /** Whether who created or confirmed it may apply by now. */
  readonly mayApply: boolean
  readonly by: LockHolder | null
  /** What a run gets that joins the queue, or goes to its front. */
  readonly queueNumber: number
  readonly runner: string | null
  readonly result: PhaseResult | null
}

/** A transition that happened. */
export type Step = { readonly row: Row; readonly before: Run; readonly after: Run }

/** The phase that a run is in, or would be in next. */
export const phaseOf = ({ status }: Pick<Run, 'status'>): PhaseKind =>
  (['confirmed', 'apply_queued', 'applying', 'applied'] as readonly RunStatus[]).includes(status) ? 'apply' : 'plan'

/** True if a run holds its workspace. */
export const holdsWorkspace = ({ status, queueNumber }: Pick<Run, 'status' | 'queueNumber'>): boolean =>
  queueNumber !== null && holdingStatuses.has(status)

/** True if there is something to apply, and nothing but a person is missing. */
const isApplicable = (run: Run): boolean =>
  (run.hasChanges || run.allowEmptyApply) && !run.planOnly && !run.generatedConfiguration

const resultOf = ({ result }: Situation): PhaseResult => result ?? { outcome: 'errored' }

const hasChangesIn = (run: Run, at: Situation): boolean => resultOf(at).hasChanges ?? run.hasChanges

const isBase = ({ inputStateVersionId }: Run, { stateId }: Situation): boolean => inputStateVersionId === stateId

const questions: Readonly<Record<Condition, (run: Run, at: Situation) => boolean>> = {
  'waits in the queue': ({ queueNumber }) => queueNumber !== null,
  'is beside the queue': ({ queueNumber }) => queueNumber === null,
  'is first in the queue': (_, { place }) => place === 'first',
  'is behind others': (_, { place }) => place === 'behind',
  'workspace is free': (_, { isFree }) => isFree,
  'workspace is taken': (_, { isFree }) => !isFree,
  'state is the planned one': isBase,
  'state has changed': (run, at) => !isBase(run, at),
  'may still be applied': (_, { mayApply }) => mayApply,
  'may no longer be applied': (_, { mayApply }) => !mayApply,
  'ended with success': (_, at) => resultOf(at).outcome === 'finished',
  'ended with an error': (_, at) => resultOf(at).outcome === 'errored',
  'ended by the interrupt': (_, at) => resultOf(at).outcome === 'canceled',
  'wrote configuration': ({ planOnly }, at) => resultOf(at).generatedConfiguration === true && !planOnly,
  'only plans or has nothing to do': (run, at) => run.planOnly || !(hasChangesIn(run, at) || run.allowEmptyApply),
  'is a saved plan': ({ savePlan }) => savePlan,
  'has nothing to do but is applied': (run, at) => run.allowEmptyApply && !hasChangesIn(run, at),
  'applies by itself': ({ autoApply }) => autoApply,
  'can be confirmed': isApplicable,
  'cancel was not requested': ({ canceledAt }) => canceledAt === null,
  'cancel was requested': ({ canceledAt }) => canceledAt !== null,
  'time is over': ({ timedOut }) => timedOut,
  'time is not over': ({ timedOut }) => !timedOut,
  'may be forced by now': ({ forceCancelAvailableAt }, { now }) => isDue(forceCancelAvailableAt, now),
  'holder can be displaced': (_, { holder }) => holder === 'planned' || holder === 'plan_queued',
  'first attempt': ({ attempt }) => attempt < 2,
  'last attempt': ({ attempt }) => attempt >= 2,
  'tool has started': ({ isStarted }) => isStarted,
  'tool has not started': ({ isStarted }) => !isStarted,
  'runner was given up': ({ isLost }) => isLost,
  'runner may come back': ({ isLost }) => !isLost,
}

/** The transition that a trigger causes, if any. */
export const rowFor = (run: Run, trigger: Trigger, at: Situation): Row | undefined =>
  table.find(
    (row) =>
      row.trigger === trigger && row.from.includes(run.status) && row.when.every((name) => questions[name](run, at)),
  )

type Change = Partial<Omit<Run, 'id'>>

const noJob: Change = {
  claimedBy: null,
  isStarted: false,
  isLost: false,
  signal: null,
  leaseUntil: null,
  limitAt: null,
  endBy: null,
}

const earlier = (one: Instant | null, other: Instant): Instant => (one !== null && one < other ? one : other)

const performers: Readonly<Record<Effect, (run: Run, at: Situation) => Change>> = {
  'queue the job': ({ fence }) => ({ ...noJob, fence: fence + 1, attempt: 0 }),
  'queue the job again': ({ fence }) => ({ ...noJob, fence: fence + 1 }),
  'claim the job': (run, { now, limits, runner }) => ({
    claimedBy: runner,
    fence: run.fence + 1,
    attempt: run.attempt + 1,
    leaseUntil: later(now, limits.start),
    limitAt: later(now, limits[phaseOf(run)]),
  }),
  'remember the state': (_, { stateId }) => ({ inputStateVersionId: stateId }),
  'store the result': storeResult,
  'note who confirmed': (_, { by, now }) => ({ confirmedBy: by, confirmedAt: now }),
  'note who canceled': (_, { by, now, limits }) => ({
    canceledBy: by,
    canceledAt: now,
    forceCancelAvailableAt: later(now, limits.forceDelay),
  }),
  'note who discarded': (_, { by, now }) => ({ discardedById: by?.id ?? null, discardedAt: now }),
  'note the force': ({ canceledAt }, { now }) => ({ forceCanceledAt: now, canceledAt: canceledAt ?? now }),
  'join the queue': (_, { queueNumber }) => ({ queueNumber }),
  'go to the front': (_, { queueNumber }) => ({ queueNumber }),
  'interrupt the tool': ({ status, signal, endBy }, { now, limits }) => ({
    signal: signal ?? 'interrupt',
    endBy: status === 'planning' ? earlier(endBy, later(now, limits.planCancel)) : endBy,
  }),
  'note that time is over': ({ endBy }, { now, limits }) => ({
    timedOut: true,
    endBy: earlier(endBy, later(now, limits.limitGrace)),
  }),
  'kill the tool': (_, { now, limits }) => ({ signal: 'kill', endBy: later(now, limits.killGrace) }),
  'wait for the runner': (_, { now, limits }) => ({ isLost: true, leaseUntil: later(now, limits.reattach) }),
  'end the job': ({ fence }) => ({ ...noJob, fence: fence + 1 }),
  'finish the plan': ({ plan }) => ({ plan: { ...plan, status: 'finished' } }),
  // The workspace is changed by whoever writes the transition: the run itself shows nothing of it.
  'promote the configuration': () => ({}),
}

function storeResult(run: Run, at: Situation): Change {
  const result = resultOf(at)
  const counts = { ...noCounts, ...result.counts }
  if (run.status === 'applying') return { apply: { ...run.apply, counts } }
  return {
    plan: { ...run.plan, counts },
    hasChanges: hasChangesIn(run, at),
    generatedConfiguration: result.generatedConfiguration ?? false,
    planDigest: result.planDigest ?? null,
  }
}

/** What happens to a run; undefined if nothing may. */
export function step(run: Run, trigger: Trigger, at: Situation): Step | undefined {
  const row = rowFor(run, trigger, at)
  if (!row) return undefined
  let after = run
  for (const name of row.effects) after = { ...after, ...performers[name](after, at) }
  for (const status of [...(row.through ?? []), ...(row.to ? [row.to] : [])]) after = entered(after, status, at.now)
  const failed = row.error
  if (failed) after = { ...after, error: { ...errorOf(failed, at), phase: phaseOf(run) } }
  if (row.event === 'auto_confirmed') after = { ...after, confirmedAt: at.now }
  if (isFinal(after.status)) after = { ...after, queueNumber: null, lookAt: null }
  return { row, before: run, after: withDeadline(after, at) }
}

/** Of a tool that failed, the runner may know more. */
function errorOf(code: ErrorCode, { result }: Situation): Omit<RunError, 'phase'> {
  const told = code === 'tool-failed' ? result?.error : undefined
  return { code: told?.code ?? code, message: told?.message || errorTexts[told?.code ?? code] }
}

/** The run as it comes to a status, with its phases. */
function entered(run: Run, status: RunStatus, now: Instant): Run {
  const times = { ...run.times, [`${status.replaceAll('_', '-')}-at`]: now }
  return {
    ...run,
    status,
    times,
    updatedAt: now,
    plan: reached(run.plan, planStatus(run.plan.status, status), now),
    apply: reached(run.apply, applyStatus(run.apply.status, status), now),
    // Why it waits is looked up a few seconds later, unless it is over by then.
    lookAt: waitingStatuses.has(status) ? later(now, lookAfter) : null,
  }
}

const lookAfter = 5_000

/** Statuses in which a run waits for something that a person can be told. */
export const waitingStatuses: ReadonlySet<RunStatus> = new Set([
  'pending',
  'plan_queued',
  'planned',
  'confirmed',
  'apply_queued',
])

const planIn: Readonly<Partial<Record<RunStatus, PhaseStatus>>> = {
  pending: 'pending',
  plan_queued: 'queued',
  planning: 'running',
}

/** A plan whose run has gone on has finished; one whose run has ended before has ended with it. */
function planStatus(before: PhaseStatus, status: RunStatus): PhaseStatus {
  return planIn[status] ?? (isPhaseFinal(before) ? before : endOf(before, status, 'finished'))
}

const applyIn: Readonly<Partial<Record<RunStatus, PhaseStatus>>> = { apply_queued: 'queued', applying: 'running' }

function applyStatus(before: PhaseStatus, status: RunStatus): PhaseStatus {
  return applyIn[status] ?? (isFinal(status) ? endOf(before, status, 'finished') : before)
}

/** How a phase ends together with its run. */
function endOf(before: PhaseStatus, status: RunStatus, success: PhaseStatus): PhaseStatus {
  if (before === 'pending') return 'unreachable'
  if (status === 'errored' || status === 'canceled') return status
  return success
}

const phaseTimes: Readonly<Partial<Record<PhaseStatus, string>>> = {
  queued: 'queued-at',
  running: 'started-at',
  finished: 'finished-at',
  errored: 'errored-at',
  canceled: 'canceled-at',
}

function reached(phase: Phase, status: PhaseStatus, now: Instant): Phase {
  const name = phaseTimes[status]
  if (!name || (status === phase.status && phase.times[name] !== undefined)) return { ...phase, status }
  return { ...phase, status, times: { ...phase.times, [name]: now } }
}

type Moment = Pick<Situation, 'now' | 'limits' | 'place' | 'isFree'>

/** The run with the time at which the server acts by itself; null while it waits for a person, another run or a runner. */
export function withDeadline(run: Run, at: Moment): Run {
  return { ...run, deadlineAt: deadlineOf(run, at) }
}

function deadlineOf(run: Run, { now, limits, place, isFree }: Moment): Instant | null {
  switch (run.status) {
    case 'pending':
    case 'confirmed':
      return place !== 'behind' && (isFree || place === 'beside') ? later(now, limits.schedule) : null
    case 'planned_and_saved':
      return later(run.times['planned-and-saved-at'] ?? now, limits.savedPlan)
    case 'planning':
    case 'applying':
      return earliest([run.leaseUntil, run.timedOut ? null : run.limitAt, run.endBy])
    default:
      return null
  }
}

const earliest = (times: readonly (Instant | null)[]): Instant | null => {
  const known = times.filter((each): each is Instant => each !== null)
  return known.length === 0 ? null : (Math.min(...known) as Instant)
}

/** What the passing of its deadline does to a run. */
export function dueTrigger(run: Run, now: Instant): Trigger | undefined {
  if (run.status === 'planned_and_saved') return isDue(run.deadlineAt, now) ? 'expire' : undefined
  if (run.status === 'pending' || run.status === 'confirmed') return 'start'
  if (run.status !== 'planning' && run.status !== 'applying') return undefined
  if (isDue(run.leaseUntil, now)) return 'lose'
  if (isDue(run.endBy, now)) return run.timedOut || run.signal === 'kill' ? 'overdue' : 'kill'
  return isDue(run.limitAt, now) && !run.timedOut ? 'time-limit' : undefined
}

/** A runner has given a sign of life: its tool may be running from now on. */
export const renewed = (run: Run, at: Moment): Run =>
  withDeadline({ ...run, isStarted: true, isLost: false, leaseUntil: later(at.now, at.limits.lease) }, at)

/** What can be done with a run, as documents say it. */
export function actionsOf(run: Run, at: Situation) {
  const can = (trigger: Trigger) => rowFor(run, trigger, at) !== undefined
  return {
    'is-cancelable': can('cancel'),
    'is-confirmable': confirmable(run, at),
    'is-discardable': can('discard'),
    'is-force-cancelable': can('force-cancel'),
  }
}

/** True if somebody with the right to apply could confirm the run now. */
export const confirmable = (run: Run, at: Situation): boolean => rowFor(run, 'confirm', at) !== undefined
