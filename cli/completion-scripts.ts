/** A command as its help shows it. */
export type KnownCommand = {
  /** The words that lead to it, each after a space; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Described[]
  readonly options: readonly KnownOption[]
  /** Words that its first argument may be. */
  readonly choices: readonly string[]
  /** True when an argument may be a file. */
  readonly takesFiles: boolean
}

type Described = { readonly name: string; readonly description: string }
type KnownOption = Described & { readonly takesValue: boolean }

/** Shells that a script can be generated for. */
export type Shell = 'bash' | 'zsh' | 'fish'

/** A completion script for these commands. */
export const completionScript = (shell: Shell, known: readonly KnownCommand[]): string => scripts[shell](known)

/** In quotes that bash, zsh and fish read alike, as long as they contain no backslash. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '’')}'`

const wordsOf = ({ commands, choices }: KnownCommand): string[] => [...commands.map(({ name }) => name), ...choices]

/** All paths from one command to another. */
const commandPaths = (known: readonly KnownCommand[]): string[] =>
  known.filter(({ path }) => path !== '').map(({ path }) => quoted(path))

function bashScript(known: readonly KnownCommand[]): string {
  const cases = known.map(
    (command) =>
      `    ${quoted(command.path)}) words=${quoted(wordsOf(command).join(' '))} options=${quoted(
        command.options.map(({ name }) => name).join(' '),
      )} ;;`,
  )
  return `# Completions of holdfast for bash: source <(holdfast completion bash)
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' words='' options='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${commandPaths(known).join(' | ')}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then words="$options"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _holdfast holdfast
`
}

/** A colon separates a word from its description. */
const zshList = (all: readonly Described[]): string =>
  all.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')

function zshScript(known: readonly KnownCommand[]): string {
  const cases = known.map(({ path, commands, options, choices }) => {
    const words = [...commands, ...choices.map((name) => ({ name, description: name }))]
    return `    (${quoted(path)}) known=(${zshList(words)}); options=(${zshList(options)}) ;;`
  })
  return `#compdef holdfast
# Completions of holdfast for zsh: source <(holdfast completion zsh), or a file _holdfast in a folder of $fpath
_holdfast() {
  local at='' word
  local -a known options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${commandPaths(known).join(' | ')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option options
  elif (( \${#known} )); then
    _describe command known
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _holdfast ]; then
  _holdfast "$@"
else
  compdef _holdfast holdfast
fi
`
}

function fishScript(known: readonly KnownCommand[]): string {
  const lines = known.flatMap(({ path, commands, options, choices, takesFiles }) => {
    const start = `complete -c holdfast -n "__holdfast_at ${quoted(path)}"`
    return [
      ...(takesFiles ? [] : [`${start} -f`]),
      ...commands.map(({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`),
      ...choices.map((name) => `${start} -a ${name}`),
      ...options.map(
        ({ name, description, takesValue }) =>
          `${start} -l ${name.replace(/^--/, '')}${takesValue ? ' -r -F' : ''} -d ${quoted(description)}`,
      ),
    ]
  })
  return `# Completions of holdfast for fish: holdfast completion fish | source
function __holdfast_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${commandPaths(known).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}

const scripts: Readonly<Record<Shell, (known: readonly KnownCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
