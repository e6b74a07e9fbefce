import type { Condition, Effect, ErrorCode, EventAction, RunStatus, Trigger } from './run-words.ts'

/** One arrow: from where, by what, on which conditions, to where, and what else it does. */
export type Row = {
  readonly id: string
  readonly from: readonly RunStatus[]
  readonly trigger: Trigger
  readonly when: readonly Condition[]
  /** Statuses that are passed on the way. */
  readonly through?: readonly RunStatus[]
  /** Absent where the run stays in its status. */
  readonly to?: RunStatus
  readonly effects: readonly Effect[]
  readonly event: EventAction
  readonly error?: ErrorCode
}

type Outcome = Omit<Row, 'id' | 'from' | 'trigger' | 'when'>

const row = (
  id: string,
  from: readonly RunStatus[],
  trigger: Trigger,
  when: readonly Condition[],
  outcome: Outcome,
): Row => ({ id, from, trigger, when, ...outcome })

/**
 * Everything that can become of a run after it was created. Of the rows that fit, the first counts. Whether the lock is
 * taken or released follows from the statuses, and so do the statuses of the phases.
 */
export const table: readonly Row[] = [
  row('start', ['pending'], 'start', ['waits in the queue', 'is first in the queue', 'workspace is free'], {
    to: 'plan_queued',
    effects: ['queue the job'],
    event: 'queued',
  }),
  row('start-beside', ['pending'], 'start', ['is beside the queue'], {
    to: 'plan_queued',
    effects: ['queue the job'],
    event: 'queued',
  }),
  row('turn-outdated', ['confirmed'], 'start', ['is first in the queue', 'workspace is free', 'state has changed'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'errored',
    error: 'plan-stale',
  }),
  row(
    'turn-refused',
    ['confirmed'],
    'start',
    ['is first in the queue', 'workspace is free', 'may no longer be applied'],
    { to: 'errored', effects: ['end the job'], event: 'errored', error: 'not-permitted' },
  ),
  row(
    'turn',
    ['confirmed'],
    'start',
    ['is first in the queue', 'workspace is free', 'state is the planned one', 'may still be applied'],
    { to: 'apply_queued', effects: ['queue the job'], event: 'apply_queued' },
  ),
  row('claim-plan', ['plan_queued'], 'claim', [], {
    to: 'planning',
    effects: ['claim the job', 'remember the state'],
    event: 'planning',
  }),
  row('claim-apply', ['apply_queued'], 'claim', [], { to: 'applying', effects: ['claim the job'], event: 'applying' }),
  row('plan-errored', ['planning'], 'finish', ['ended with an error'], {
    to: 'errored',
    effects: ['store the result', 'end the job'],
    event: 'errored',
    error: 'tool-failed',
  }),
  row('interrupted-late', ['planning', 'applying'], 'finish', ['ended by the interrupt', 'time is over'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'errored',
    error: 'timed-out',
  }),
  row('interrupted', ['planning', 'applying'], 'finish', ['ended by the interrupt', 'cancel was requested'], {
    to: 'canceled',
    effects: ['end the job'],
    event: 'canceled',
  }),
  row(
    'interrupted-by-nobody',
    ['planning', 'applying'],
    'finish',
    ['ended by the interrupt', 'cancel was not requested'],
    { to: 'errored', effects: ['end the job'], event: 'errored', error: 'internal' },
  ),
  row('plan-generated', ['planning'], 'finish', ['ended with success', 'wrote configuration'], {
    to: 'errored',
    effects: ['store the result', 'finish the plan', 'end the job'],
    event: 'errored',
    error: 'generated-configuration',
  }),
  row('plan-finished', ['planning'], 'finish', ['ended with success', 'only plans or has nothing to do'], {
    through: ['planned'],
    to: 'planned_and_finished',
    effects: ['store the result', 'end the job'],
    event: 'plan_finished',
  }),
  row('plan-saved', ['planning'], 'finish', ['ended with success', 'is a saved plan'], {
    through: ['planned'],
    to: 'planned_and_saved',
    effects: ['store the result', 'end the job'],
    event: 'plan_saved',
  }),
  row(
    'plan-applied-empty',
    ['planning'],
    'finish',
    ['ended with success', 'has nothing to do but is applied', 'may still be applied'],
    {
      through: ['planned', 'confirmed'],
      to: 'apply_queued',
      effects: ['store the result', 'queue the job'],
      event: 'auto_confirmed',
    },
  ),
  row('plan-applied', ['planning'], 'finish', ['ended with success', 'applies by itself', 'may still be applied'], {
    through: ['planned', 'confirmed'],
    to: 'apply_queued',
    effects: ['store the result', 'queue the job'],
    event: 'auto_confirmed',
  }),
  row('planned', ['planning'], 'finish', ['ended with success'], {
    to: 'planned',
    effects: ['store the result', 'end the job'],
    event: 'planned',
  }),
  row('confirm', ['planned'], 'confirm', ['can be confirmed'], {
    through: ['confirmed'],
    to: 'apply_queued',
    effects: ['note who confirmed', 'queue the job'],
    event: 'confirmed',
  }),
  row(
    'confirm-saved',
    ['planned_and_saved'],
    'confirm',
    ['can be confirmed', 'state is the planned one', 'workspace is free'],
    {
      through: ['confirmed'],
      to: 'apply_queued',
      effects: ['note who confirmed', 'join the queue', 'queue the job'],
      event: 'confirmed',
    },
  ),
  row(
    'confirm-saved-behind',
    ['planned_and_saved'],
    'confirm',
    ['can be confirmed', 'state is the planned one', 'workspace is taken'],
    { to: 'confirmed', effects: ['note who confirmed', 'join the queue'], event: 'confirmed' },
  ),
  row('outdate-saved', ['planned_and_saved'], 'outdate', ['state has changed'], {
    to: 'discarded',
    effects: ['end the job'],
    event: 'discarded',
  }),
  row('outdate-confirmed', ['confirmed'], 'outdate', ['state has changed'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'errored',
    error: 'plan-stale',
  }),
  row('applied', ['applying'], 'finish', ['ended with success'], {
    to: 'applied',
    effects: ['store the result', 'promote the configuration', 'end the job'],
    event: 'applied',
  }),
  row('apply-errored', ['applying'], 'finish', ['ended with an error'], {
    to: 'errored',
    effects: ['store the result', 'end the job'],
    event: 'errored',
    error: 'tool-failed',
  }),
  row('discard', ['pending', 'planned', 'planned_and_saved'], 'discard', [], {
    to: 'discarded',
    effects: ['note who discarded', 'end the job'],
    event: 'discarded',
  }),
  row('localize', ['pending', 'planned_and_saved'], 'localize', [], {
    to: 'discarded',
    effects: ['end the job'],
    event: 'discarded',
  }),
  row('expire', ['planned_and_saved'], 'expire', [], { to: 'discarded', effects: ['end the job'], event: 'discarded' }),
  row('cancel', ['pending', 'plan_queued', 'apply_queued', 'confirmed'], 'cancel', [], {
    to: 'canceled',
    effects: ['note who canceled', 'end the job'],
    event: 'canceled',
  }),
  row('cancel-running', ['planning', 'applying'], 'cancel', ['cancel was not requested'], {
    effects: ['note who canceled', 'interrupt the tool'],
    event: 'cancel_requested',
  }),
  row('kill', ['planning'], 'kill', ['cancel was requested'], {
    effects: ['kill the tool'],
    event: 'cancel_requested',
  }),
  row('overdue-late', ['planning', 'applying'], 'overdue', ['time is over'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'errored',
    error: 'timed-out',
  }),
  row('overdue', ['planning'], 'overdue', ['cancel was requested', 'time is not over'], {
    to: 'canceled',
    effects: ['note the force', 'end the job'],
    event: 'force_canceled',
  }),
  row('time-limit', ['planning', 'applying'], 'time-limit', ['time is not over'], {
    effects: ['interrupt the tool', 'note that time is over'],
    event: 'cancel_requested',
  }),
  row('force-cancel', ['planning', 'applying'], 'force-cancel', ['cancel was requested', 'may be forced by now'], {
    to: 'canceled',
    effects: ['note the force', 'end the job'],
    event: 'force_canceled',
  }),
  row('advance', ['pending'], 'advance', ['waits in the queue', 'is behind others', 'holder can be displaced'], {
    effects: ['go to the front'],
    event: 'force_executed',
  }),
  row('displace-planned', ['planned'], 'displace', [], {
    to: 'discarded',
    effects: ['end the job'],
    event: 'discarded',
  }),
  row('displace-queued', ['plan_queued'], 'displace', [], {
    to: 'canceled',
    effects: ['note who canceled', 'end the job'],
    event: 'canceled',
  }),
  row('unlock-planned', ['planned'], 'force-unlock', [], {
    to: 'discarded',
    effects: ['end the job'],
    event: 'discarded',
  }),
  row('unlock-queued', ['plan_queued', 'apply_queued'], 'force-unlock', [], {
    to: 'canceled',
    effects: ['note who canceled', 'end the job'],
    event: 'canceled',
  }),
  row('unlock-running', ['planning', 'applying'], 'force-unlock', [], {
    to: 'canceled',
    effects: ['note who canceled', 'note the force', 'end the job'],
    event: 'force_canceled',
  }),
  row('lose-canceled', ['planning', 'applying'], 'lose', ['cancel was requested', 'time is not over'], {
    to: 'canceled',
    effects: ['end the job'],
    event: 'executor_lost',
  }),
  row('lose-late', ['planning', 'applying'], 'lose', ['time is over'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'executor_lost',
    error: 'timed-out',
  }),
  row('lose-plan', ['planning'], 'lose', ['first attempt'], {
    to: 'plan_queued',
    effects: ['queue the job again'],
    event: 'executor_lost',
  }),
  row('lose-plan-again', ['planning'], 'lose', ['last attempt'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'executor_lost',
    error: 'executor-lost',
  }),
  row('lose-start', ['applying'], 'lose', ['tool has not started', 'first attempt'], {
    to: 'apply_queued',
    effects: ['queue the job again'],
    event: 'executor_lost',
  }),
  row('lose-start-again', ['applying'], 'lose', ['tool has not started', 'last attempt'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'executor_lost',
    error: 'executor-start-failed',
  }),
  row('lose-apply', ['applying'], 'lose', ['tool has started', 'runner may come back'], {
    effects: ['wait for the runner'],
    event: 'executor_lost',
  }),
  row('lose-apply-for-good', ['applying'], 'lose', ['tool has started', 'runner was given up'], {
    to: 'errored',
    effects: ['end the job'],
    event: 'errored',
    error: 'executor-lost',
  }),
]
