import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { launch, launchProgram } from './launch.mjs'
import { chooseNode } from './pinned-node.mjs'
import { SetupProblem } from './problem.mjs'
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

/**
 * Runs `holdfast …` on the pinned Node. Installs nothing: that is what `npm start` is for.
 * @type {(args: string[]) => Promise<void>}
 */
export const runHoldfast = (args) => reportProblem(() => launchProgram(chooseNode(), programFor(args), args))

const SERVER_COMMANDS = ['dev', 'server', 'doctor', 'recover-seal-key', 'create-root-token', 'disable-audit-device']

/**
 * The program that understands these arguments.
 * @type {(args: string[]) => 'server/main.ts' | 'cli/main.ts'}
 */
export const programFor = (args) => {
  const [first = '', second] = args[0] === 'help' ? args.slice(1) : args
  const isServer = SERVER_COMMANDS.includes(first) || (first === 'config' && second === 'check')
  return isServer ? 'server/main.ts' : 'cli/main.ts'
}

/**
 * A problem the user can solve becomes a sentence and exit code 1.
 * @type {(work: () => Promise<void>) => Promise<void>}
 */
const reportProblem = async (work) => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error
    console.error(`\n${error.message}`)
    process.exitCode = 1
  }
}
