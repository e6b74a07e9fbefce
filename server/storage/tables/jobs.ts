/** A piece of background work: when it runs next, who holds it, and how it went. */
export type JobRow = {
  kind: string
  key: string
  next_run_at: number
  /** Milliseconds between runs; null for work that runs once, or that says itself when to run again. */
  every_ms: number | null
  payload: string
  /** Grows whenever the schedule is written, so that a run in progress does not undo it. */
  revision: number
  owner: string | null
  lease_until: number
  lease_ms: number
  fence: number
  attempts: number
  last_started_at: number | null
  last_finished_at: number | null
  last_ok_at: number | null
  last_error: string | null
}

/** Who leads background work, and the source of fencing numbers. */
export type LeaseRow = {
  name: string
  owner: string | null
  node: string
  address: string
  lease_until: number
  since: number
  fence: number
}

/** The tables of background work. */
export type JobTables = { jobs: JobRow; leases: LeaseRow }
