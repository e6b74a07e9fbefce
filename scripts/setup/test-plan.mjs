import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { COMPAT_CLIENTS, findChromium, findProgram } from './parts.mjs'

/** @typedef {{ project: string, folder: string, lacks: () => string | undefined }} Part */

/** @type {Part[]} */
const PARTS = [
  { project: 'journeys', folder: 'test/journeys', lacks: () => undefined },
  {
    project: 'browser',
    folder: 'test/browser',
    lacks: () => (findChromium() ? undefined : 'Chromium (install it, or set HOLDFAST_CHROMIUM to its path)'),
  },
  {
    project: 'compat',
    folder: 'test/compat',
    lacks: () => (COMPAT_CLIENTS.some(findProgram) ? undefined : `a client on the PATH (${COMPAT_CLIENTS.join(', ')})`),
  },
]

/**
 * The arguments for vitest: every project whose requirements are installed, unless the caller chose projects.
 * @param {string} root
 * @param {string[]} args
 * @param {(line: string) => void} say told one line for each project left out
 * @param {Part[]} [parts]
 * @returns {string[]}
 */
export function testArguments(root, args, say, parts = PARTS) {
  if (args.some((arg) => arg === '--project' || arg.startsWith('--project='))) return args
  const projects = ['server']
  for (const { project, folder, lacks } of parts) {
    if (!hasTests(join(root, folder))) continue
    const lacking = lacks()
    if (lacking) say(`Skipped: ${project} tests need ${lacking}.`)
    else projects.push(project)
  }
  return [...projects.map((project) => `--project=${project}`), ...args]
}

/** @param {string} folder */
function hasTests(folder) {
  return (
    existsSync(folder) && readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith('.test.ts'))
  )
}
