import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { StatusTimes } from '../configurations/configuration.ts'
import type { LockHolder } from '../workspaces/workspace.ts'
import type { facts, inputs, internals, options } from './run-fields.ts'
import type { ErrorCode, RunStatus } from './run-words.ts'

/** The identifier of a run. */
export type RunId = Id<'run'>

/** The two phases of a run. */
export const phaseKinds = ['plan', 'apply'] as const

/** A phase of a run. */
export type PhaseKind = (typeof phaseKinds)[number]

/** What can become of a phase. */
export type PhaseStatus = 'pending' | 'queued' | 'running' | 'finished' | 'errored' | 'canceled' | 'unreachable'

/** True if a phase has ended, or never begins. */
export const isPhaseFinal = (status: PhaseStatus): boolean => !['pending', 'queued', 'running'].includes(status)

/** What a phase has counted; null until it is known. */
export type Counts = {
  readonly additions: number | null
  readonly changes: number | null
  readonly destructions: number | null
  readonly imports: number | null
  readonly outputChanges: number | null
}

/** Nothing is known yet. */
export const noCounts: Counts = {
  additions: null,
  changes: null,
  destructions: null,
  imports: null,
  outputChanges: null,
}

/** One phase of a run, with the length of its log. */
export type Phase = {
  readonly id: string
  readonly kind: PhaseKind
  readonly status: PhaseStatus
  readonly times: StatusTimes
  readonly counts: Counts
}

/** Why a run ended with an error. */
export type RunError = { readonly code: ErrorCode; readonly message: string; readonly phase: PhaseKind }

/** A run: one plan, perhaps followed by one apply, with inputs that were frozen when it was created. */
export type Run = Stored<typeof options.fields> &
  Stored<typeof inputs.fields> &
  Stored<typeof facts.fields> &
  Stored<typeof internals.fields> & {
    readonly id: RunId
    readonly status: RunStatus
    readonly times: StatusTimes
    readonly createdBy: LockHolder
    readonly confirmedBy: LockHolder | null
    readonly canceledBy: LockHolder | null
    readonly error: RunError | null
    readonly plan: Phase
    readonly apply: Phase
  }

/** How a phase ended, as its runner reports it. */
export type PhaseResult = {
  readonly outcome: 'finished' | 'errored' | 'canceled'
  readonly counts?: Partial<Counts> | undefined
  readonly hasChanges?: boolean | undefined
  readonly generatedConfiguration?: boolean | undefined
  readonly planDigest?: string
  /** What went wrong, as the runner says. */
  readonly error?: { readonly code: ErrorCode; readonly message: string } | undefined
}

/** When a deadline of a run passes, in milliseconds after what it counts from. */
export type RunLimits = {
  readonly lease: number
  readonly start: number
  readonly reattach: number
  readonly planCancel: number
  readonly killGrace: number
  readonly limitGrace: number
  readonly forceDelay: number
  readonly savedPlan: number
  readonly schedule: number
  readonly plan: number
  readonly apply: number
}

const minute = 60_000
const hour = 60 * minute

/** How long each phase of waiting lasts. */
export const runLimits: RunLimits = {
  lease: minute,
  start: minute,
  reattach: 10 * minute,
  planCancel: 5 * minute,
  killGrace: minute,
  limitGrace: 5 * minute,
  forceDelay: minute,
  savedPlan: 14 * 24 * hour,
  schedule: minute / 2,
  plan: 2 * hour,
  apply: 24 * hour,
}

/** The time of something that is over when the present is there. */
export const isDue = (at: Instant | null, now: Instant): boolean => at !== null && now >= at
