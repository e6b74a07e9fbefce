import { readFileSync } from 'node:fs'
import {
  type Config,
  type LoadResult,
  loadConfig,
  type Mode,
  processEnvironment,
  renderEffective,
  renderProblems,
  validityOf,
  validityProblem,
} from '../config/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { configWarnings } from './config-warnings.ts'

/** A configuration somebody asked about, and the mode it is meant for. */
export type ExaminedConfig = { mode: Mode; loaded: LoadResult }

/** Loads a configuration without starting anything. A file or `--server` means server mode, unless `--dev` is given. */
export function examineConfig(args: readonly string[]): ExaminedConfig {
  const environment = processEnvironment()
  const hasServerFlag = args.some((argument) => /^--?(?:config|server)(?:=|$)/.test(argument))
  const isServer = (hasServerFlag || Boolean(environment.HOLDFAST_CONFIG)) && !args.includes('--dev')
  const mode: Mode = isServer ? 'server' : 'dev'
  const flags = args.filter((argument) => argument !== '--dev' && argument !== '--server')
  return { mode, loaded: loadConfig({ mode, args: flags, environment }) }
}

/** Why clients refuse the configured server certificate now, although a start accepts it. Dev mode replaces its own. */
function certificateProblem({ listeners }: Config): string | undefined {
  const files = listeners.find(({ tls }) => tls)?.tls
  if (!files) return undefined
  const problem = validityProblem(validityOf(readFileSync(files.certFile)), systemClock.now())
  return problem && `${files.certFile} ${problem}`
}

/** `holdfast config check`: prints the settings in force, or everything that is wrong with them. */
export function checkConfig(args: readonly string[]): number {
  const { mode, loaded } = examineConfig(args)
  if (!loaded.ok) {
    process.stderr.write(renderProblems(loaded.problems))
    return 1
  }
  if (loaded.ignored.length > 0) process.stderr.write(`No setting, and ignored: ${loaded.ignored.join(', ')}.\n`)
  const outdated = mode === 'server' ? certificateProblem(loaded.config) : undefined
  if (outdated) process.stderr.write(`Clients will refuse the server: ${outdated}.\n`)
  for (const { text, fix } of configWarnings(loaded.config)) process.stderr.write(`Warning: ${text}. ${fix}\n`)
  process.stdout.write(`The configuration is OK (${mode} mode).\n\n${renderEffective(loaded.effective)}\n`)
  return 0
}
