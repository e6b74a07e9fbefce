import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SetupProblem } from './problem.mjs'
import { COMPILE_CACHE, LAUNCHER_VARIABLE, ROOT } from './root.mjs'

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} End */
/** @typedef {import('node:child_process').SpawnOptions} Options */

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const SAME_SIGNAL_MS = 1_000
const PARENT_CHECK_MS = 500

/**
 * Runs a program of this checkout or package. What is compiled already, for the Node that runs this, needs no process
 * of its own, and a command is there in half the time. Sources are started with the compile cache enabled from their
 * very first file on: if the program enabled the cache itself, Node would load the type stripper for that file, which
 * costs a quarter of a start and 15 MB. A program says when it is ready; then `whenReady` is called.
 * @type {(node: string, program: 'server/main.ts' | 'runner/main.ts' | 'cli/main.ts', args: string[], whenReady?: () => void) => Promise<void>}
 */
export const launchProgram = async (node, program, args, whenReady) => {
  const file = programFile(program)
  if (node === process.execPath && file.endsWith('.js')) {
    process.argv = [node, file, ...args]
    await import(pathToFileURL(file).href)
    return
  }
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, [LAUNCHER_VARIABLE]: String(process.pid) }
  await launch(
    node,
    [file, ...args],
    { env, ...(whenReady && { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }) },
    whenReady,
  )
}

/**
 * The source in a checkout; in a package, what it was compiled to.
 * @type {(program: string) => string}
 */
const programFile = (program) => {
  const source = join(ROOT, program)
  return existsSync(source) ? source : join(ROOT, 'dist', program.replace(/\.ts$/, '.js'))
}

/**
 * Runs a program on the given Node, and ends this process as that one ended.
 * @type {(node: string, args: string[], options?: Options, whenReady?: () => void) => Promise<void>}
 */
export const launch = async (node, args, { env = process.env, ...options } = {}, whenReady = undefined) => {
  // Programs the child starts by the name `node` should get the same one.
  const PATH = [dirname(node), env.PATH].join(delimiter)
  const { code, signal } = await run(node, args, { stdio: 'inherit', ...options, env: { ...env, PATH } }, whenReady)
  process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)
  if (signal) process.kill(process.pid, signal)
}

/**
 * Runs a program until it ends, and passes signals on to it.
 * @type {(command: string, args: string[], options: Options, whenReady?: () => void) => Promise<End>}
 */
export const run = async (command, args, options, whenReady) => {
  const child = spawn(command, args, options)
  if (whenReady) child.once('message', whenReady)
  const stop = forwardSignals((signal) => child.kill(signal))
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new SetupProblem(`${command} cannot be run: ${error.message}`)))
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
  } finally {
    stop()
  }
}

/** @type {(send: (signal: NodeJS.Signals) => void) => () => void} */
const forwardSignals = (send) => {
  /** @type {Partial<Record<NodeJS.Signals, number>>} */
  const last = {}
  /** @type {(signal: NodeJS.Signals) => void} */
  const forward = (signal) => {
    // Ctrl-C reaches the child by itself, and us once more through npm; to the child, two mean "at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    const before = last[signal] ?? -Infinity
    last[signal] = performance.now()
    if (performance.now() - before > SAME_SIGNAL_MS) send(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  // Under npm the parent lives as long as the command. If it was killed, nothing else stops what we started.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) forward('SIGTERM')
  }, PARENT_CHECK_MS)
  return () => {
    clearInterval(watch)
    for (const signal of SIGNALS) process.off(signal, forward)
  }
}
