import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./packages.mjs').Mode} Mode */
/** @typedef {{ fingerprint: string, mode: Mode, node: 'pinned' | 'running' }} Stamp `node`: which one proved to work */

/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.holdfast-setup.json')

/**
 * True if this exact lock file was installed here before; a full install is enough for production too.
 * @param {string} root
 * @param {Omit<Stamp, 'node'>} wanted
 * @returns {boolean}
 */
export function isStamped(root, wanted) {
  const stamp = readStamp(root)
  return stamp?.fingerprint === wanted.fingerprint && (stamp.mode === 'full' || stamp.mode === wanted.mode)
}

/**
 * What the last finished install left behind.
 * @param {string} root
 * @returns {Partial<Stamp> | undefined}
 */
export function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampFile(root), 'utf8'))
  } catch {
    return undefined // absent or half written: both mean "look again"
  }
}

/**
 * Records a finished install. A tree that we may read but not write still works; it is only checked each time.
 * @param {string} root
 * @param {Stamp} stamp
 */
export function writeStamp(root, stamp) {
  try {
    writeFileSync(stampFile(root), `${JSON.stringify(stamp)}\n`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  }
}

/**
 * Called before an install begins, so that an interrupted one is never taken for a finished one.
 * @param {string} root
 */
export function clearStamp(root) {
  rmSync(stampFile(root), { force: true })
}
