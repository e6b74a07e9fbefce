import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '../config/index.ts'
import type { Log } from '../kernel/log.ts'
import type { Addresses } from '../listeners.ts'

/** The runner that a server starts, as a process of its own that speaks to it over HTTP. */
export type BuiltInRunner = { stop(): Promise<void> }

/** What a runner says when it is ready. */
export type RunnerReady = { readonly id: string; readonly layer: string; readonly not_in_force: readonly string[] }

type Options = {
  readonly config: Config
  readonly log: Log
  readonly addresses: Addresses
  /** The authority that dev mode made. */
  readonly caFile: string | undefined
  /** Makes a token that is good for one registration after another, and holds for this process only. */
  readonly token: () => string
  readonly ready: (facts: RunnerReady) => void
}

const program = join(import.meta.dirname, '..', '..', 'runner', `main${extname(import.meta.filename)}`)

const longestPauseMs = 60_000

/** How long its tools have to write what they know when the server stops. */
const stopMs = 6_000

/** Starts the built-in runner, and again whenever it ends by itself; undefined if it is switched off. */
export function startBuiltInRunner(options: Options): BuiltInRunner | undefined {
  const { config, log } = options
  if (config.runnerBuiltin === 'off') return undefined
  const address = addressFor(options)
  if (address === undefined) {
    log.error(
      { fix: 'set http_listen or base_url' },
      'the built-in runner has no address at which it can reach this server',
    )
    return undefined
  }
  let [isStopping, pauseMs] = [false, 1_000]
  let child: ChildProcess | undefined
  let waiting: NodeJS.Timeout | undefined
  const start = (): void => {
    child = spawnRunner(options, address, () => {
      pauseMs = 1_000
    })
    child.once('error', (error) => log.error({ error: error.message }, 'the built-in runner cannot be started'))
    child.once('close', (code) => {
      if (isStopping) return
      log.warn({ code, again_in_ms: pauseMs }, 'the built-in runner has ended')
      waiting = setTimeout(start, pauseMs)
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    })
  }
  start()
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(waiting)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), stopMs)
      await closed
      clearTimeout(late)
    },
  }
}

function addressFor({ config, addresses }: Options): string | undefined {
  const own = addresses.http ?? config.baseUrl
  return own ?? (config.mode === 'dev' ? addresses.https : undefined)
}

function spawnRunner({ config, log, caFile, token, ready }: Options, address: string, began: () => void): ChildProcess {
  const flags = {
    address,
    'token-file': '-',
    name: 'built-in',
    'data-dir': join(config.dataDir, 'runner'),
    layer: config.runnerBuiltin,
    tools: config.runnerTools,
    ...(address.startsWith('https:') && caFile && { 'ca-file': caFile }),
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  // In no argument and no variable: what it starts could read those.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${token()}\n`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    began()
    ready(JSON.parse(line) as RunnerReady)
  })
  createInterface({ input: child.stderr }).on('line', (line) => log.info({ runner: 'built-in' }, line))
  return child
}
