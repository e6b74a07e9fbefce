import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkDiskSpace } from './disk-space.mjs'
import { withInstallLock } from './install-lock.mjs'
import { runNpm } from './npm.mjs'
import { explainNpmFailure } from './npm-failure.mjs'
import { fingerprint, hasInstall, missingPackages, readLock, thisPlatform } from './packages.mjs'
import { chooseNode, pinnedNodeProblem, runningNode } from './pinned-node.mjs'
import { SetupProblem } from './problem.mjs'
import { showProgress } from './progress.mjs'
import { clearStamp, isStamped, writeStamp } from './stamp.mjs'

/** @typedef {import('./packages.mjs').Mode} Mode */
/** @typedef {import('./packages.mjs').Lock} Lock */

/**
 * Makes sure the dependencies are there, installing them if the lock file changed, and names the Node to run on.
 * @param {string} root
 * @param {Mode} mode
 * @returns {Promise<string>}
 */
export async function ensureReady(root, mode) {
  const wanted = { fingerprint: fingerprint(root, thisPlatform()), mode }
  if (!isStamped(root, wanted)) {
    const lock = readLock(root)
    // A user who ran `npm ci` has a complete tree; it must not be emptied under a running server.
    if (!isComplete(root, mode, lock)) await installUnderLock(root, wanted, lock)
    const problem = await pinnedNodeProblem(root)
    if (problem) runningNode(problem) // throws before the stamp is written, so that the next start tries again
    writeStamp(root, { ...wanted, node: problem ? 'running' : 'pinned' })
  }
  return chooseNode(root)
}

/**
 * @param {string} root
 * @param {Omit<import('./stamp.mjs').Stamp, 'node'>} wanted
 * @param {Lock} lock
 */
function installUnderLock(root, wanted, lock) {
  /** @param {string} pid */
  const onWait = (pid) => console.error(`Another start (process ${pid}) is installing; waiting for it.`)
  return explainReadOnly(root, () =>
    withInstallLock(root, onWait, async () => {
      if (!isComplete(root, wanted.mode, lock)) await install(root, wanted.mode, lock)
    }),
  )
}

/**
 * @param {string} root
 * @param {Mode} mode
 * @param {Lock} lock
 */
function isComplete(root, mode, lock) {
  const missing = missingPackages(root, lock, mode, thisPlatform())
  return missing.required.length === 0 && missing.optional.length === 0
}

/**
 * @param {string} root
 * @param {Mode} mode
 * @param {Lock} lock
 */
async function install(root, mode, lock) {
  if (!hasInstall(root)) checkDiskSpace(root, mode)
  clearStamp(root)
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  await npmInstall(root, mode, lock)
  let { optional } = missingPackages(root, lock, mode, thisPlatform())
  // npm silently drops an optional package whose download failed, so the install is tried a second time.
  if (optional.length > 0) await npmInstall(root, mode, lock)
  optional = missingPackages(root, lock, mode, thisPlatform()).optional
  for (const path of optional) console.error(`Did not arrive: ${path.replace('node_modules/', '')}`)
}

/**
 * @param {string} root
 * @param {Mode} mode
 * @param {Lock} lock
 */
async function npmInstall(root, mode, lock) {
  const missing = missingPackages(root, lock, mode, thisPlatform())
  const total = missing.required.length + missing.optional.length
  let fetched = 0
  const progress = showProgress(`Installing ${total} packages`, () =>
    fetched > 0 ? `${Math.min(fetched, total)} fetched` : 'waiting for the registry',
  )
  // `npm ci` empties node_modules first. What an earlier install finished is completed in place instead.
  const verb = hasInstall(root) ? ['install', '--no-save'] : ['ci']
  const kinds = mode === 'full' ? ['--include=dev', '--include=optional'] : ['--omit=dev', '--include=optional']
  const result = await runNpm(root, [...verb, ...kinds], (count) => {
    fetched = count
  }).catch(npmMissing)
  const ok = result.code === 0
  progress.stop(ok ? `Installed ${total} packages` : 'Installing stopped')
  if (!ok) throw new SetupProblem(explainNpmFailure(result.output))
}

/**
 * @param {unknown} cause
 * @returns {never}
 */
function npmMissing(cause) {
  throw new SetupProblem(`npm cannot be run: ${cause instanceof Error ? cause.message : cause}. Install npm with Node.`)
}

/**
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} work
 */
async function explainReadOnly(root, work) {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
      throw new SetupProblem(`${root} is not writable (${code}), so nothing can be installed. Run as its owner.`)
    }
    if (code === 'ENOSPC') throw new SetupProblem('The disk is full. An install takes about 1 GB.')
    throw error
  }
}
