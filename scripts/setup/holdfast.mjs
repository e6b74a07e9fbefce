import { launchProgram } from './launch.mjs'
import { chooseNode } from './pinned-node.mjs'
import { reportProblem } from './problem.mjs'

/**
 * Runs `holdfast …` on the pinned Node. Installs nothing: that is what `npm start` is for.
 * @type {(args: string[]) => Promise<void>}
 */
export const runHoldfast = (args) => reportProblem(() => launchProgram(chooseNode(), programFor(args), args))

const SERVER_COMMANDS = ['dev', 'server', 'doctor', 'recover-seal-key', 'create-root-token', 'disable-audit-device']

/**
 * The program that understands these arguments.
 * @type {(args: string[]) => 'server/main.ts' | 'runner/main.ts' | 'cli/main.ts'}
 */
export const programFor = (args) => {
  const [first = '', second] = args[0] === 'help' ? args.slice(1) : args
  if (first === 'runner') return 'runner/main.ts'
  const isServer = SERVER_COMMANDS.includes(first) || (first === 'config' && second === 'check')
  return isServer ? 'server/main.ts' : 'cli/main.ts'
}
