import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import {
  addressSettingOf,
  type Config,
  type LoadResult,
  loadConfig,
  type Mode,
  passConfigText,
  processEnvironment,
  renderFlags,
  renderProblems,
  takeConfigText,
} from '../config/index.ts'
import {
  announceDev,
  type DevSetup,
  ensurePrivateDirectory,
  prepareDev,
  reachableAddresses,
  renderBanner,
  runDevSeeds,
  type ServerAddresses,
  withdrawDev,
} from '../dev/index.ts'
import { tryListening, verifyChainCapture } from '../http/listener/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure, textOf } from '../kernel/failure.ts'
import { randomIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { DevFacts } from '../kit/feature.ts'
import type { Addresses } from '../listeners.ts'
import type { StartedServer } from '../start.ts'
import { readTlsFiles, unusableTls } from '../tls-files.ts'
import { version } from '../version.ts'
import { runWorkers } from '../workers.ts'
import { warnOfChangedConfig } from './changed-config.ts'
import { renderInitialised } from './initialised.ts'
import { watchLauncher } from './launcher.ts'
import { runUntilStopped, stopDuplicateSignalMs, stopGraceMs, stoppableAfter, watchForHangup } from './lifecycle.ts'
import { openLog, type ProcessLog } from './logging.ts'
import { releaseStartMemory } from './runtime.ts'
import { startFailureLine } from './start-failure.ts'

type Valid = Extract<LoadResult, { ok: true }>

/** Runs the server until it is stopped or its launcher is gone, and returns the exit code. */
export async function serve(mode: Mode, args: readonly string[], launcher?: number): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`holdfast ${mode} [flags]\n\n${renderFlags(mode)}\n`)
    return 0
  }
  // A process that replaces a crashed one must not differ from the others, though the file may have been changed.
  const fileText = cluster.isWorker ? takeConfigText(processEnvironment()) : undefined
  const loaded = loadConfig({ mode, args, environment: processEnvironment(), fileText })
  if (!loaded.ok) {
    process.stderr.write(`${renderProblems(loaded.problems)}\nNothing was started.\n`)
    return 2
  }
  const processLog = openLog(loaded.config)
  endOnUncaught(processLog)
  if (launcher !== undefined) watchLauncher(launcher, () => stopWithout(launcher, processLog.log))
  // Further processes have the same environment, so only the first one reports it.
  if (loaded.ignored.length > 0 && !cluster.isWorker)
    processLog.log.warn({ variables: loaded.ignored }, 'variables that name no setting are ignored')
  try {
    return await runServer(loaded, processLog)
  } catch (thrown) {
    reportStartFailure(thrown, processLog)
    return thrown instanceof Failure && thrown.code === unusableTls ? 2 : 1
  } finally {
    processLog.flush()
  }
}

async function runServer({ config, fileText }: Valid, { log, lostLines }: ProcessLog): Promise<number> {
  const hangup = config.mode === 'dev' && process.stdout.isTTY ? 'stop' : 'reload'
  const delayMs = config.shutdownDelay
  const common = { log, hangup } as const
  const lifecycle = { ...common, delayMs, graceMs: stopGraceMs, duplicateSignalMs: stopDuplicateSignalMs }
  const wasHungUp = watchForHangup(hangup)
  const environment = passConfigText(fileText)
  const supervision = { ...common, graceMs: delayMs + stopGraceMs, count: config.workers, environment }
  const code = await runWorkers(supervision, async (worker) => {
    const dev = worker.isFirst ? await prepareStart(config) : undefined
    // Loaded late, so that a bad configuration is reported before the rest of the program is loaded.
    const [{ startServer }, { warnOfConfig }] = await Promise.all([
      import('../start.ts'),
      import('./config-warnings.ts'),
    ])
    if (worker.isFirst) warnOfConfig(config, log)
    const effective = dev ? { ...config, rootToken: dev.rootToken } : config
    const initialised = config.mode === 'dev' ? undefined : showInitialised
    const options = { peers: worker, runJobs: worker.number === 1, initialised, lostLogLines: lostLines }
    const server = await startServer(effective, log, options)
    const listening = listenOrClose(server, dev)
    // One process of a node is enough to say it.
    const afterReload = () =>
      worker.number === 1 && warnOfChangedConfig({ file: config.configFile, text: fileText }, log)
    const handling = { ...lifecycle, isReloadRequested: wasHungUp(), afterReload }
    const ended = runUntilStopped(stoppableAfter(server, listening), handling)
    const addresses = await listening
    if (worker.isFirst) {
      log.info({ mode: config.mode, version, ...addresses }, 'ready')
      server.warnIfSealed()
      void warnOfLostChains(log)
      flushCompileCache()
    }
    worker.ready()
    void releaseStartMemory()
    return await ended
  })
  if (config.mode === 'dev') await withdrawDev(config.dataDir, nodePid())
  return code
}

/** Whoever killed the launcher means the server, which stops as on any SIGTERM. */
function stopWithout(launcher: number, log: Log): void {
  log.warn({ launcher }, 'the process that started this server is gone')
  process.kill(process.pid, 'SIGTERM')
}

/** The process that people send signals to: the supervisor, if several processes serve together. */
const nodePid = (): number => (cluster.isWorker ? process.ppid : process.pid)

/**
 * Some releases of Node lose part of the certificates that clients send. Reported at the start, this need not be found
 * out from refused logins.
 */
async function warnOfLostChains(log: Log): Promise<void> {
  try {
    await verifyChainCapture()
  } catch (thrown) {
    log.error({ error: textOf(thrown) }, 'client certificate chains are not received in full')
  }
}

/**
 * Prepares what all processes need before the first of them starts. Ports and TLS files are tried now, so that a start that
 * must fail does not upgrade the store.
 */
async function prepareStart(config: Config): Promise<DevSetup | undefined> {
  const deps = { clock: systemClock, ids: randomIds, pid: nodePid() }
  const dev = config.mode === 'dev' ? await prepareDev(deps, config) : undefined
  for (const { name, address, tls } of config.listeners) {
    if (tls) readTlsFiles(tls)
    await tryListening({ ...address, name, setting: addressSettingOf(name) })
  }
  await ensurePrivateDirectory(config.dataDir)
  return dev
}

/** If standard output takes nothing, standard error may: these secrets are never shown again. */
function showInitialised(secrets: Parameters<typeof renderInitialised>[0]): void {
  const text = renderInitialised(secrets)
  process.stdout.write(text, (problem) => void (problem && process.stderr.write(text)))
}

/**
 * Creates the demo data of dev mode, announces it, then answers requests. A server that cannot be set up is closed
 * again.
 */
async function listenOrClose(server: StartedServer, dev: DevSetup | undefined): Promise<Addresses> {
  try {
    const facts = dev && (await runDevSeeds(dev, server.devSeeds))
    return await server.listen(async (addresses) => {
      if (dev && facts) await showDev(dev, facts, reachableAddresses(addresses))
    })
  } catch (thrown) {
    await server.close()
    throw thrown
  }
}

async function showDev(dev: DevSetup, facts: Partial<DevFacts>, addresses: ServerAddresses): Promise<void> {
  const { dataDir } = dev.context
  await announceDev(dataDir, { facts, addresses, pid: nodePid() })
  const known = {
    ...facts,
    version,
    data_dir: dataDir,
    address: addresses.https,
    http_address: addresses.http,
    listeners: addresses.listeners,
    ca_cert: dev.files.caCert,
    client_cert: dev.files.clientCert,
    client_key: dev.files.clientKey,
  }
  process.stdout.write(`${renderBanner(known, process.stdout.isTTY)}\n`)
}

function reportStartFailure(thrown: unknown, { log, flush }: ProcessLog): void {
  const line = startFailureLine(thrown)
  if (line === undefined) log.error({ error: thrown }, 'the server did not start')
  flush()
  if (line !== undefined) process.stderr.write(`holdfast: ${line}\n`)
}

/** After an uncaught error the state of the process is unknown: it is logged, and the process ends. */
function endOnUncaught({ log, flush }: ProcessLog): void {
  const end = (error: unknown): void => {
    log.error({ error }, 'uncaught exception')
    flush()
    process.exit(1)
  }
  process.on('uncaughtException', end).on('unhandledRejection', end)
}
