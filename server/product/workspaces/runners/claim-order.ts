import type { Instant } from '../../../kernel/clock.ts'

/** A run whose job waits for a runner, as far as the order of claims depends on it. */
export type Candidate = {
  readonly runId: string
  readonly workspaceId: string
  readonly organizationId: string
  readonly status: 'plan_queued' | 'apply_queued'
  /** True if it waits beside the queue of its workspace. */
  readonly isBeside: boolean
  readonly planOnly: boolean
  readonly triggerReason: string
  readonly waitsSince: Instant
}

/** How much of an organization runs at the moment, and may. */
export type OrganizationLoad = {
  readonly running: number
  readonly speculative: number
  /** How many jobs it may have at once; 0 for any number. */
  readonly limit: number
}

/** After waiting for so long, a job is treated as one of the next better class, but never as an apply. */
const patience = 10 * 60_000

/**
 * What goes before what: 0 applies, 1 plans that hold their workspace, 2 saved plans, 3 plans of people that are never
 * applied, 4 those of pull requests.
 */
export function classOf(job: Candidate, now: Instant): number {
  if (job.status === 'apply_queued') return 0
  const usual = !job.isBeside ? 1 : !job.planOnly ? 2 : job.triggerReason === 'pull_request' ? 4 : 3
  return now - job.waitsSince > patience ? Math.max(1, usual - 1) : usual
}

/** How many plans that are never applied may run at once: half of all, so that they do not keep applies waiting. */
export const speculativeLimit = (limit: number): number => (limit === 0 ? 0 : Math.max(1, Math.floor(limit / 2)))

/** True if an organization may have one job more. */
export function hasRoom({ planOnly }: Pick<Candidate, 'planOnly'>, load: OrganizationLoad): boolean {
  const { running, speculative, limit } = load
  if (limit === 0) return true
  return running < limit && (!planOnly || speculative < speculativeLimit(limit))
}

/** Scheduled destroys are in no hurry. */
const isScheduled = ({ triggerReason }: Candidate): boolean => triggerReason === 'auto_destroy'

/**
 * Jobs in the order in which they are given out: the best class first; within it the organization that uses least of what
 * it may; within that the oldest. What an organization may not have at the moment is left out.
 */
export function claimOrder(
  candidates: readonly Candidate[],
  loads: ReadonlyMap<string, OrganizationLoad>,
  now: Instant,
): Candidate[] {
  const ranked = candidates.flatMap((job) => {
    const load = loads.get(job.organizationId)
    if (!load || !hasRoom(job, load)) return []
    return [{ job, rank: classOf(job, now), share: load.limit === 0 ? 0 : load.running / load.limit }]
  })
  const oldest = new Map<string, number>()
  for (const { job, rank } of ranked) {
    const key = `${rank} ${job.organizationId}`
    oldest.set(key, Math.min(oldest.get(key) ?? Number.MAX_SAFE_INTEGER, job.waitsSince))
  }
  const oldestOf = ({ job, rank }: (typeof ranked)[number]): number => oldest.get(`${rank} ${job.organizationId}`) ?? 0
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.share - b.share ||
        oldestOf(a) - oldestOf(b) ||
        compare(a.job.organizationId, b.job.organizationId) ||
        Number(isScheduled(a.job)) - Number(isScheduled(b.job)) ||
        a.job.waitsSince - b.job.waitsSince ||
        compare(a.job.runId, b.job.runId),
    )
    .map(({ job }) => job)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
