import { loadConfig, type Mode, processEnvironment, renderEffective, renderProblems } from '../config/index.ts'

/** A file given means server mode unless `--dev` says otherwise; without one, what `holdfast dev` would use is shown. */
export function checkConfig(args: readonly string[]): number {
  const mode: Mode = args.includes('--dev') || !asksForServer(args) ? 'dev' : 'server'
  const flags = args.filter((argument) => argument !== '--dev' && argument !== '--server')
  const loaded = loadConfig({ mode, args: flags, environment: processEnvironment() })
  if (!loaded.ok) {
    process.stderr.write(renderProblems(loaded.problems))
    return 2
  }
  process.stdout.write(`The configuration is OK (${mode} mode).\n\n${renderEffective(loaded.effective)}\n`)
  return 0
}

const asksForServer = (args: readonly string[]): boolean =>
  processEnvironment().HOLDFAST_CONFIG !== undefined ||
  args.some((argument) => /^--(?:config|server)(?:=|$)/.test(argument))
