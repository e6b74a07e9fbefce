import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Command } from 'commander'
import { LAUNCHER_VARIABLE } from '../../scripts/setup/root.mjs'
import { CliFailure } from '../io.ts'

const serverProgram = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

const commands = [
  ['dev', 'start a server to try things out: certificates, tokens and data are created for you'],
  ['server', 'start a server for production: holdfast server --config holdfast.yaml'],
  ['config', 'check the configuration: holdfast config check --config holdfast.yaml'],
  ['doctor', 'check this machine for problems that would affect a server'],
  ['recover-seal-key', 'restore a lost seal key file with the recovery key'],
  ['disable-audit-device', 'remove an audit device that can no longer write, without asking the server'],
] as const

/** Commands of the server program. It parses its own flags, so they are passed on unchanged. */
export function addServerCommands(program: Command): void {
  for (const [name, description] of commands) {
    program
      .command(name)
      .description(description)
      .argument('[arguments...]')
      .helpOption(false)
      .allowUnknownOption()
      .action(async (words: string[]) => runServer([name, ...words]))
  }
}

async function runServer(args: readonly string[]): Promise<void> {
  const env = { ...process.env, [LAUNCHER_VARIABLE]: String(process.pid) }
  const child = spawn(process.execPath, [serverProgram, ...args], { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals): boolean => child.kill(signal)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new CliFailure('', code ?? 1)
}
