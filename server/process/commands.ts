import { processEnvironment } from '../config/index.ts'
import { version } from '../version.ts'
import { helpFor, usage } from './command-help.ts'
import { takeLauncher } from './launcher.ts'
import { serve } from './serve.ts'

/**
 * Runs a command and returns the exit code: 0, or 1 when it failed or was called wrongly. Only a server with a wrong
 * configuration, and words that are no command, end with 2, so that a service manager does not start them again.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  // The reader of our output may have gone (`| head`), or the disk may be full: neither may end a server or a check.
  process.stdout.on('error', ignoreError)
  process.stderr.on('error', ignoreError)
  const launcher = takeLauncher(processEnvironment())
  const [command = '', ...rest] = args
  if (command === 'dev' || command === 'server') return serve(command, rest, launcher)
  if (command === 'help' && rest.length > 0) return runCommand([...rest, '--help'])
  if (rest.some((word) => word === '--help' || word === '-h')) return print(helpFor(args) ?? usage)
  if (command === 'config' && rest[0] === 'check') return (await import('./config-check.ts')).checkConfig(rest.slice(1))
  if (command === 'recover-seal-key') return (await import('./recover-seal-key.ts')).runRecovery(rest)
  if (command === 'create-root-token') return (await import('./create-root-token.ts')).runRootToken(rest)
  if (command === 'disable-audit-device') return (await import('./disable-audit-device.ts')).runDisabling(rest)
  if (command === 'doctor') return (await import('./doctor/doctor.ts')).runDoctor(rest)
  if (['version', '--version', '-v'].includes(command)) return print(`holdfast ${version}\n`)
  if (['help', '--help', '-h'].includes(command)) return print(usage)
  process.stderr.write(`${command === '' ? '' : `holdfast: there is no command '${args.join(' ')}'.\n\n`}${usage}`)
  return 2
}

const ignoreError = (): void => undefined

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
