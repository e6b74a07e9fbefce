import type { Instant } from '../../../kernel/clock.ts'

/** Where snapshots can go. */
export type StorageType = 'local' | 'cloudA-store' | 'cloudB-store' | 'cloudC-store'

/** The spelling a configuration was written in, ours or the vendors'; answers use the same. */
export type Dialect = 'own' | 'vendor'

/** How a stored snapshot is checked: not at all, by its checksum, or by restoring it into a scratch database. */
export type Verification = 'none' | 'checksum' | 'restore'

/** Why no snapshots are taken: somebody paused them, or they were restored from another installation. */
export type Pause = 'byHand' | 'restored'

/** The settings of a destination: its own fields in our spelling. */
export type DestinationSettings = Readonly<Record<string, string | number | boolean>>

/** A configuration with its secrets in clear; never logged, answered or stored in this form. */
export type Configuration = {
  readonly name: string
  /** Seconds between snapshots. */
  readonly interval: number
  readonly retain: number
  readonly pathPrefix: string
  readonly filePrefix: string
  readonly type: StorageType
  readonly dialect: Dialect
  readonly settings: DestinationSettings
  readonly verify: Verification
  /** Seconds an attempt may take; 0 for a limit that depends on the interval. */
  readonly timeout: number
  readonly paused: false | Pause
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What decides where the snapshots of a configuration lie and how they are named. */
export type Placement = Pick<Configuration, 'type' | 'pathPrefix' | 'filePrefix' | 'settings'>

/** The fields a write carried. An empty text clears an optional one; an absent key was not sent. */
export type SentConfiguration = {
  readonly interval?: number
  readonly retain?: number
  readonly path_prefix?: string
  readonly file_prefix?: string
  readonly type?: StorageType
  readonly dialect?: Dialect
  readonly verify?: Verification
  readonly snapshot_timeout?: number
  readonly settings: DestinationSettings
}
