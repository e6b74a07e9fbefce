import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** @typedef {{ code: number, output: string }} NpmResult */

const QUIET = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--no-update-notifier',
  '--loglevel=http',
]
// npm's own time-outs are meant for servers; a user without a network should not wait for minutes.
const RETRIES = [
  '--fetch-retries=4',
  '--fetch-retry-factor=3',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=15000',
]

/**
 * Runs npm silently and collects what it says. Ends with the process: an interrupted start leaves no npm behind.
 * @param {string} root
 * @param {string[]} args
 * @param {(fetched: number) => void} onProgress packages fetched so far
 * @returns {Promise<NpmResult>}
 */
export function runNpm(root, args, onProgress) {
  const { command, before, shell } = npmCommand(process.env)
  const all = [...before, ...args, ...QUIET, ...RETRIES, ...cacheOption(process.env)]
  return new Promise((resolve, reject) => {
    const child = spawn(command, all, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    const stop = endTogetherWith(child)
    const output = collectOutput(child, onProgress)
    child.once('error', (error) => {
      stop()
      reject(error)
    })
    child.once('close', (code) => {
      stop()
      resolve({ code: code ?? 1, output: output() })
    })
  })
}

/**
 * The npm that started us, on the Node that it runs on: ours may be replaced by the install that we start.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, before: string[], shell: boolean }}
 */
export function npmCommand(env) {
  const script = env.npm_execpath
  if (script && /^npm(-cli)?\.[cm]?js$/.test(basename(script)) && existsSync(script)) {
    return { command: env.npm_node_execpath || process.execPath, before: [script], shell: false }
  }
  return { command: 'npm', before: [], shell: process.platform === 'win32' }
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {(fetched: number) => void} onProgress
 */
function collectOutput(child, onProgress) {
  let text = ''
  let fetched = 0
  /** @param {Buffer} chunk */
  const add = (chunk) => {
    text += chunk
    fetched += String(chunk).match(/\.tgz\b/g)?.length ?? 0
    onProgress(fetched)
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  return () => text
}

/** @param {import('node:child_process').ChildProcess} child */
function endTogetherWith(child) {
  const kill = () => child.kill('SIGTERM')
  const interrupted = () => {
    kill()
    process.exit(130)
  }
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once('exit', kill)
  for (const signal of signals) process.once(signal, interrupted)
  return () => {
    process.off('exit', kill)
    for (const signal of signals) process.off(signal, interrupted)
  }
}

/**
 * A user without a home directory gets a cache in the temporary directory.
 * @param {NodeJS.ProcessEnv} env
 */
function cacheOption(env) {
  const cache = env.npm_config_cache ?? join(homedir(), '.npm')
  return isWritable(cache) ? [] : [`--cache=${join(tmpdir(), `holdfast-npm-cache-${userInfo().uid}`)}`]
}

/**
 * @param {string} path
 * @returns {boolean}
 */
function isWritable(path) {
  if (!existsSync(path) && dirname(path) !== path) return isWritable(dirname(path))
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false // the only news here is "no"
  }
}
