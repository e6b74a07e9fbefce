/** How the queue behaves; all times in milliseconds. */
export type QueueLimits = {
  /** Work items that share one commit. */
  groupSize: number
  /** Work items that are worth a commit while an earlier one is being flushed; fewer gather until that is over. */
  overlapSize: number
  /** How long a group gathers before it commits. */
  groupTime: number
  /** How long one item may take: it holds up everybody else. */
  workDeadline: number
  /** How long another process may keep the database locked. */
  busyDeadline: number
}

/** What is usual. */
export const defaultLimits: QueueLimits = {
  groupSize: 128,
  overlapSize: 8,
  groupTime: 20,
  workDeadline: 5_000,
  busyDeadline: 10_000,
}
