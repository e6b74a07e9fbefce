import { type Command, CommanderError } from 'commander'
import type { Io } from '../../cli/io.ts'
import { exampleOf } from '../../cli/nouns/verb-command.ts'
import { createProgram } from '../../cli/program.ts'
import type { Generated } from './generator.ts'

const silent: Io = {
  out: () => undefined,
  err: () => undefined,
  environment: {},
  directory: '',
  home: '',
  readInput: async () => '',
  isTerminal: false,
  isOutputTerminal: false,
}

const introduction = `# Commands

<!-- Made from cli/ by \`npm run gen\`; changes belong there. -->

Every command has the form \`holdfast <noun> <verb>\`. The usual verbs are \`list\`, \`show\`, \`create\`, \`update\` and
\`delete\`; some nouns have verbs of their own. \`--help\` after any of them shows its flags and an example.

A command finds its server by \`--address\`, by \`HOLDFAST_ADDR\`, or by the dev server whose data is in this directory.
It calls with \`--token\`, with \`HOLDFAST_TOKEN\`, or with the token of the last \`holdfast login\`. The organization is
that of \`--organization\` or \`HOLDFAST_ORGANIZATION\`. If you belong to only one, you need not name it.

Things are named by their names or by their ids: \`app-prod\` and \`ws-cdn6f7VWUzi2MR6z\` are the same workspace.

## Values

- \`--description "the shop"\` sets a field. \`--auto-apply\` sets a switch, and \`--no-auto-apply\` unsets it.
- \`--value @file\` reads a value from a file, and \`--value -\` from standard input. A terminal does not show what you type.
- Lists are separated by commas: \`--token-policies web,db\`. Flags that may be repeated take commas too.
- Fields can also follow as words, as in \`holdfast write\`: \`contact=ops\`, \`auto-destroy-at:=null\`, \`@settings.json\`.
- Other users of a machine may see what a command line says, as may the history of the shell. A secret belongs in a file
  or in standard input: \`kv put secret/app password=-\` asks for it.

## Output

Tables fit the terminal: the widest columns are cut. Files and pipes get all of it. \`--json\` and \`--format yaml\` print
every field; \`HOLDFAST_FORMAT\` sets the format for all commands. \`--field name\` prints one value and nothing else.

Lists show one page. \`--all\` shows every page, and \`--limit\` and \`--page\` choose one.

Results go to standard output; warnings, hints and errors go to standard error.

| Exit code | Meaning |
|---|---|
| 0 | it is done |
| 1 | the command line or this machine is wrong, or no server answers; nothing was asked of a server, or nothing came back |
| 2 | the server refused, or the command found what it was asked to find, such as a snapshot that does not restore |
| 130 | you stopped it while it asked for a secret |

## Questions

A command that deletes, revokes or takes something away says what will happen, and goes on if you type \`yes\`. Where no
terminal can answer, it does nothing unless \`--yes\` is given.

## Completion

\`source <(holdfast completion bash)\` completes commands, flags and the names that the server knows: \`workspace show\`
and the tab key list the workspaces. \`zsh\` and \`fish\` have scripts too. A server that does not answer within two seconds
is not waited for.

## Nouns
`

const others = `## Any path

\`read\`, \`write\`, \`patch\`, \`list\` and \`delete\` take any path of the API, for what has no noun. Paths are below \`/v1\`
unless they begin with \`api/\`.

\`\`\`sh
holdfast read sys/auth
holdfast write sys/auth/edge type=cert
holdfast patch api/v2/organizations/acme default-execution-mode=local
\`\`\`

\`holdfast --help\` lists the other commands: servers, login, audit logs, imports.
`

/** The page about the command line, from its commands. */
export async function generateCommandsPage(): Promise<Generated> {
  const program = await createProgram(silent, ['completion']).catch((thrown: unknown) => {
    throw thrown instanceof CommanderError ? new Error(thrown.message) : thrown
  })
  const nouns = program.commands.filter((command) =>
    verbsBelow(command, '').some(({ example }) => example !== undefined),
  )
  return { 'docs/commands.md': `${introduction}\n${nouns.map(nounText).join('\n')}\n${others}` }
}

type VerbLine = { readonly command: Command; readonly path: string; readonly example: string | undefined }

const verbsBelow = (command: Command, before: string): VerbLine[] => {
  const path = `${before}${command.name()}`
  if (command.commands.length === 0) return [{ command, path, example: exampleOf(command) }]
  return command.commands.flatMap((below) => verbsBelow(below, `${path} `))
}

/** A noun with a line for each verb, and their examples. */
function nounText(noun: Command): string {
  const verbs = verbsBelow(noun, '')
  const lines = verbs.map(
    ({ command, path }) =>
      `| \`${[path, ...wordsOf(command)].join(' ')}\` | ${command.description()} | ${flagsOf(command)} |`,
  )
  const examples = verbs.flatMap(({ example }) => (example === undefined ? [] : [`holdfast ${example}`]))
  return `### ${noun.name()}

${noun.description().replace(/^./, (first) => first.toUpperCase())}.

| Command | Does | Flags |
|---|---|---|
${lines.join('\n')}

\`\`\`sh
${examples.join('\n')}
\`\`\`
`
}

const wordsOf = (command: Command): string[] =>
  command.registeredArguments
    .filter((argument) => argument.name() !== 'fields')
    .map(
      (argument) =>
        `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`,
    )

/** Flags of every command, and those that set fields, are left out. */
const common: ReadonlySet<string> = new Set([
  '--organization',
  '--field',
  '--yes',
  '--all',
  '--page',
  '--limit',
  '--mount',
])

function flagsOf(command: Command): string {
  const own = command.options.filter(
    ({ long, hidden, helpGroupHeading }) => !hidden && helpGroupHeading === undefined && !common.has(long ?? ''),
  )
  const hasFields = command.options.some(({ helpGroupHeading }) => helpGroupHeading === 'Fields:')
  const shown = own.filter(({ long }) => !connectionFlags.has(long ?? '')).map(({ long }) => `\`${long}\``)
  return [...shown, ...(hasFields ? ['its fields'] : [])].join(', ')
}

const connectionFlags: ReadonlySet<string> = new Set([
  ...['--address', '--token', '--ca-cert', '--client-cert', '--client-key', '--tls-skip-verify', '--format', '--json'],
])
