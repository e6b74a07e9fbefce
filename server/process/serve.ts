import { type Config, loadConfig, type Mode, processEnvironment, renderFlags, renderProblems } from '../config/index.ts'
import {
  announceDev,
  type DevSetup,
  ensurePrivateDirectory,
  prepareDev,
  reachable,
  renderBanner,
  runDevSeeds,
  type ServerAddresses,
  withdrawDev,
} from '../dev/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import type { DevFacts } from '../kit/feature.ts'
import { version } from '../version.ts'
import { renderInitialised } from './initialised.ts'
import { runUntilStopped, stopGraceMs } from './lifecycle.ts'
import { openLog, type ProcessLog } from './logging.ts'
import { startFailureLine } from './start-failure.ts'

/** Runs the server until it is stopped, and returns the exit code. */
export async function serve(mode: Mode, args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`holdfast ${mode} [flags]\n\n${renderFlags(mode)}\n`)
    return 0
  }
  const loaded = loadConfig({ mode, args, environment: processEnvironment() })
  if (!loaded.ok) {
    process.stderr.write(`${renderProblems(loaded.problems)}\nNothing was started.\n`)
    return 2
  }
  const processLog = openLog(loaded.config)
  endOnUncaught(processLog)
  try {
    return await runServer(loaded.config, processLog)
  } catch (thrown) {
    reportStartFailure(thrown, processLog)
    return 1
  } finally {
    processLog.flush()
  }
}

async function runServer(config: Config, { log }: ProcessLog): Promise<number> {
  // Loaded late, so that a bad configuration is told before the rest of the program is read.
  const { startServer } = await import('../app.ts')
  await ensurePrivateDirectory(config.dataDir)
  const dev = config.mode === 'dev' ? await prepareDev({ clock: systemClock, ids: randomIds }, config) : undefined
  const server = await startServer(dev ? { ...config, rootToken: dev.rootToken } : config, log)
  const hangup = dev && process.stdout.isTTY ? 'stop' : 'reload'
  const ended = runUntilStopped(server, { log, hangup, graceMs: stopGraceMs })
  try {
    if (dev) await showDev(dev, await runDevSeeds(dev, [server.seedDev]), reachable(server.addresses))
    else if (server.initialised) process.stdout.write(renderInitialised(server.initialised))
  } catch (thrown) {
    await server.close()
    throw thrown
  }
  log.info({ mode: config.mode, version, ...server.addresses }, 'ready')
  const code = await ended
  if (dev) await withdrawDev(config.dataDir)
  return code
}

async function showDev(dev: DevSetup, facts: Partial<DevFacts>, addresses: ServerAddresses): Promise<void> {
  const { dataDir } = dev.context
  await announceDev(dataDir, facts, addresses)
  const known = {
    ...facts,
    version,
    data_dir: dataDir,
    address: addresses.https,
    http_address: addresses.http,
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

/** A fault nobody caught leaves the process in an unknown state: it is logged, and the process ends. */
function endOnUncaught({ log, flush }: ProcessLog): void {
  const end = (error: unknown): void => {
    log.error({ error }, 'uncaught exception')
    flush()
    process.exit(1)
  }
  process.on('uncaughtException', end).on('unhandledRejection', end)
  process.stdout.on('error', ignoreClosedPipe)
  process.stderr.on('error', ignoreClosedPipe)
}

/** Whoever read our output may have gone (`| head`); that is no reason to stop serving. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}
