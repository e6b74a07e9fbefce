import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Keyring } from './crypto/keyring.ts'
import type { Passwords } from './crypto/passwords.ts'
import type { ClientIdentity } from './http/client-identity.ts'
import type { HttpLimits } from './http/limits.ts'
import { Pipeline } from './http/pipeline.ts'
import { referenceEndpoints } from './http/reference.ts'
import { uiEndpoints } from './http/ui.ts'
import { type JobRunner, startJobs } from './jobs/runner.ts'
import type { Clock } from './kernel/clock.ts'
import { failure } from './kernel/failure.ts'
import type { Ids } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import { permissionDenied } from './kit/access.ts'
import type { Settings } from './kit/app-settings.ts'
import { noAuditTrail } from './kit/audit-trail.ts'
import type { Deps } from './kit/deps.ts'
import type { Endpoint } from './kit/endpoint.ts'
import type { DevSeed, Feature } from './kit/feature.ts'
import { createMetrics } from './kit/metrics.ts'
import type { MountKinds } from './kit/mount-kind.ts'
import { collectParts } from './kit/parts.ts'
import type { Services } from './kit/services.ts'
import type { Outbound } from './outbound/fetch.ts'
import { features as allFeatures } from './product/index.ts'
import { type Initialised, openAutoSeal, sealNode, warnOfSealType } from './product/secrets/seal/index.ts'
import type { Store } from './storage/open.ts'

/** What an application is made of. Tests give their own clock and store. */
export type AppParts = {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly outbound: Outbound
  readonly limits: HttpLimits
  readonly identify: (incoming: IncomingMessage) => ClientIdentity
  /** Whether the listener requires the request header under `/v1`; none does by default. */
  readonly needsRequestHeader?: (incoming: IncomingMessage) => boolean
  /** Jobs run only if this is set. */
  readonly runJobs: boolean
  readonly processMetrics?: boolean
}

/** A running application, without its listeners. */
export type App = {
  readonly deps: Deps
  readonly endpoints: readonly Endpoint[]
  /** Shown once, when this start initialised the store. */
  readonly initialised: Initialised | undefined
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void
  readonly devSeeds: readonly DevSeed[]
  reload(): Promise<void>
  /** Makes `/readyz` refuse, so that balancers choose other nodes; everything else goes on. */
  announceStop(): void
  /** Ends jobs, waits for locks, and answers that would never end by themselves; to be called before listeners close. */
  drain(): void
  /** Answers 503 to every request that is not answered yet. */
  giveUp(): void
  close(): Promise<void>
}

/** Puts the parts together: the only place that knows every one of them. */
export async function buildApp(parts: AppParts, features: readonly Feature[] = allFeatures): Promise<App> {
  const deps = createDeps(parts, features)
  for (const feature of features) await feature.start?.(deps)
  const initialised = await openAutoSeal(deps)
  warnOfSealType(deps, sealNode(deps).row)
  const endpoints = endpointsOf(features, parts.settings.version)
  const { limits, identify, needsRequestHeader = () => false } = parts
  const pipeline = new Pipeline({ deps, endpoints, limits, identify, needsRequestHeader })
  const jobs = features.flatMap((feature) => feature.jobs ?? [])
  const runner: JobRunner | undefined = parts.runJobs ? await startJobs(deps, jobs) : undefined
  deps.node.stepDown = async () => await runner?.stepDown()
  deps.node.requestsInFlight = () => pipeline.requestsInFlight()
  let stopped: Promise<void> | undefined
  const stopJobs = (): Promise<void> => {
    stopped ??= runner?.stop() ?? Promise.resolve()
    return stopped
  }
  const announceStop = (): void => {
    deps.node.isStopping = () => true
  }
  return {
    deps,
    endpoints,
    initialised,
    handle: (incoming, outgoing) => pipeline.handle(incoming, outgoing),
    devSeeds: features.flatMap(({ devSeed }) => (devSeed ? [(context) => devSeed(deps, context)] : [])),
    reload: async () => {
      for (const feature of features) await feature.reload?.(deps)
    },
    announceStop,
    drain: () => {
      announceStop()
      // What goes wrong here is reported when the app is closed.
      stopJobs().catch(() => undefined)
      pipeline.endWaits()
      for (const feature of features) feature.drain?.(deps)
    },
    giveUp: () => pipeline.giveUpAll(),
    close: async () => {
      await stopJobs()
      for (const feature of features.toReversed()) await feature.stop?.(deps)
    },
  }
}

/** Every endpoint of these features, the web UI, and the reference that describes them. */
export function endpointsOf(features: readonly Feature[], version: string): readonly Endpoint[] {
  const own = features.flatMap(({ endpoints = [], mounts = [] }) => [
    ...endpoints,
    ...mounts.flatMap((kind) => kind.endpoints),
  ])
  const shown = [...own, ...uiEndpoints()]
  return [...shown, ...referenceEndpoints(shown, version)]
}

function createDeps(parts: AppParts, features: readonly Feature[]): Deps {
  const { settings, store, keyring, passwords, clock, ids, log, outbound } = parts
  const metrics = createMetrics({ process: parts.processMetrics ?? false })
  const given = {
    db: store.db,
    reads: store.reads,
    store,
    clock,
    ids,
    keyring,
    passwords,
    outbound,
    log,
    metrics,
    settings,
  }
  const collected = { parts: collectParts(features), mountKinds: mountKindsOf(features) }
  const deps: Deps = { ...given, ...collected, ...defaultServices() }
  deps.node.announceUnsealed = async () => {
    for (const feature of features) await feature.onUnsealed?.(deps)
  }
  const filled = new Map<string, string>()
  for (const feature of features) {
    for (const [name, service] of Object.entries(feature.services?.(deps) ?? {})) {
      const other = filled.get(name)
      if (other) throw new Error(`Features ${other} and ${feature.name} both fill the service ${name}`)
      filled.set(name, feature.name)
      Object.assign(deps, { [name]: service })
    }
  }
  return deps
}

/** Two types of one name would answer at each other's mounts, so they stop the start. */
function mountKindsOf(features: readonly Feature[]): MountKinds {
  const kinds = features.flatMap(({ mounts = [] }) => mounts)
  const names = kinds.flatMap(({ type, aliases = {} }) => [type, ...Object.keys(aliases)])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two types of mounts are called ${twice}`)
  return new Map(kinds.map((kind) => [kind.type, kind]))
}

/** The defaults until features fill them: requests are refused, and nothing is limited. */
function defaultServices(): Services {
  const unlimited = { allowed: true, limit: 0, remaining: 0, resetSeconds: 0 }
  return {
    node: {
      isStopping: () => false,
      stepDown: async () => undefined,
      announceUnsealed: async () => undefined,
      requestsInFlight: () => [],
    },
    seal: { status: () => 'sealed', pendingKeys: () => undefined },
    mounts: { find: () => undefined },
    tokens: {
      authenticate: async () => Promise.reject(permissionDenied()),
      revokeUsedUp: () => undefined,
      wrapAnswer: async () => Promise.reject(failure('invalid', 'wrap.unsupported', 'Answers cannot be wrapped here.')),
    },
    policies: { authorize: () => ({ allowed: false, grantingPolicies: [] }) },
    callers: {
      authenticate: () => undefined,
      findVisitor: async () => undefined,
      serviceToken: async () => '',
      takeFromRateLimit: () => unlimited,
    },
    quotas: { enforce: () => undefined },
    origins: { check: () => undefined },
    audit: noAuditTrail,
  }
}
