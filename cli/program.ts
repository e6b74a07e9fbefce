import { Command, CommanderError } from 'commander'
import { fullVersion } from '../server/version.ts'
import { equivalentCommand, missingSubject } from './familiar-commands.ts'
import { doubleDashes } from './input/arguments.ts'
import { CliFailure, type Io } from './io.ts'
import type { Noun } from './nouns/noun.ts'
import { withSafeTerminals } from './output/terminal-text.ts'

type Add = (program: Command, io: Io) => void

/** Commands that come together, and are loaded only when one of them is typed. */
type Part = { readonly group: string; readonly words: readonly string[]; readonly load: () => Promise<Add> }

const nounPart = <Name extends string>(name: Name, load: () => Promise<Record<Name, Noun>>): Part => ({
  group: 'What a server keeps:',
  words: [name],
  load: async () => {
    const [{ addNoun }, nouns] = await Promise.all([import('./nouns/verb-command.ts'), load()])
    return (program, io) => addNoun(program, io, nouns[name])
  },
})

const serverWords = [
  'dev',
  'server',
  'runner',
  'config',
  'doctor',
  'recover-seal-key',
  'create-root-token',
  'disable-audit-device',
]

/** All commands, in the order of the help. */
const parts: readonly Part[] = [
  {
    group: 'Servers:',
    words: serverWords,
    load: async () => (await import('./commands/server.ts')).addServerCommands,
  },
  { group: 'Servers:', words: ['operator'], load: async () => (await import('./commands/operator.ts')).addOperator },
  { group: 'Servers:', words: ['status'], load: async () => (await import('./commands/status.ts')).addStatus },
  { group: 'Who you are:', words: ['login'], load: async () => (await import('./commands/login.ts')).addLogin },
  { group: 'Who you are:', words: ['logout'], load: async () => (await import('./commands/logout.ts')).addLogout },
  nounPart('workspace', () => import('./nouns/workspace.ts')),
  nounPart('state', () => import('./nouns/state.ts')),
  nounPart('run', () => import('./nouns/run.ts')),
  nounPart('variable', () => import('./nouns/variable.ts')),
  nounPart('project', () => import('./nouns/project.ts')),
  nounPart('team', () => import('./nouns/team.ts')),
  nounPart('organization', () => import('./nouns/organization.ts')),
  nounPart('user', () => import('./nouns/user.ts')),
  nounPart('kv', () => import('./nouns/kv.ts')),
  nounPart('token', () => import('./nouns/token.ts')),
  nounPart('policy', () => import('./nouns/policy.ts')),
  nounPart('cert', () => import('./nouns/cert.ts')),
  nounPart('approle', () => import('./nouns/approle.ts')),
  nounPart('jwt', () => import('./nouns/jwt.ts')),
  nounPart('node', () => import('./nouns/node.ts')),
  {
    group: 'What a server keeps:',
    words: ['snapshot'],
    load: async () => (await import('./commands/snapshot.ts')).addSnapshot,
  },
  {
    group: 'Any path of the API:',
    words: ['read', 'write', 'patch', 'list', 'delete'],
    load: async () => (await import('./commands/paths.ts')).addPathCommands,
  },
  { group: 'More:', words: ['admin'], load: async () => (await import('./commands/admin.ts')).addAdmin },
  { group: 'More:', words: ['audit'], load: async () => (await import('./commands/audit.ts')).addAudit },
  { group: 'More:', words: ['import'], load: async () => (await import('./commands/import.ts')).addImport },
  { group: 'More:', words: ['completion'], load: async () => (await import('./commands/completion.ts')).addCompletion },
  {
    group: 'More:',
    words: ['names'],
    load: async () => {
      const { addNames } = await import('./commands/names.ts')
      return (program, io) => addNames(program, io, (words) => createProgram(io, words))
    },
  },
]

/** Completion and help are about all commands, and so is a word that none of them is. */
function partsFor(args: readonly string[]): readonly Part[] {
  if (/^(?:version|--?version|-v)$/.test(args[0] ?? '')) return []
  const word = args.find((each) => !each.startsWith('-')) ?? ''
  const found = parts.filter(({ words }) => words.includes(word))
  return word === 'completion' || found.length === 0 ? parts : found
}

/** Runs a command line and returns the exit code. */
export async function runCommandLine(surroundings: Io, args: readonly string[]): Promise<number> {
  const io = withSafeTerminals(surroundings)
  try {
    const program = await createProgram(io, args)
    await program.parseAsync(doubleDashes(args), { from: 'user' })
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
  const isUnknown = code === 'commander.unknownCommand'
  const instead = isUnknown ? equivalentCommand(args) : undefined
  const hint = (isUnknown && missingSubject(args)) || 'Add --help to see what is possible.'
  io.err(instead ? `With holdfast, this is: ${instead}\n` : `${hint}\n`)
  return exitCode
}

const exitCodes = `
Exit codes: 0 it is done, 1 the command line or this machine is wrong, 2 the server says no or has found a problem.`

/** Mistakes on the command line are reported like all others: the program's name, then a sentence. */
const rewordUsageError = (text: string): string =>
  text.replace(
    /^error: (.)(.*?)\.?$/m,
    (_all, first: string, rest: string) => `holdfast: ${first.toUpperCase()}${rest}.`,
  )

/** The program with the commands that a command line may be about. */
export async function createProgram(io: Io, args: readonly string[]): Promise<Command> {
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
    // A verb may have a flag --version of its own.
    .enablePositionalOptions()
    .addHelpText('after', exitCodes)
  for (const { group, load } of partsFor(args)) {
    const add = await load()
    add(program.commandsGroup(group), io)
  }
  program
    .commandsGroup('More:')
    .helpCommand('help [command]', 'display help for command')
    .command('version')
    .description('print the version')
    .action(() => io.out(`${fullVersion()}\n`))
  return program
}
