/** Every status of a run. */
export const runStatuses = [
  'pending',
  'plan_queued',
  'planning',
  'planned',
  'planned_and_saved',
  'planned_and_finished',
  'confirmed',
  'apply_queued',
  'applying',
  'applied',
  'errored',
  'canceled',
  'discarded',
] as const

/** The status of a run. */
export type RunStatus = (typeof runStatuses)[number]

/** Statuses that a run never leaves. */
export const finalStatuses = ['planned_and_finished', 'applied', 'errored', 'canceled', 'discarded'] as const

/** True if a run never leaves this status. */
export const isFinal = (status: RunStatus): boolean => (finalStatuses as readonly RunStatus[]).includes(status)

/** Statuses in which a run that has a place in the queue of its workspace holds its lock. */
export const holdingStatuses: ReadonlySet<RunStatus> = new Set([
  'plan_queued',
  'planning',
  'planned',
  'apply_queued',
  'applying',
])

/** What happens to a run. */
export const triggers = [
  'start',
  'claim',
  'finish',
  'confirm',
  'discard',
  'cancel',
  'force-cancel',
  'displace',
  'advance',
  'force-unlock',
  'outdate',
  'localize',
  'expire',
  'lose',
  'kill',
  'overdue',
  'time-limit',
] as const

/** The name of what happens to a run. */
export type Trigger = (typeof triggers)[number]

/** What each trigger is, for people. */
export const triggerTexts: Readonly<Record<Trigger, string>> = {
  start: 'the scheduler looks at the workspace',
  claim: 'a runner takes the job',
  finish: 'the runner reports the end of the phase',
  confirm: 'somebody confirms the plan',
  discard: 'somebody discards the run',
  cancel: 'somebody cancels the run',
  'force-cancel': 'somebody cancels the run by force',
  displace: 'somebody lets another run go first by force',
  advance: 'somebody lets this run go first by force',
  'force-unlock': 'somebody unlocks the workspace by force',
  outdate: 'the state is no longer the one that was planned with',
  localize: 'the workspace changes to local execution',
  expire: 'a saved plan has been kept for its longest time',
  lose: 'the runner gives no more signs of life',
  kill: 'a canceled plan has had its time to end',
  overdue: 'a killed phase has not ended',
  'time-limit': 'the phase has had its longest time',
}

/** Questions about a run and its workspace; every one is a pure function in `transition.ts`. */
export const conditions = [
  'waits in the queue',
  'is beside the queue',
  'is first in the queue',
  'is behind others',
  'workspace is free',
  'workspace is taken',
  'state is the planned one',
  'state has changed',
  'may still be applied',
  'may no longer be applied',
  'ended with success',
  'ended with an error',
  'ended by the interrupt',
  'wrote configuration',
  'only plans or has nothing to do',
  'is a saved plan',
  'has nothing to do but is applied',
  'applies by itself',
  'can be confirmed',
  'cancel was not requested',
  'cancel was requested',
  'time is over',
  'time is not over',
  'may be forced by now',
  'holder can be displaced',
  'first attempt',
  'last attempt',
  'tool has started',
  'tool has not started',
  'runner was given up',
  'runner may come back',
] as const

/** The name of a question about a run. */
export type Condition = (typeof conditions)[number]

/** What a transition does besides the new status; every one is a pure function in `transition.ts`. */
export const effects = [
  'queue the job',
  'queue the job again',
  'claim the job',
  'remember the state',
  'store the result',
  'note who confirmed',
  'note who canceled',
  'note who discarded',
  'note the force',
  'join the queue',
  'go to the front',
  'interrupt the tool',
  'note that time is over',
  'kill the tool',
  'wait for the runner',
  'end the job',
  'finish the plan',
  'promote the configuration',
] as const

/** The name of what a transition does. */
export type Effect = (typeof effects)[number]

/** What is told about a run, in the order in which it may happen. */
export const eventActions = [
  'created',
  'queued',
  'planning',
  'plan_finished',
  'planned',
  'plan_saved',
  'confirmed',
  'auto_confirmed',
  'apply_queued',
  'applying',
  'applied',
  'errored',
  'canceled',
  'cancel_requested',
  'force_canceled',
  'discarded',
  'force_executed',
  'commented',
  'executor_lost',
  'retried',
  'waiting',
  'variables_overridden',
] as const

/** The name of an event of a run. */
export type EventAction = (typeof eventActions)[number]

/** Why a run ended with an error. */
export const errorCodes = [
  'tool-failed',
  'init-failed',
  'not-permitted',
  'unsupported',
  'configuration-missing',
  'working-directory-missing',
  'configuration-invalid-archive',
  'tool-unavailable',
  'tool-checksum',
  'variable-invalid',
  'ssh-key-missing',
  'plan-stale',
  'plan-digest-differs',
  'generated-configuration',
  'executor-lost',
  'executor-start-failed',
  'timed-out',
  'output-too-large',
  'state-upload-failed',
  'state-conflict',
  'out-of-memory',
  'internal',
] as const

/** For programs: why a run ended with an error. */
export type ErrorCode = (typeof errorCodes)[number]
