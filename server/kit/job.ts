import type { Instant } from '../kernel/clock.ts'
import type { Deps } from './deps.ts'

/** One run of a job, as its code sees it. */
export type JobRun = {
  readonly kind: string
  readonly key: string
  readonly payload: unknown
  /** Greater than that of every earlier run; goes with every effect, so that a stale run cannot harm. */
  readonly fence: number
  /** Changes whenever the job is scheduled anew; this is what it was when the run began. */
  readonly revision: number
  /** Aborted when the lease is lost or the server stops: stop working at once. */
  readonly signal: AbortSignal
  /** Extends the lease, which happens by itself every third of it; false when it is lost. */
  renew(): Promise<boolean>
  /** Says when to run again, for work without a fixed interval. */
  rescheduleAt(at: Instant): void
}

/** Background work, as data. */
export type Job = {
  readonly name: string
  /** Time between runs, as `30s`, `1h`. Without it, runs are asked for with `scheduleJob`. */
  readonly every?: string
  /** Up to this much is added to each wait. */
  readonly jitter?: string
  /** How long a run may go without a sign of life before another node may take over; default `1m`. */
  readonly lease?: string
  /** Long work that must leave places for others: of all jobs of a group only so many run at the same time. */
  readonly group?: JobGroup
  run(deps: Deps, run: JobRun): Promise<void>
}

/** Jobs that share places; whichever of them has been due longest has the next one. */
export type JobGroup = { readonly name: string; readonly limit: (deps: Pick<Deps, 'settings'>) => number }

/** Declares background work. */
export const defineJob = (job: Job): Job => job
