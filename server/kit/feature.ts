import type { Deps } from './deps.ts'
import type { Endpoint } from './endpoint.ts'
import type { Job } from './job.ts'
import type { MountKind } from './mount-kind.ts'
import type { FeatureParts } from './parts.ts'
import type { Services } from './services.ts'

/** What development mode found or made, shown in its banner and written to `dev.json`. */
export type DevFacts = {
  root_token: string
  organization: string
  user_token: string
  /** The role that lets the demo client certificate log in. */
  cert_role: string
  /** A secret that the role may read. */
  secret: string
  workspace: string
  /** A workspace whose runs the server executes. */
  run_workspace: string
  snapshot_config: string
}

/** What a feature's development set-up gets to know. */
export type DevSeedContext = {
  readonly dataDir: string
  readonly caCertificate: string
  /** What the starts before this one made; tokens can be known from nowhere else. */
  readonly previous?: Readonly<Partial<DevFacts>>
}

/** One step of what development mode sets up; it runs at every start and must find what it made before. */
export type DevSeed = (context: DevSeedContext) => Promise<Partial<DevFacts>>

/** A part of the server: its endpoints, its periodic work, and where it meets the pipeline. */
export type Feature = {
  readonly name: string
  readonly endpoints?: readonly Endpoint[]
  readonly jobs?: readonly Job[]
  /** Auth methods and secrets engines, which bring endpoints of their own. */
  readonly mounts?: readonly MountKind[]
  /** What it adds to features below it. */
  readonly parts?: Partial<FeatureParts>
  /** The services that this feature fills, made once at the start. */
  readonly services?: (deps: Deps) => Partial<Omit<Services, 'node'>>
  /** Runs once after migrations and before the first request, sealed or not. */
  readonly start?: (deps: Deps) => Promise<void>
  /** Runs each time the keyring becomes usable. */
  readonly onUnsealed?: (deps: Deps) => Promise<void>
  /** Runs on SIGHUP. */
  readonly reload?: (deps: Deps) => Promise<void>
  /** Runs when the server begins to stop: ends answers that have no end of their own, so that nobody waits for them. */
  readonly drain?: (deps: Deps) => void
  readonly stop?: (deps: Deps) => Promise<void>
  /** Fills an empty development server with something to try. */
  readonly devSeed?: (deps: Deps, context: DevSeedContext) => Promise<Partial<DevFacts>>
}

/** Declares a feature. */
export const defineFeature = (feature: Feature): Feature => feature
