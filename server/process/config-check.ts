import {
  type Config,
  type LoadResult,
  loadConfig,
  type Mode,
  processEnvironment,
  renderEffective,
  renderProblems,
} from '../config/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { readTlsFiles, validityOf, validityProblem } from '../tls-files.ts'
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

/** Looks at the server certificate, and says what is wrong with it. False if a start would end with that. */
function isCertificateUsable({ mode, listeners }: Config): boolean {
  const files = listeners.find(({ tls }) => tls)?.tls
  // Dev mode replaces its own.
  if (!files || mode === 'dev') return true
  try {
    const problem = validityProblem(validityOf(readTlsFiles(files).cert), systemClock.now())
    if (problem) process.stderr.write(`Clients will refuse the server: ${files.certFile} ${problem}.\n`)
    return true
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    process.stderr.write(`${thrown.message}\n`)
    return false
  }
}

/** `holdfast config check`: prints the settings in force, or everything that is wrong with them. */
export function checkConfig(args: readonly string[]): number {
  const { mode, loaded } = examineConfig(args)
  if (!loaded.ok) {
    process.stderr.write(renderProblems(loaded.problems))
    return 1
  }
  if (loaded.ignored.length > 0) process.stderr.write(`No setting, and ignored: ${loaded.ignored.join(', ')}.\n`)
  if (!isCertificateUsable(loaded.config)) return 1
  for (const { text, fix } of configWarnings(loaded.config)) process.stderr.write(`Warning: ${text}. ${fix}\n`)
  process.stdout.write(`The configuration is OK (${mode} mode).\n\n${renderEffective(loaded.effective)}\n`)
  return 0
}
