/** How the queue behaves; all times in milliseconds. */
export type QueueLimits = {
  /** Bodies that share one commit. */
  groupSize: number
  /** Bodies that are worth a commit while an earlier one is being flushed; fewer gather until that is over. */
  overlapSize: number
  /** How long a group gathers before it commits. */
  groupTime: number
  /** How long one body may take: it holds up everybody else. */
  bodyDeadline: number
  /** How long another process may keep the database locked. */
  busyDeadline: number
}

/** What is usual. */
export const defaultLimits: QueueLimits = {
  groupSize: 128,
  overlapSize: 8,
  groupTime: 20,
  bodyDeadline: 5_000,
  busyDeadline: 10_000,
}
