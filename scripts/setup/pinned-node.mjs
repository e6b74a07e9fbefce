import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isAtLeast, NODE_PACKAGES, OLDEST_RUNNER } from './node-version.mjs'
import { SetupProblem } from './problem.mjs'
import { readStamp } from './stamp.mjs'

const run = promisify(execFile)

/**
 * Where the pinned Node is, if its package is installed.
 * @param {string} root
 * @returns {string | undefined}
 */
function pinnedNode(root) {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const manifest = name && resolveManifest(root, name)
  if (!manifest) return undefined
  const binary = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
  return existsSync(binary) ? binary : undefined
}

/**
 * @param {string} root
 * @param {string} name
 */
function resolveManifest(root, name) {
  try {
    return createRequire(join(root, 'package.json')).resolve(`${name}/package.json`)
  } catch {
    return undefined // not installed
  }
}

/**
 * Why the pinned Node cannot be used, or nothing if it runs and is the version we asked for. npm stays silent when an
 * optional package does not arrive, and a binary made for another C library arrives but does not run.
 * @param {string} root
 * @returns {Promise<string | undefined>}
 */
export async function pinnedNodeProblem(root) {
  const platform = `${process.platform}-${process.arch}`
  const name = NODE_PACKAGES[platform]
  if (!name) return `there is no pinned Node for ${platform}`
  const binary = pinnedNode(root)
  if (!binary) return `the package ${name} was not installed`
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[name]
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: 30_000 })
    return stdout.trim() === `v${wanted}` ? undefined : `${name} is ${stdout.trim()} instead of v${wanted}`
  } catch (error) {
    return `${name} does not run here (${error instanceof Error ? error.message.split('\n')[0] : error})`
  }
}

/**
 * The Node to run Holdfast on: the pinned one, or the one running now if it is new enough.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function chooseNode(root) {
  const pinned = pinnedNode(root)
  if (pinned && readStamp(root)?.node === 'pinned') return pinned
  const problem = await pinnedNodeProblem(root)
  return pinned && !problem ? pinned : runningNode(problem)
}

/**
 * The Node running now, if the server runs on it too.
 * @param {string | undefined} problem what is wrong with the pinned one
 * @returns {string}
 */
export function runningNode(problem) {
  const running = process.versions.node
  if (isAtLeast(running, OLDEST_RUNNER)) return process.execPath
  throw new SetupProblem(
    `Holdfast runs on a Node that is installed with its dependencies, but ${problem}.\n` +
      'If they were never installed, run `npm start`. If the download failed, remove node_modules and start again.\n' +
      `Otherwise install Node ${OLDEST_RUNNER} or newer yourself; this one is ${running}.`,
  )
}
