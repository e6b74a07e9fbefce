import { statfsSync } from 'node:fs'
import { SetupProblem } from './problem.mjs'

/** @typedef {import('./packages.mjs').Mode} Mode */

/** What a first install unpacks, in megabytes, rounded down: refusing an install that would fit is the worse mistake. */
const NEEDED_MB = { production: 350, full: 850 }

/**
 * Refuses a first install that cannot fit. npm itself would leave the largest optional package out and say nothing.
 * @param {string} root
 * @param {Mode} mode
 */
export function checkDiskSpace(root, mode) {
  const free = freeMegabytes(root)
  if (free >= NEEDED_MB[mode]) return
  throw new SetupProblem(
    `The disk is too full: an install takes ${NEEDED_MB[mode]} MB, and ${free} MB are free in ${root}.`,
  )
}

/** @param {string} directory */
function freeMegabytes(directory) {
  const { bavail, bsize, blocks } = statfsSync(directory)
  // Some network and user-space file systems report no size at all.
  return blocks === 0 ? Infinity : Math.floor((bavail * bsize) / 1024 ** 2)
}
