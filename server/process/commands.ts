import { processEnvironment, renderFlags } from '../config/index.ts'
import { version } from '../version.ts'
import { takeLauncher } from './launcher.ts'
import { serve } from './serve.ts'

/** The commands of this program, for whoever names none of them. */
const usage = `Usage:
  holdfast dev [flags]                       try it out: certificates, tokens and data are created for you
  holdfast server --config holdfast.yaml     run it in production
  holdfast config check [--config FILE]      show the effective settings, or all problems in them
  holdfast doctor [--config FILE]            check this machine for problems that would affect a server
  holdfast recover-seal-key --recovery-key FILE [--config FILE]
                                             restore a lost seal key file
  holdfast create-root-token [--shares FILE] [--config FILE]
                                             make a root token when none is left
  holdfast disable-audit-device PATH [--config FILE]
                                             remove an audit device that can no longer write

Each takes the flags of a server as well: add --help to see them.
`

type CommandHelp = { readonly about: string; readonly words?: string; readonly flags?: string }

const helpByCommand: Readonly<Record<string, CommandHelp>> = {
  'config check': { about: 'Shows the effective settings and the source of each, or all problems in them.' },
  doctor: { about: 'Checks this machine for problems that would affect a server.' },
  'recover-seal-key': {
    about: 'Restores a lost seal key file with the recovery key.',
    words: '--recovery-key <path> ',
    flags: '  --recovery-key <path>\n      File that holds the recovery key.\n',
  },
  'create-root-token': {
    about:
      'Makes a root token when none is left, without asking the server. It takes the root key of the store, as a server\nwould get it, or with a Shamir seal as many key shares as are required.',
    flags:
      '  --shares <path>\n      File with the key shares, one to a line; - for the standard input. Only for a Shamir seal.\n',
  },
  'disable-audit-device': {
    about:
      'Removes the audit device at a path from the store, without asking the server. Use it when no audit device can\nwrite, so that the server refuses every request.',
    words: 'PATH ',
  },
}

const modeFlags = `  --server
      The settings of holdfast server, listed below. Default with a file.
  --dev
      The settings of holdfast dev: some have other defaults. Default without a file.
`

/** What a command does and which flags it takes; undefined for other words. */
function helpFor([command = '', next = '']: readonly string[]): string | undefined {
  const name = command === 'config' ? `config ${next}` : command
  const help = helpByCommand[name]
  if (!help) return undefined
  const { about, words = '', flags = '' } = help
  return `holdfast ${name} ${words}[flags]\n\n${about}\n\n${flags}${modeFlags}${renderFlags('server')}\n`
}

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
