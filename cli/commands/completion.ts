import { Argument, type Command } from 'commander'
import { completionScript, type KnownCommand, type Shell } from '../completion-scripts.ts'
import type { Io } from '../io.ts'
import { nameKindOf } from '../nouns/verb-command.ts'

/** `holdfast completion`: a script for a shell, generated from the commands that the help shows. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('print a shell completion script: source <(holdfast completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: Shell) => io.out(completionScript(shell, collectCommands(program, ''))))
}

/** A command and all below it, as the help lists them. */
function collectCommands(command: Command, path: string, topics: readonly string[] = []): KnownCommand[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const known: KnownCommand = {
    path,
    commands: below.map((each) => ({ name: each.name(), description: each.description() })),
    options: help.visibleOptions(command).flatMap((option) => {
      const { long, description, required, optional, argChoices } = option
      const hasNames = nameKindOf(option) !== undefined
      return long
        ? [{ name: long, description, takesValue: required || optional, values: argChoices ?? [], hasNames }]
        : []
    }),
    choices: command.name() === 'help' ? topics : (command.registeredArguments[0]?.argChoices ?? []),
    hasNames: command.registeredArguments.some((argument) => nameKindOf(argument) !== undefined),
    takesFiles: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  }
  // These are also the topics of `help`, which is one of them.
  const names = below.map((each) => each.name()).filter((name) => name !== 'help')
  return [known, ...below.flatMap((each) => collectCommands(each, `${path} ${each.name()}`, names))]
}
