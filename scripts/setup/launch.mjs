import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { COMPILE_CACHE, LAUNCHER_VARIABLE, ROOT } from './root.mjs'

/** @typedef {'SIGINT' | 'SIGTERM' | 'SIGHUP'} Forwarded */

const SAME_KEYPRESS_MS = 1_000
const PARENT_CHECK_MS = 500

/**
 * Runs a program of this checkout with the compile cache enabled from its very first file on: if it enabled the cache
 * itself, Node would load the type stripper for that file, which costs a quarter of a start and 15 MB.
 * @param {string} node
 * @param {'server/main.ts' | 'cli/main.ts'} program
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export function launchProgram(node, program, args) {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, [LAUNCHER_VARIABLE]: String(process.pid) }
  return launch(node, [join(ROOT, program), ...args], { env })
}

/**
 * Runs a program on the given Node, passes signals on, and ends this process as that one ended.
 * @param {string} node
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>}
 */
export async function launch(node, args, { cwd, env = process.env } = {}) {
  // Programs the child starts by the name `node` should get the same one.
  const PATH = [dirname(node), env.PATH].join(delimiter)
  const child = spawn(node, args, { stdio: 'inherit', cwd, env: { ...env, PATH } })
  const stop = forwardSignals(child)
  /** @type {{ code: number | null, signal: NodeJS.Signals | null }} */
  const end = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  stop()
  if (end.signal) endBySignal(end.signal)
  else process.exitCode = end.code ?? 1
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  const signals = /** @type {Forwarded[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  const isRepeated = createRepeatFilter()
  /** @param {Forwarded} signal */
  const forward = (signal) => {
    if (!isRepeated(signal)) child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  const watch = watchParent(() => forward('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, forward)
  }
}

/**
 * Under npm the parent lives exactly as long as the command. If it was killed, nothing is left to stop what we started.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  const parent = process.ppid
  return setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) onGone()
  }, PARENT_CHECK_MS)
}

/**
 * One Ctrl-C reaches us twice, from the terminal and from npm, and the child once by itself. A second keypress means
 * "at once", so the copies of the first must not look like one.
 * @returns {(signal: Forwarded) => boolean}
 */
function createRepeatFilter() {
  /** @type {Partial<Record<Forwarded, number>>} */
  const last = {}
  return (signal) => {
    const now = performance.now()
    const before = last[signal] ?? (signal === 'SIGINT' && process.stdin.isTTY ? now : -Infinity)
    last[signal] = now
    return now - before < SAME_KEYPRESS_MS
  }
}

/**
 * Ends this process by the same signal, so that callers see what really happened.
 * @param {NodeJS.Signals} signal
 */
function endBySignal(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0)
  process.kill(process.pid, signal)
}
