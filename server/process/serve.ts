import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { hostname } from 'node:os'
import { styleText } from 'node:util'
import {
  addressSettingOf,
  type Config,
  type LoadResult,
  loadConfig,
  type Mode,
  processEnvironment,
  renderFlags,
  renderProblems,
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
import type { Log, LogFields } from '../kernel/log.ts'
import type { DevFacts } from '../kit/feature.ts'
import type { Addresses } from '../listeners.ts'
import type { Initialised } from '../product/secrets/seal/index.ts'
import type { StartedServer } from '../start.ts'
import { readTlsFiles, unusableTls } from '../tls-files.ts'
import { version } from '../version.ts'
import { type BuiltInRunner, type RunnerReady, startBuiltInRunner } from './built-in-runner.ts'
import { jsonLog } from './json-log.ts'
import { watchLauncher } from './launcher.ts'
import { runUntilStopped, stopDuplicateSignalMs, stopGraceMs, stoppableAfter, watchForHangup } from './lifecycle.ts'
import { LineOutput } from './line-output.ts'
import { Repetitions } from './repetitions.ts'
import { releaseStartMemory } from './runtime.ts'

type Style = 'gray' | 'cyan' | 'yellow' | 'red'

const styles: Readonly<Record<string, Style>> = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' }

/** Turns a JSON log line into one for people: time, level, node and process, message, fields, and a stack below. */
export function renderLogLine(line: string, colour: boolean): string {
  const { time, level, node, pid, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const paint = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const severity = String(level)
  const stacks: string[] = []
  const shown = Object.entries(fields).map(([name, value]) => {
    const error = value as { message?: string; stack?: string } | null
    if (typeof error?.stack === 'string') stacks.push(error.stack)
    return `${paint('gray', `${name}=`)}${typeof error?.stack === 'string' ? quoted(error.message ?? '') : quoted(value)}`
  })
  const head = [
    paint('gray', String(time).slice(11, 19)),
    paint(styles[severity] ?? 'gray', severity.padEnd(5)),
    ...(node === undefined ? [] : [paint('gray', `${node}[${pid}]`)]),
    String(msg),
    ...shown,
  ].join(' ')
  return `${[head, ...stacks].join('\n')}\n`
}

const quoted = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? String(value))

/** Where lines go: a stream of the process, or what a test gives. */
type LogOutput = { write(text: string): unknown; isTTY?: boolean }

/** The process log, a way to write what still waits before the process ends, and how many lines it has lost. */
type ProcessLog = { log: Log; flush(): void; lostLines(): number }

/** Opens the log of the process: text for people at a terminal in dev mode, JSON for everything else. */
export function openLog({ mode, log }: Pick<Config, 'mode' | 'log'>, output?: LogOutput): ProcessLog {
  const stream = output ?? process.stderr
  const format = log.format === 'auto' ? (mode === 'dev' && stream.isTTY ? 'text' : 'json') : log.format
  const render = format === 'text' ? (line: string) => renderLogLine(line, stream.isTTY ?? false) : asItIs
  // The lines of several nodes end up in one place.
  const common = { node: hostname(), pid: process.pid }
  const repetitions = new Repetitions()
  const open = (write: (line: string) => unknown): Log =>
    jsonLog(log.level, { write: (line) => write(render(line)), common, repetitions })
  if (output || stream.isTTY)
    return { log: open((line) => stream.write(line)), flush: () => repetitions.flush(), lostLines: () => 0 }
  const lines = new LineOutput(process.stderr.fd, (count) => render(lostLine(count, common)))
  const flush = (): void => {
    repetitions.flush()
    lines.flush()
  }
  return { log: open((line) => lines.write(line)), flush, lostLines: () => lines.lostInAll }
}

const asItIs = (line: string): string => line

/** The line that stands in the log for lines that were lost. */
function lostLine(count: number, common: LogFields): string {
  let text = ''
  const write = (line: string): void => {
    text = line
  }
  jsonLog('warn', { write, common }).warn({ lines: count }, 'log lines were lost')
  return text
}

/** Errors of the machine that people can correct, explained. */
const machineFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is already in use by another program.',
  EACCES: 'A file or a port may not be opened by this user.',
  EPERM: 'The system does not permit this to this user.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The disk is read-only.',
  EMFILE: 'Too many files are open; raise the limit (ulimit -n).',
  ECONNREFUSED: 'The database does not answer.',
  ENOTFOUND: 'The host name of the database is not known.',
}

/** What to do about an error of PostgreSQL, by SQLSTATE. */
const refusalAdvice: Readonly<Record<string, string>> = {
  // Since release 15 users may not create tables in the schema `public` unless they are granted that right.
  '42501':
    'The user of the storage address must be able to create tables; make it the owner of the database, or grant it CREATE on the schema.',
  '3F000': 'Create the schema that search_path names, in the storage address or for its user.',
}

/** Why the server did not start, in one line; undefined when it is a fault of ours that needs its stack. */
export function startFailureLine(thrown: unknown): string | undefined {
  if (thrown instanceof Failure) return oneLine(thrown.message)
  const { code, errcode, severity } = thrown as { code?: unknown; errcode?: unknown; severity?: unknown }
  const advice = severity !== undefined && typeof code === 'string' ? refusalAdvice[code] : undefined
  if (advice) return `The database refuses: ${oneLine(textOf(thrown))}. ${advice}`
  if (typeof errcode === 'number') return `The database cannot be used: ${oneLine(textOf(thrown))}.`
  const known = typeof code === 'string' ? machineFaults[code] : undefined
  return known && `${known} (${oneLine(textOf(thrown))})`
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim()

/** The configuration file, and what it contained when the server was started. */
type StartedWith = { readonly file: string | undefined; readonly text: string | undefined }

/** Says that a changed file needs a restart: a reload does not read settings, and looks as if it did. */
function warnOfChangedConfig({ file, text }: StartedWith, log: Log): void {
  if (file === undefined || text === undefined || textIn(file) === text) return
  log.warn({ file }, 'the configuration file has changed since the start; its settings need a restart')
}

/** A file that cannot be read has changed as well. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The text that is shown once, when the root token and the recovery key are made: they cannot be read again. */
function renderInitialised({ rootToken, recoveryKey }: Pick<Initialised, 'rootToken' | 'recoveryKey'>): string {
  const lines = [
    '',
    '  The store was initialised. Write these down now: they are shown once and stored nowhere.',
    '',
    `    Root token    ${rootToken}`,
    ...(recoveryKey ? [`    Recovery key  ${recoveryKey.toString('base64')}`] : []),
    '',
    '  Snapshots do not hold the root key of the seal. Restoring one elsewhere needs a copy of the seal key',
    '  file, or this recovery key.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

type Valid = Extract<LoadResult, { ok: true }>

/** Runs the server until it is stopped or its launcher is gone, and returns the exit code. */
export async function serve(mode: Mode, args: readonly string[], launcher?: number): Promise<number> {
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
  if (launcher !== undefined) watchLauncher(launcher, () => stopWithout(launcher, processLog.log))
  if (loaded.ignored.length > 0)
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

async function runServer(
  { config, effective: inForce, fileText }: Valid,
  { log, lostLines }: ProcessLog,
): Promise<number> {
  const hangup = config.mode === 'dev' && process.stdout.isTTY ? 'stop' : 'reload'
  const wasHungUp = watchForHangup(hangup)
  const dev = await prepareStart(config)
  // Loaded late, so that a bad configuration is reported before the rest of the program is loaded.
  const [{ startServer }, { warnOfConfig }] = await Promise.all([import('../start.ts'), import('./config-warnings.ts')])
  warnOfConfig(config, log)
  const effective = dev ? { ...config, rootToken: dev.rootToken } : config
  const initialised = config.mode === 'dev' ? undefined : showInitialised
  const server = await startServer(effective, log, { initialised, inForce, lostLogLines: lostLines })
  const listening = listenOrClose(server, dev)
  let runner: BuiltInRunner | undefined
  // It can say goodbye only as long as the server answers.
  const withRunner = {
    ...server,
    close: async () => {
      await runner?.stop()
      await server.close()
    },
  }
  const ended = runUntilStopped(stoppableAfter(withRunner, listening), {
    log,
    hangup,
    delayMs: config.shutdownDelay,
    graceMs: stopGraceMs,
    duplicateSignalMs: stopDuplicateSignalMs,
    isReloadRequested: wasHungUp(),
    afterReload: () => warnOfChangedConfig({ file: config.configFile, text: fileText }, log),
  })
  const addresses = await listening
  log.info({ mode: config.mode, version, ...addresses }, 'ready')
  runner = startBuiltInRunner({
    config,
    log,
    addresses,
    caFile: dev?.files.caCert,
    token: () => server.builtInRunnerToken(),
    ready: (facts) => showRunner(config, log, facts),
  })
  server.warnIfSealed()
  void warnOfLostChains(log)
  flushCompileCache()
  void releaseStartMemory()
  const code = await ended
  if (config.mode === 'dev') await withdrawDev(config.dataDir, process.pid)
  return code
}

/** How runs are fenced in is shown, never assumed. */
function showRunner({ mode }: Config, log: Log, { layer, not_in_force: missing }: RunnerReady): void {
  log.info({ layer, not_in_force: missing }, 'the built-in runner is ready')
  if (mode !== 'dev') return
  const lacks = missing.length > 0 ? ` Not in force: ${missing.join(', ')}.` : ''
  process.stdout.write(`  Runs are planned and applied on this machine, in layer ${layer}.${lacks}\n\n`)
}

/** Whoever killed the launcher means the server, which stops as on any SIGTERM. */
function stopWithout(launcher: number, log: Log): void {
  log.warn({ launcher }, 'the process that started this server is gone')
  process.kill(process.pid, 'SIGTERM')
}

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
 * Prepares what the server needs before it starts. Ports and TLS files are tried now, so that a start that must fail does
 * not upgrade the store.
 */
async function prepareStart(config: Config): Promise<DevSetup | undefined> {
  const deps = { clock: systemClock, ids: randomIds, pid: process.pid }
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
  await announceDev(dataDir, { facts, addresses, pid: process.pid })
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
  // `npm start` builds the web UI now: what was started first should be there first.
  process.send?.('ready')
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
