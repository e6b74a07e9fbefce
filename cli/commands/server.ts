import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import type { Command } from 'commander'
import { LAUNCHER_VARIABLE } from '../../scripts/setup/root.mjs'
import { CliFailure } from '../io.ts'

const programOf = (folder: 'server' | 'runner'): string =>
  join(import.meta.dirname, '..', '..', folder, `main${extname(import.meta.filename)}`)

/** Commands of the server program. It parses its own flags, so all arguments are passed on unchanged. */
export function addServerCommands(program: Command): void {
  const add = (group: Command, name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .argument('[arguments...]')
      .helpOption(false)
      .allowUnknownOption()
      .option('--config <file>', 'YAML file with settings; every setting is a flag as well')
      .action(async () => runProgram('server', argumentsOf(program)))
  add(program, 'dev', 'start a server to try things out: certificates, tokens and data are created for you')
  add(program, 'server', 'start a server for production: holdfast server --config holdfast.yaml')
  program
    .command('runner')
    .description('plan and apply runs for a server: holdfast runner --address https://… --token-file FILE')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async () => runProgram('runner', argumentsOf(program)))
  const config = program.command('config').description('check the configuration')
  withMode(add(config, 'check', 'show the effective settings, or all problems in them'))
  withMode(add(program, 'doctor', 'check this machine for problems that would affect a server'))
  withMode(add(program, 'recover-seal-key', 'restore a lost seal key file with the recovery key')).option(
    '--recovery-key <file>',
    'file that holds the recovery key',
  )
  withMode(add(program, 'create-root-token', 'make a root token when none is left')).option(
    '--shares <file>',
    'file with the key shares, one to a line, for a Shamir seal; - for the standard input',
  )
  withMode(
    add(
      program,
      'disable-audit-device',
      'remove an audit device that can no longer write, without asking the server: give its path',
    ),
  )
}

const withMode = (command: Command): Command =>
  command
    .option('--server', 'the settings of holdfast server; the default with a file')
    .option('--dev', 'the settings of holdfast dev; the default without a file')

/** What was typed, as it was typed: the flags known here are there for help and completion. */
const argumentsOf = (program: Command & { rawArgs?: readonly string[] }): readonly string[] => program.rawArgs ?? []

async function runProgram(folder: 'server' | 'runner', args: readonly string[]): Promise<void> {
  const env = { ...process.env, [LAUNCHER_VARIABLE]: String(process.pid) }
  const child = spawn(process.execPath, [programOf(folder), ...args], { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals): boolean => child.kill(signal)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new CliFailure('', code ?? 1)
}
