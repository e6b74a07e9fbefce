import type { Readable } from 'node:stream'
import type { Keyring } from '../crypto/keyring.ts'
import type { Clock, Instant } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Limiter } from '../kernel/limit-concurrency.ts'
import type { Log } from '../kernel/log.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Replacement } from '../storage/bulk/replacement.ts'
import type { Caller, Revocation } from '../storage/bulk/revived-tokens.ts'
import type { Db, Store } from '../storage/open.ts'

/** What archives are made with; `Deps` of the features has all of it. */
export type ArchiveDeps = {
  readonly store: Store
  readonly keyring: Keyring
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly settings: {
    readonly dataDir: string
    readonly nodeName: string
    readonly version: string
    readonly compatVersion: string
  }
}

/** The content of one table: how many rows, and a digest that does not depend on their order or on the engine. */
export type TableSummary = { readonly rows: number; readonly digest: string }

/** The tables of an archive by name. */
export type TableSummaries = Readonly<Record<string, TableSummary>>

/** What is known about an archive once it is complete. */
export type ArchiveSummary = {
  /** Bytes of the whole archive, as stored and sent. */
  readonly size: number
  /** SHA-256 of the whole archive, in hex. */
  readonly sha256: string
  /** Grows from archive to archive. */
  readonly index: number
  readonly takenAt: Instant
  readonly clusterId: string
  readonly rows: number
  readonly tables: TableSummaries
}

/** A finished archive. It is kept in a spool file until `remove` is called. */
export type Archive = {
  readonly summary: ArchiveSummary
  /** The bytes from the beginning (gzip), the same each time, so that a transfer can be tried again. */
  open(): Readable
  /** The same in memory that is used again: for those who are done with a piece before they read the next. */
  lend(): Readable
  remove(): Promise<void>
}

/** What an archive says about itself, before anything of it is trusted. */
export type ArchiveFacts = {
  readonly format: number
  readonly index: number
  readonly takenAt: Instant
  readonly clusterId: string
  readonly clusterName: string
  /** The installation that took it; undefined in archives of earlier versions. */
  readonly installation: string | undefined
  readonly sealType: 'auto' | 'shamir'
  readonly sealShares: number
  readonly sealThreshold: number
  /** Version of the program that wrote it. */
  readonly version: string
  readonly engine: 'sqlite' | 'postgres'
  readonly migrations: readonly string[]
  readonly rows: number
  readonly tables: TableSummaries
}

/**
 * Whose keys an archive was made with: those of this store, those of another store whose root key is ours too, others,
 * or unknown because this server is sealed.
 */
export type Provenance = 'own-keys' | 'own-root-key' | 'other-keys' | 'sealed'

/** True if an archive's secrets open here without further keys. */
export const opensHere = (provenance: Provenance): boolean => provenance === 'own-keys' || provenance === 'own-root-key'

/** An archive that was read from end to end: framing and checksums are right. */
export type Inspection = {
  readonly size: number
  readonly sha256: string
  readonly facts: ArchiveFacts
  /** True if another installation took it. */
  readonly elsewhere: boolean
  readonly provenance: Provenance
}

/** How a test restore ended. `problem` is empty when everything that was written came back. */
export type VerifyReport = {
  readonly ok: boolean
  readonly problem: string
  readonly size: number
  readonly sha256: string
  readonly provenance: Provenance
  readonly rows: number
  /** As read back from the scratch database. */
  readonly tables: TableSummaries
  readonly durationMs: number
}

/** The options of long work. */
export type WorkOptions = {
  readonly signal?: AbortSignal
  /** Lets the work on an archive that has arrived wait for its turn: each takes a thread with memory of its own. */
  readonly inTurn?: Limiter
}

/** The options of a restore. */
export type RestoreOptions = WorkOptions & {
  /** Also takes archives of other keys. */
  readonly force?: boolean
  /** A key of the server the archive comes from, so that its secrets open here at once. */
  readonly key?: ArchiveKey
  /** Ends every token that would come back to life, if this caller can go on afterwards. */
  readonly revokeFor?: Caller
  /** Called when the archive has arrived, before any keys are looked at. What it throws ends the restore. */
  readonly arrived?: () => Promise<void>
  /** Changes the data before it is put in place. `elsewhere` is true if it comes from another installation. */
  readonly prepare?: (db: Db, facts: { readonly elsewhere: boolean }) => Promise<void>
}

/** What opens the secrets of another server: its root key, or the recovery key it showed once. */
export type ArchiveKey = { readonly kind: 'root' | 'recovery'; readonly key: Secret<Buffer> }

/** How a restore ended. */
export type RestoreReport = {
  readonly facts: ArchiveFacts
  /** True if the data comes from another installation. */
  readonly elsewhere: boolean
  /** True if the keys of this server do not open the data: it is sealed now. */
  readonly sealed: boolean
  /** True if its sealed checksums do not match, which force ignores: somebody without the keys may have changed it. */
  readonly forged: boolean
  readonly tokens: Replacement['tokens']
  /** Absent unless it was asked for. */
  readonly revocation: Revocation | undefined
}
