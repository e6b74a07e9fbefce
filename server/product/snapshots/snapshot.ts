/** An automated snapshot: when, where to, how many are kept. */
export interface SnapshotConfigurationRow {
  name: string
  interval_s: number
  retain: number
  path_prefix: string
  file_prefix: string
  type: string
  dialect: string
  /** The destination's fields that are not secret, as JSON. */
  settings: string
  /** The destination's secret fields as JSON, sealed; null when there are none. */
  secrets: Uint8Array | null
  verify: string
  /** 0: not, 1: by hand, 2: because it was restored from another installation. */
  paused: number
  /** Grows with every write, so that two writers cannot overwrite each other unseen. */
  revision: number
  created_at: number
  updated_at: number
}

/** The status of the snapshots of a configuration. It belongs to this installation, so it is in no archive. */
export interface SnapshotStatusRow {
  name: string
  /** When the last attempt of the schedule began; 0 before the first. */
  anchor: number
  consecutive_errors: number
  /** The number in the newest name that was given out: digits, since it exceeds what a number can hold. */
  last_number: string
  prune_error: string
  /** What lay in the store after the last success; -1 when that is unknown. */
  stored: number
  used_bytes: number
}

/** One try to take a snapshot. */
export interface SnapshotAttemptRow {
  id: string
  name: string
  /** Grows with each attempt of a configuration. */
  sequence: number
  trigger_kind: 'schedule' | 'manual'
  /** Null while it waits for its turn. */
  started_at: number | null
  ended_at: number | null
  /** Name of the file or object. */
  object: string
  url: string
  size: number | null
  sha256: string | null
  error: string
  /** Names that retention removed afterwards, as JSON. */
  pruned: string
  verified_at: number | null
  verify_error: string
  /** 1 when it was proved not to restore; an error alone may mean that nobody could look. */
  verify_failed: number
  node: string
}

/** The attempts of a configuration on one day that are not remembered one by one any more. */
export interface SnapshotDayRow {
  name: string
  /** The beginning of the day in UTC. */
  day: number
  attempts: number
  failed: number
  proved: number
  /** How many were proved not to restore. */
  disproved: number
  /** The largest snapshot of the day; 0 if none was stored. */
  size: number
  /** The longest that one took to be stored, and to be proved; 0 if none was. */
  duration_ms: number
  proof_ms: number
  /** Why one of them failed or does not restore; empty if none did. */
  error: string
}

declare module '../../storage/tables.ts' {
  interface DescribedTables {
    snapshot_configurations: SnapshotConfigurationRow
    snapshot_status: SnapshotStatusRow
    snapshot_attempts: SnapshotAttemptRow
    snapshot_days: SnapshotDayRow
  }
}
