import * as fs from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './launch.mjs'
import { CAN_RUN_HERE, PINNED } from './pinned-node.mjs'
import { SetupProblem } from './problem.mjs'
import { ROOT } from './root.mjs'

/** @typedef {'production' | 'full'} Mode `full` has the development packages, too */

/** npm writes this when it has finished, and removes it with the folder when it begins anew. */
const RECORD = join(ROOT, 'node_modules', '.package-lock.json')

/** Next to node_modules, since npm empties that. Whoever installs touches it every second. */
const LOCK_FILE = join(ROOT, '.holdfast-setup.lock')
const ABANDONED_MS = 20_000

/**
 * Installs what package-lock.json names, unless it is there. Of several starts at once, one installs.
 * @type {(mode: Mode) => Promise<void>}
 */
export const ensureInstalled = async (mode) => {
  if (isInstalled(mode)) return
  await withSetupLock('Another start is installing; waiting for it.', async () => {
    if (!isInstalled(mode)) await install(mode)
  })
}

/**
 * Runs what only one start may do at a time; the others say that they wait.
 * @type {(waiting: string, work: () => Promise<void>) => Promise<void>}
 */
export const withSetupLock = async (waiting, work) => {
  for (let told = false; !(await tryLock()); told = true) {
    if (!told) console.error(waiting)
    await sleep(200)
  }
  const touching = setInterval(() => lockedAt() && fs.utimesSync(LOCK_FILE, new Date(), new Date()), 1_000)
  try {
    await work()
  } finally {
    clearInterval(touching)
    fs.rmSync(LOCK_FILE, { force: true })
  }
}

/**
 * True if node_modules holds what the lock file names. What is made for certain platforms may be missing, but for the
 * Node that is needed here.
 * @type {(mode: Mode) => boolean}
 */
const isInstalled = (mode) => {
  const present = fs.existsSync(RECORD) ? readPackages(RECORD) : {}
  return Object.entries(readPackages(join(ROOT, 'package-lock.json'))).every(([path, { version, dev, os }]) => {
    if (path === '' || (mode === 'production' && dev)) return true
    const isNeeded = os === undefined || (path === `node_modules/${PINNED}` && !CAN_RUN_HERE)
    if (!present[path] || !fs.existsSync(join(ROOT, path))) return !isNeeded
    return present[path].version === version
  })
}

/** @type {(file: string) => Record<string, { version?: string, dev?: boolean, os?: unknown }>} */
const readPackages = (file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages

/** When the lock was touched last; undefined if there is none. */
const lockedAt = () => fs.statSync(LOCK_FILE, { throwIfNoEntry: false })?.mtimeMs

const tryLock = async () => {
  const isAbandoned = Date.now() - (lockedAt() ?? Infinity) > ABANDONED_MS
  try {
    fs.writeFileSync(LOCK_FILE, String(process.pid), { flag: isAbandoned ? 'w' : 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new SetupProblem(`Packages are missing, and cannot be installed here. Run as the owner of ${ROOT}.\n${error}`)
  }
  if (!isAbandoned) return true
  // Several may take an abandoned lock at once; it belongs to the last.
  await sleep(500)
  return fs.existsSync(LOCK_FILE) && fs.readFileSync(LOCK_FILE, 'utf8') === String(process.pid)
}

/** @type {(mode: Mode) => Promise<void>} */
const install = async (mode) => {
  console.error('Installing packages; this takes a minute or two.')
  // `npm ci` empties node_modules, where a server may be running; what an earlier install finished is completed.
  const verb = fs.existsSync(RECORD) ? ['install', '--no-save'] : ['ci']
  const kinds = [mode === 'full' ? '--include=dev' : '--omit=dev', '--include=optional', ...cacheOption()]
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  // npm's own pauses are meant for servers; a user without a network should not wait for minutes.
  const pauses = ['retries=4', 'retry-factor=3', 'retry-mintimeout=1000', 'retry-maxtimeout=15000']
  const { code, signal } = await runNpm([...verb, ...kinds, ...quiet, ...pauses.map((pause) => `--fetch-${pause}`)])
  if (code === 0) return
  if (signal) throw new SetupProblem(`Installing was stopped by ${signal}.`)
  throw new SetupProblem(
    'Installing failed; above is what npm says. Check that the npm registry can be reached (`npm config set registry`\n' +
      'names a mirror), that 1 GB of the disk is free, and that you own this folder. Then run the command again.',
  )
}

/** @type {(args: string[]) => Promise<import('./launch.mjs').End>} */
const runNpm = (args) => {
  const script = process.env.npm_execpath
  /** @type {import('./launch.mjs').Options} */
  const options = { cwd: ROOT, stdio: ['ignore', 2, 2] }
  // The npm that started us, on the Node that it runs on: the one on the PATH may be replaced by the install.
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], options)
  return run('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** A user without a home directory gets a cache in the temporary directory. */
const cacheOption = () => {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    fs.mkdirSync(cache, { recursive: true })
    fs.accessSync(cache, fs.constants.W_OK)
    return []
  } catch {
    return [`--cache=${join(tmpdir(), `holdfast-npm-cache-${userInfo().uid}`)}`]
  }
}
