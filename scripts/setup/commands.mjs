import { join } from 'node:path'
import { launch, launchProgram } from './launch.mjs'
import { reportingProblems, SetupProblem } from './problem.mjs'
import { ensureReady } from './ready.mjs'
import { ROOT } from './root.mjs'
import { testArguments } from './test-plan.mjs'

/** @type {Record<string, (args: string[]) => Promise<void>>} */
const COMMANDS = {
  start: async (args) => {
    const node = await ensureReady(ROOT, 'production')
    await launchProgram(node, 'server/main.ts', ['dev', ...args])
  },
  test: async (args) => {
    const node = await ensureReady(ROOT, 'full')
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
    const chosen = testArguments(ROOT, args, (line) => console.error(line))
    await launch(node, [vitest, 'run', ...chosen], { cwd: ROOT })
  },
  setup: async () => {
    await ensureReady(ROOT, 'full')
  },
}

/**
 * Runs one of the commands above, and ends the process the way the started program ended.
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export function runCommand(args) {
  const [name = '', ...rest] = args
  return reportingProblems(async () => {
    const command = COMMANDS[name]
    if (!command) throw new SetupProblem(`Unknown command '${name}'. Known: ${Object.keys(COMMANDS).join(', ')}.`)
    await command(rest)
  })
}
