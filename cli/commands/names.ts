import { Argument, Command, type Option } from 'commander'
import { createClient } from '../connection/client.ts'
import { resolveConnection } from '../connection/server-connection.ts'
import { CliFailure, type Io } from '../io.ts'
import { namesOf } from '../nouns/lookup.ts'
import type { Flags, NameKind } from '../nouns/noun.ts'
import { nameKindOf } from '../nouns/verb-command.ts'
import { withClientFlags } from './context.ts'

/** Nobody waits longer for a completion. */
const patienceMs = 2_000

/** Names that every shell takes as one word. */
const isPlainWord = (name: string): boolean => /^[\w.@:+/*-]+$/.test(name)

/**
 * `holdfast names`: what could follow a command line, one name to a line; for the scripts of `holdfast completion`.
 * A server that does not answer has no names: an error would be printed into the line that is being typed.
 */
export function addNames(program: Command, io: Io, commandsFor: (words: readonly string[]) => Promise<Command>): void {
  program
    .command('names', { hidden: true })
    .description('list the names that could follow a command line')
    .argument('[words...]')
    .option('--begun <text>', 'the beginning of the name')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[], { begun }: { begun?: string }) => {
      const kind = kindAfter(await commandsFor(words), words)
      if (kind === undefined) return
      const flags = flagsIn(words)
      const client = createClient({ ...resolveConnection(io, flags), timeoutMs: patienceMs })
      const names = await namesOf({ io, client, flags }, kind, begun).catch((thrown: unknown) => {
        if (thrown instanceof CliFailure) return []
        throw thrown
      })
      for (const name of names.filter(isPlainWord)) io.out(`${name}\n`)
    })
}

/** What the next word of a command line names. */
function kindAfter(program: Command, words: readonly string[]): NameKind | undefined {
  let [command, position] = [program, 0]
  let taking: Option | undefined
  for (const word of words) {
    const below = position === 0 ? command.commands.find((each) => each.name() === word) : undefined
    const option: Option | undefined = command.options.find(({ long }) => long === word)
    if (option) taking = option.required ? option : undefined
    else if (word.startsWith('-')) taking = undefined
    else if (taking) taking = taking.variadic ? taking : undefined
    else if (below) command = below
    else position += 1
  }
  if (taking) return nameKindOf(taking)
  const args = command.registeredArguments
  const last = args.at(-1)
  return nameKindOf(args[position] ?? (last?.variadic ? last : undefined) ?? new Argument('none'))
}

/** The flags of a line that say where names are looked for; the others do not matter. */
function flagsIn(words: readonly string[]): Flags {
  const parser = withClientFlags(new Command())
    .option('--organization <name>')
    .option('--workspace <name>')
    .option('--mount <path>')
    .allowUnknownOption()
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  try {
    return parser.parse([...words], { from: 'user' }).opts()
  } catch {
    // The last option still lacks its value, which is what is asked for.
    return words.length === 0 ? {} : flagsIn(words.slice(0, -1))
  }
}
