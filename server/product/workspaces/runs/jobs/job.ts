import type { Instant } from '../../../../kernel/clock.ts'
import type { PhaseKind, PhaseResult, RunLimits } from '../run.ts'
import { type ErrorCode, errorCodes } from '../run-words.ts'

/** Who executes a job, and where: what a phase shows of it. */
export type JobPlace = {
  readonly runnerId: string
  readonly runnerName: string
  readonly poolId: string | null
  readonly poolName: string | null
  readonly layer: string
  /** What the layer could not fence in. */
  readonly notInForce: readonly string[]
  readonly os: string
  readonly arch: string
  /** The folder of the run on the runner; plan files bind to it. */
  readonly workRoot: string | null
}

/** One phase of a run in the hands of one runner. */
export type Job = JobPlace & {
  readonly id: string
  readonly runId: string
  readonly workspaceId: string
  readonly phase: PhaseKind
  readonly fence: number
  readonly createdAt: Instant
  /** When it ended, or was taken back. */
  readonly endedAt: Instant | null
  /** How many bytes of log its runner has sent. */
  readonly logLength: number
  /** Whether the log has reached its limit: what comes is counted, and dropped. */
  readonly isLogCut: boolean
  readonly outcome: PhaseResult['outcome'] | null
  /** What the runner was told when it reported the end. */
  readonly answer: string | null
}

/** For how long the runner of a job that has ended may repeat its last calls, and hand in a state that it kept. */
export const lastCalls = { repeat: 10 * 60_000, rescue: 24 * 3_600_000 } as const

/** What a runner can store for a run. */
export const artifactNames = [
  'plan',
  'plan-json',
  'plan-redacted',
  'provider-schemas',
  'lock-file',
  'errored-state',
  'readme',
] as const

/** The name of something that a runner stores for a run. */
export type ArtifactName = (typeof artifactNames)[number]

/** The most bytes of each of them. */
export const artifactLimit = 1024 ** 3

/** Something that a runner has stored. */
export type Artifact = {
  readonly runId: string
  readonly phase: PhaseKind
  readonly name: ArtifactName
  readonly jobId: string
  readonly workspaceId: string
  readonly sha256: string
  readonly size: number
  readonly blobId: string
  readonly createdAt: Instant
}

/** The most bytes of log that a runner may send at once, and that are kept of a phase. */
export const logLimits = { chunk: 256 * 1024, phase: 64 * 1024 * 1024 } as const

/** What the tool reported at the end of a phase. */
export type Report = {
  readonly outcome: PhaseResult['outcome']
  readonly error: { readonly code: string; readonly message: string } | null
  /** How many bytes of log the runner has sent, if it says so. */
  readonly logLength: number | null
  readonly result: Omit<PhaseResult, 'outcome' | 'error' | 'planDigest'>
}

/** What has to be there before a phase can end with success. */
export function requiredArtifacts(
  phase: PhaseKind,
  { outcome, result }: Pick<Report, 'outcome' | 'result'>,
  run: { readonly planOnly: boolean; readonly allowEmptyApply: boolean },
): readonly ArtifactName[] {
  if (phase === 'apply' || outcome !== 'finished') return []
  const mayBeApplied = !run.planOnly && (result.hasChanges === true || run.allowEmptyApply)
  const shown = ['plan-json', 'plan-redacted', 'provider-schemas'] as const
  return mayBeApplied ? [...shown, 'plan', 'lock-file'] : shown
}

const longestMessage = 4_096

/** The error of a phase in our words; a code that nobody knows is one of the runner's own. */
export function knownError(error: Report['error']): PhaseResult['error'] {
  if (!error) return undefined
  const code: ErrorCode = errorCodes.find((each) => each === error.code) ?? 'internal'
  return { code, message: error.message.slice(0, longestMessage) }
}

/** When a runner has to be back with a sign of life, and when it is asked to end, counted from now. */
export const remaining = (until: Instant | null, now: Instant): number =>
  until === null ? 0 : Math.max(0, until - now)

/** The lease that a claim begins with: a runner that never renews it has not begun. */
export const firstLease = ({ start }: Pick<RunLimits, 'start'>): number => start

/** Bytes 2 and 3 begin and end a log, so a tool cannot write them. */
export function withoutMarks(bytes: Buffer): Buffer {
  for (const mark of [2, 3]) {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) bytes[at] = 0x3f
  }
  return bytes
}
