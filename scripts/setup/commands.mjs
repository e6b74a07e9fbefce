import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { launch, launchProgram } from './launch.mjs'
import { chooseNode } from './pinned-node.mjs'
import { reportProblem, SetupProblem } from './problem.mjs'
import { ROOT } from './root.mjs'
import { buildUi, buildUiBeside } from './ui.mjs'

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

/** What needs a program that is not there skips itself. */
const PROJECTS = ['server', 'journeys', 'browser', 'compat'].map((name) => `--project=${name}`)

/** @type {Record<string, (args: string[]) => Promise<void>>} */
const COMMANDS = {
  start: async (args) => {
    await ensureInstalled('production')
    await launchProgram(chooseNode(), 'server/main.ts', ['dev', ...args], buildUiBeside)
  },
  test: async (args) => {
    await ensureInstalled('full')
    const projects = args.some((arg) => /^--project(=|$)/.test(arg)) ? [] : PROJECTS
    await launch(chooseNode(), [VITEST, 'run', ...projects, ...args], { cwd: ROOT })
  },
  ui: async () => {
    await buildUi(chooseNode())
  },
  build: async () => {
    await ensureInstalled('full')
    await buildUi(chooseNode())
    await launch(chooseNode(), [join(ROOT, 'scripts', 'build.ts')], { cwd: ROOT })
  },
  setup: async () => {
    await ensureInstalled('full')
    chooseNode()
  },
}

/**
 * Runs one of the commands above, and ends the process the way the started program ended.
 * @type {(args: string[]) => Promise<void>}
 */
export const runCommand = ([name = '', ...args]) =>
  reportProblem(async () => {
    const command = COMMANDS[name]
    if (!command) throw new SetupProblem(`Unknown command '${name}'. Known: ${Object.keys(COMMANDS).join(', ')}.`)
    await command(args)
  })
