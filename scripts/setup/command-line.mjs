import { launchProgram } from './launch.mjs'
import { chooseNode } from './pinned-node.mjs'
import { reportingProblems } from './problem.mjs'
import { ROOT } from './root.mjs'

/**
 * Runs `holdfast …` on the pinned Node. Installs nothing: that is what `npm start` is for.
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export function runCommandLine(args) {
  return reportingProblems(async () => launchProgram(await chooseNode(ROOT), programFor(args), args))
}

const serverCommands = ['dev', 'server', 'doctor', 'recover-seal-key', 'create-root-token', 'disable-audit-device']

/**
 * The program that understands these arguments.
 * @param {string[]} args
 * @returns {'server/main.ts' | 'cli/main.ts'}
 */
export function programFor(args) {
  const [first, second] = args[0] === 'help' ? args.slice(1) : args
  const isServer = serverCommands.includes(first ?? '') || (first === 'config' && second === 'check')
  return isServer ? 'server/main.ts' : 'cli/main.ts'
}
