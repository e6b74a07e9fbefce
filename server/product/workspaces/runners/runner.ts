import type { Instant } from '../../../kernel/clock.ts'
import type { Run } from '../runs/run.ts'

/** A tool that a runner has. */
export type RunnerTool = { readonly name: string; readonly version: string; readonly sha256: string }

/** What a runner says about itself when it registers. */
export type RunnerFacts = {
  readonly name: string
  readonly version: string
  readonly os: string
  readonly arch: string
  readonly layer: string
  /** What it found out about its layer. */
  readonly isolation: Readonly<Record<string, unknown>>
  readonly tools: readonly RunnerTool[]
  readonly capabilities: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Below which folder runs have theirs, unless it differs from run to run. */
  readonly workRoot: string | null
  readonly maxJobs: number
}

/** A runner; the built-in one of a node belongs to no pool. */
export type Runner = RunnerFacts & {
  readonly id: string
  readonly poolId: string | null
  readonly ipAddress: string
  readonly signedInBy: 'agent-token' | 'built-in'
  /** The token that it registered with; its sessions end with that. */
  readonly tokenId: string | null
  readonly status: 'online' | 'exited' | 'errored'
  /** Jobs in a row that failed by its own fault. */
  readonly faults: number
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
}

/** How long sessions last, and how long one that has ended still proves who its runner was. */
export const sessionLimits = { life: 24 * 3_600_000, proof: 24 * 3_600_000 } as const

/** When a runner counts as lost, when it is forgotten, and how often it says that it lives, in milliseconds. */
export const presence = { unknown: 60_000, forgotten: 24 * 3_600_000, heartbeat: 20_000, longestClaim: 25_000 } as const

/** So many jobs in a row that fail by its own fault make a runner errored. */
export const mostFaults = 3

/** How a runner appears. */
export type AgentStatus = 'idle' | 'busy' | 'unknown' | 'exited' | 'errored'

/** How a runner appears that has so many jobs. */
export function agentStatus(
  { status, lastSeenAt }: Pick<Runner, 'status' | 'lastSeenAt'>,
  jobs: number,
  now: Instant,
): AgentStatus {
  if (status !== 'online') return status
  if (now - lastSeenAt > presence.unknown) return 'unknown'
  return jobs > 0 ? 'busy' : 'idle'
}

/** Where the log says that a runner executes a job. */
export const placeText = (pool: { readonly name: string } | undefined): string =>
  pool ? `on pool ${pool.name}` : 'on the built-in runner'

/** What a layer could not give, as the runner's probe reports it. */
export const notInForce = ({ isolation }: Pick<RunnerFacts, 'isolation'>): readonly string[] => {
  const listed = isolation.not_in_force
  return Array.isArray(listed) ? listed.filter((each): each is string => typeof each === 'string').slice(0, 50) : []
}

/** A folder of a run on a runner; null where the runner does not say where it keeps them. */
export const workRootOf = ({ workRoot }: Pick<RunnerFacts, 'workRoot'>, { id }: Pick<Run, 'id'>): string | null =>
  workRoot === null ? null : `${workRoot.replace(/\/+$/, '')}/${id}`
