import type { Instant } from '../kernel/clock.ts'
import type { Tx } from '../storage/open.ts'

/** Work asked for at a time: the job's name, and what it is about. */
export type ScheduledJob = {
  /** The name of the job that runs it. */
  kind: string
  /** What it is about; one row for each kind and key. */
  key: string
  nextRunAt: Instant
  /** Repeats at this interval in milliseconds; once when absent. */
  every?: number
  payload?: unknown
}

/** Asks for work at a time, in place of what was asked before for the same kind and key. */
export async function scheduleJob(_tx: Tx, _job: ScheduledJob): Promise<void> {
  throw new Error('not written yet')
}

/** Withdraws work; a run in progress loses its lease. False when there was none. */
export async function cancelJob(_tx: Tx, _kind: string, _key: string): Promise<boolean> {
  throw new Error('not written yet')
}

/** Makes work due at once, leaving its interval and payload alone. False when there is none. */
export async function runJobNow(_tx: Tx, _kind: string, _key: string): Promise<boolean> {
  throw new Error('not written yet')
}

/** True if the run still holds its job. Keeps others from taking it until the transaction ends. */
export async function isFenceCurrent(_tx: Tx, _run: { kind: string; key: string; fence: number }): Promise<boolean> {
  throw new Error('not written yet')
}
