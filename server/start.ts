import { hash } from 'node:crypto'
import { hostname } from 'node:os'
import { type App, buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import { processEnvironment, showAddress, storeUrl } from './config/index.ts'
import { Keyring } from './crypto/keyring.ts'
import { createPasswords } from './crypto/passwords.ts'
import { createClientIdentifier } from './http/client-identity.ts'
import { defaultHttpLimits, type HttpLimits } from './http/limits.ts'
import { connectionOf } from './http/listener/index.ts'
import { isSkewed, warnOfSkew } from './jobs/clock-watch.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { textOf } from './kernel/failure.ts'
import { randomIds } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import type { Settings } from './kit/app-settings.ts'
import type { DevSeed } from './kit/feature.ts'
import type { Metrics } from './kit/metrics.ts'
import { beginStartNotes, damagedLogAdvice, type StartNotes } from './kit/start-notes.ts'
import { type Addresses, addressesOf, type OpenListener, openListeners, reloadListener } from './listeners.ts'
import { createOutbound } from './outbound/fetch.ts'
import { readProxies } from './outbound/proxies.ts'
import { type Initialised, warnIfSealed } from './product/secrets/seal/index.ts'
import { builtInRunnerToken } from './product/workspaces/runners/index.ts'
import { rootKeySourceOf } from './root-key-source.ts'
import { migrate } from './storage/migrate.ts'
import { openStore, type Store } from './storage/open.ts'
import { examineLog, settleLog } from './storage/sqlite/log-remains.ts'
import { noteStore, refuseMissingStore, refuseOtherStore } from './store-note.ts'
import { version } from './version.ts'

/** Options of a process besides its configuration. */
export type StartOptions = {
  /** Background work runs unless this is false. */
  readonly runJobs?: boolean
  readonly clock?: Clock
  /**
   * Called with the secrets of a store's first start as soon as they exist: they are shown only once, and the start may
   * still fail.
   */
  readonly initialised?: (secrets: Initialised) => void
  /** All settings, as people read them. */
  readonly inForce?: Settings['inForce']
  /** How many lines the log of the process has lost so far. */
  readonly lostLogLines?: () => number
}

/** A server with all its parts and an open store. It answers once it listens. */
export type StartedServer = {
  readonly devSeeds: readonly DevSeed[]
  /**
   * Called once. Requests are answered only after the addresses were announced: many programs take the first answer as
   * a sign that the server is ready. If it fails, the server still has to be closed.
   */
  listen(announce?: (addresses: Addresses) => Promise<void>): Promise<Addresses>
  /** A token with which the runner of this process registers. */
  builtInRunnerToken(): string
  /** Logs what a server waits for that only people can unseal. */
  warnIfSealed(): void
  /** Reads certificates again and reopens log files. */
  reload(): Promise<void>
  /** Goes on serving, but `/readyz` refuses and answers end their connections: balancers and clients go elsewhere. */
  announceStop(): void
  /** Finishes the requests in progress, then stops. */
  close(): Promise<void>
}

/** How long requests may continue after the server was asked to stop, and how much of it is left to refuse the last. */
const graceMs = 8_000
const refusingMs = 500

/** The same after a restart, and different in every other node, even on the same machine. */
const nodeMark = ({ dataDir }: Config): string => hash('sha256', `${hostname()} ${dataDir}`).slice(0, 12)

/** Opens the store and puts the parts together. What was opened is closed again if a later step fails. */
export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<StartedServer> {
  const undo: Action[] = []
  try {
    const clock = options.clock ?? systemClock
    const { storage, databaseConnections: connections, sqliteCacheBytes: cacheBytes } = config
    const terms = { node: nodeMark(config), connections, cacheBytes }
    await refuseMissingStore(config)
    const notes = await takeOverLog(config, log)
    const store = await openStore({ url: storeUrl(storage), log, clock, ...terms })
    undo.push(() => store.close())
    await refuseOtherStore(config, store)
    await compareClocks(store, log)
    const migrations = await migrate(store)
    if (migrations.length > 0) log.info({ migrations }, 'database upgraded')
    const base = { config, log, clock }
    const app = await createApp(base, store, options)
    undo.push(() => app.close())
    if (options.lostLogLines) countLostLines(app.deps.metrics, options.lostLogLines)
    if (app.initialised) options.initialised?.(app.initialised)
    await noteStart(base, app, notes)
    return createStartedServer({ ...base, app }, undo)
  } catch (error) {
    // The reason why it did not start matters more than what went wrong after that.
    await unwind(undo).catch((later: unknown) => log.error({ error: textOf(later) }, 'the server did not stop cleanly'))
    throw error
  }
}

/** Tells what an unclean stop has left of the log of the database, before it is opened. */
async function takeOverLog({ storage }: Config, log: Log): Promise<Partial<StartNotes>> {
  if (storage.engine !== 'sqlite') return {}
  const { recovered, lost } = await examineLog(storage.file)
  if (recovered > 0) log.info({ frames: recovered }, 'commits recovered from the database log after an unclean stop')
  if (lost > 0) {
    log.error({ frames: lost, fix: damagedLogAdvice }, 'the database log is damaged: the last commits are lost')
    settleLog(storage.file)
  }
  return { recoveredFrames: recovered, lostFrames: lost }
}

/** Notes for the next start and for `doctor`. A server that cannot write them serves all the same. */
async function noteStart({ config, log }: StartBase, { deps }: App, notes: Partial<StartNotes>): Promise<void> {
  const { store, keyring } = deps
  const report = (error: unknown): void => log.error({ error: textOf(error) }, 'the data directory takes no notes')
  await beginStartNotes(config.dataDir, notes).catch(report)
  if (keyring.state !== 'uninitialised') return await noteStore(config, deps).catch(report)
  // An empty store is worth nothing yet; it will have keys when the keyring changes.
  const forget = store.versions.onChange('keyring', () => {
    noteStore(config, deps).then(forget, report)
  })
}

/** Compares the clocks once before anything is decided by them; background work keeps watching them. */
async function compareClocks(store: Store, log: Log): Promise<void> {
  await store.databaseNow()
  if (isSkewed(store.clockSkew())) warnOfSkew(log, store.clockSkew())
}

/** A log that nobody reads, or whose disk is full, is no place to learn about its gaps. */
function countLostLines(metrics: Metrics, lostSoFar: () => number): void {
  const lost = metrics.counter('holdfast_log_lines_lost_total', 'Lines of the log that could not be written in time.')
  let counted = 0
  metrics.onRender(async () => {
    const now = lostSoFar()
    lost.inc(now - counted)
    counted = now
  })
}

type Action = () => Promise<void>

/** Undoes what was done, the last step first. */
const unwind = (undo: readonly Action[]): Promise<void> => runAll(undo.toReversed())

/** One after the other. A step that fails does not keep the others from running; the first failure is thrown at the end. */
async function runAll(steps: readonly Action[]): Promise<void> {
  const failed: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failed.push(error))
  if (failed.length > 0) throw failed[0]
}

/** What every part of a start needs. */
type StartBase = { readonly config: Config; readonly log: Log; readonly clock: Clock }

function createApp({ config, log, clock }: StartBase, store: Store, options: StartOptions): Promise<App> {
  const listeners = new Map(config.listeners.map((listener) => [listener.name, listener]))
  return buildApp({
    settings: { ...settingsOf(config), inForce: options.inForce ?? [] },
    store,
    keyring: new Keyring({ clock, ids: randomIds }),
    passwords: createPasswords(randomIds),
    clock,
    ids: randomIds,
    log,
    outbound: createOutbound({
      ...config.outbound,
      denyLoopback: config.mode === 'server',
      proxies: readProxies(processEnvironment()),
      clock,
    }),
    limits: httpLimitsOf(config),
    identify: createClientIdentifier(listeners),
    needsRequestHeader: (incoming) => listeners.get(connectionOf(incoming).listener)?.requireRequestHeader ?? false,
    runJobs: options.runJobs ?? true,
    processMetrics: true,
  })
}

/** The part of the configuration that features read. */
function settingsOf(config: Config): Omit<Settings, 'inForce'> {
  return {
    mode: config.mode,
    dataDir: config.dataDir,
    localPaths: config.localPaths.allow,
    baseUrl: config.baseUrl ?? '',
    httpsPort: config.listeners.find(({ tls }) => tls)?.address.port ?? 0,
    edition: config.edition,
    license: config.license,
    compatVersion: config.compatVersion,
    defaultLeaseTtl: config.defaultLeaseTtl,
    maxLeaseTtl: config.maxLeaseTtl,
    apiRateLimit: config.apiRateLimit,
    stateSnapshotInterval: config.stateSnapshotInterval,
    renameRedirects: config.renameRedirects,
    metricsOpen: config.metrics.open,
    rootToken: config.rootToken,
    seal: { type: config.seal.type, rootKey: rootKeySourceOf(config) },
    openRootGeneration: config.seal.openRootGeneration,
    crlBytes: config.limits.crlBytes,
    concurrentSnapshots: config.snapshots.maxConcurrent,
    loginRecord: config.loginRecord,
    nodeName: hostname(),
    nodeAddress: nodeAddressOf(config.listeners),
    version,
  }
}

/** The first address with TLS, or else the first; a port of zero becomes another one, and nobody knows which. */
function nodeAddressOf(listeners: Config['listeners']): string {
  const { address, tls } = listeners.find((listener) => listener.tls) ?? listeners[0] ?? {}
  if (!address || address.port === 0) return ''
  const host = /^(?:0\.0\.0\.0|::)$/.test(address.host) ? hostname() : address.host
  return `${tls ? 'https' : 'http'}://${showAddress({ host, port: address.port })}`
}

const httpLimitsOf = ({ limits }: Config): HttpLimits => ({
  ...defaultHttpLimits,
  v1BodyBytes: limits.v1BodyBytes,
  v2BodyBytes: limits.v2BodyBytes,
  bufferedBytes: limits.bufferedBytes,
  jsonDepth: limits.jsonDepth,
  jsonEntries: limits.jsonEntries,
  jsonString: limits.jsonStringBytes,
  requestDeadlineMs: limits.requestTimeout,
  bodyDeadlineMs: limits.bodyTimeout,
})

/** The parts of a server that has started. */
type ServerParts = StartBase & { readonly app: App }

function createStartedServer(parts: ServerParts, undo: Action[]): StartedServer {
  const { app } = parts
  const listening = { ...parts, metrics: app.deps.metrics }
  const opened: OpenListener[] = []
  return {
    devSeeds: app.devSeeds,
    builtInRunnerToken: () => builtInRunnerToken(app.deps),
    warnIfSealed: () => warnIfSealed(app.deps),
    listen: async (announce) => {
      undo.push(() => closeListeners(app, opened))
      const door = holdRequests(app.handle)
      try {
        await openListeners(listening, door.handle, opened)
        undo.push(async () => app.drain())
        await announce?.(addressesOf(opened))
      } finally {
        door.open()
      }
      return addressesOf(opened)
    },
    // A certificate that cannot be used must not keep audit files from being reopened.
    reload: () => runAll([...opened.map((open) => () => reloadListener(listening, open)), () => app.reload()]),
    announceStop: () => {
      app.announceStop()
      for (const { listener } of opened) listener.announceClosing()
    },
    close: () => unwind(undo),
  }
}

/** All at once, so that none accepts new requests while another finishes its own. */
async function closeListeners(app: App, opened: readonly OpenListener[]): Promise<void> {
  const timer = setTimeout(() => app.giveUp(), graceMs - refusingMs)
  await Promise.all(opened.map(({ listener }) => listener.close(graceMs)))
  clearTimeout(timer)
}

/** Lets requests wait until `open` is called. */
function holdRequests(handle: App['handle']): { readonly handle: App['handle']; open(): void } {
  let waiting: Parameters<App['handle']>[] | undefined = []
  return {
    handle: (incoming, outgoing) => {
      if (waiting) waiting.push([incoming, outgoing])
      else handle(incoming, outgoing)
    },
    open: () => {
      const first = waiting ?? []
      waiting = undefined
      for (const request of first) handle(...request)
    },
  }
}
