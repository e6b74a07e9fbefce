import { Command, CommanderError } from 'commander'
import { fullVersion } from '../server/version.ts'
import { addAdmin } from './commands/admin.ts'
import { addAudit } from './commands/audit.ts'
import { addCompletion } from './commands/completion.ts'
import { addImport } from './commands/import.ts'
import { addLogin } from './commands/login.ts'
import { addLogout } from './commands/logout.ts'
import { addPathCommands } from './commands/paths.ts'
import { addServerCommands } from './commands/server.ts'
import { addSnapshot } from './commands/snapshot.ts'
import { addStatus } from './commands/status.ts'
import { equivalentCommand } from './familiar-commands.ts'
import { doubleDashes } from './input/arguments.ts'
import { CliFailure, type Io } from './io.ts'
import { withSafeTerminals } from './output/terminal-text.ts'

/** Runs a command line and returns the exit code. */
export async function runCommandLine(surroundings: Io, args: readonly string[]): Promise<number> {
  const io = withSafeTerminals(surroundings)
  try {
    await createProgram(io).parseAsync(doubleDashes(args), { from: 'user' })
    return 0
  } catch (thrown) {
    if (thrown instanceof CommanderError) return reportUsageError(io, args, thrown)
    if (!(thrown instanceof CliFailure)) throw thrown
    if (thrown.message !== '') io.err(`holdfast: ${thrown.message}\n`)
    return thrown.exitCode
  }
}

/**
 * Commander has reported what is wrong, or shown help; for commands of related programs, the equivalent is shown.
 */
function reportUsageError(io: Io, args: readonly string[], { code, exitCode }: CommanderError): number {
  if (exitCode === 0 || code === 'commander.help') return exitCode
  const instead = code === 'commander.unknownCommand' ? equivalentCommand(args) : undefined
  io.err(instead ? `With holdfast, this is: ${instead}\n` : 'Add --help to see what is possible.\n')
  return exitCode
}

/** Mistakes on the command line are reported like all others: the program's name, then a sentence. */
const rewordUsageError = (text: string): string =>
  text.replace(
    /^error: (.)(.*?)\.?$/m,
    (_all, first: string, rest: string) => `holdfast: ${first.toUpperCase()}${rest}.`,
  )

function createProgram(io: Io): Command {
  const program = new Command('holdfast')
    .description('The command line of Holdfast: run a server, log in, read and write.')
    .option('-v, --version', 'print the version, the commit and the Node that runs it')
    .on('option:version', () => {
      io.out(`${fullVersion()}\n`)
      throw new CommanderError(0, 'commander.version', '')
    })
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(rewordUsageError(text)),
    })
    .showSuggestionAfterError()
    .exitOverride()
  addServerCommands(program)
  addStatus(program, io)
  addLogin(program, io)
  addLogout(program, io)
  addPathCommands(program, io)
  addAudit(program, io)
  addAdmin(program, io)
  addImport(program, io)
  addSnapshot(program, io)
  addCompletion(program, io)
  program
    .command('version')
    .description('print the version')
    .action(() => io.out(`${fullVersion()}\n`))
  return program
}
