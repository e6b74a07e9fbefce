import type { RootKeySource } from '../crypto/root-keys/root-key.ts'
import type { Secret } from '../kernel/secret.ts'

/** The settings that features read. The configuration of the process is wider; see `config`. */
export type Settings = {
  readonly mode: 'dev' | 'server'
  readonly dataDir: string
  /** Folders that are open for files that callers name. */
  readonly localPaths: readonly string[]
  /** `https://host:port` as callers know it; empty when it follows the listener. */
  readonly baseUrl: string
  /** The port of the first HTTPS listener; 0 where there is none. */
  readonly httpsPort: number
  readonly edition: 'hosted' | 'self-hosted'
  readonly license: 'enterprise' | 'community'
  readonly compatVersion: string
  readonly defaultLeaseTtl: number
  readonly maxLeaseTtl: number
  /** Requests per second and principal under `/api/v2`; 0 = off. */
  readonly apiRateLimit: number
  /** Seconds between intermediate states of a long apply; 0 for none. */
  readonly stateSnapshotInterval: number
  readonly renameRedirects: boolean
  readonly metricsOpen: boolean
  readonly rootToken: Secret<string> | undefined
  readonly seal: { readonly type: 'auto' | 'shamir'; readonly rootKey: RootKeySource }
  /** Whether root tokens are made from key shares without a token. */
  readonly openRootGeneration: boolean
  /** Largest revocation list, written or downloaded. */
  readonly crlBytes: number
  /** Automated snapshots that are taken or verified at the same time. */
  readonly concurrentSnapshots: number
  /** How long certificate logins are kept in their record, and how many; 0 for none. */
  readonly loginRecord: { readonly days: number; readonly entries: number }
  readonly nodeName: string
  /** Where this node alone can be reached; empty where the configuration does not tell. */
  readonly nodeAddress: string
  readonly version: string
  /** All settings of the process as people read them, without secrets. */
  readonly inForce: readonly SettingInForce[]
}

/** A setting, its value, and where that was set; `default` for nowhere. */
export type SettingInForce = { readonly key: string; readonly shown: string; readonly where: string }
