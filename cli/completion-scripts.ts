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
type KnownOption = Described & {
  readonly takesValue: boolean
  /** Words that its value may be, if they are known. */
  readonly values: readonly string[]
}

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

/** The options whose values are known; an option has the same ones in every command. */
const optionsWithValues = (known: readonly KnownCommand[]): KnownOption[] => {
  const all = known.flatMap(({ options }) => options.filter(({ values }) => values.length > 0))
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

function bashScript(known: readonly KnownCommand[]): string {
  const cases = known.map(
    (command) =>
      `    ${quoted(command.path)}) words=${quoted(wordsOf(command).join(' '))} options=${quoted(
        command.options.map(({ name }) => name).join(' '),
      )} ;;`,
  )
  const values = optionsWithValues(known).map(
    (option) => `    ${quoted(option.name)}) words=${quoted(option.values.join(' '))} ;;`,
  )
  return `# Completions of holdfast for bash: source <(holdfast completion bash)
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" at='' words='' options='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${commandPaths(known).join(' | ')}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then words="$options"; fi
  # Bash makes three words of --option=value.
  if [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [[ "$current" == '=' ]]; then current=''; fi
  case "$previous" in
${values.join('\n')}
  esac
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
  const values = optionsWithValues(known).map(
    (option) => `    (${option.name}) compadd ${option.values.join(' ')}; return ;;`,
  )
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
  word="\${words[CURRENT-1]}"
  if [[ "$PREFIX" == --*=* ]]; then
    word="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$word" in
${values.join('\n')}
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

const fishValue = (takesValue: boolean, values: readonly string[]): string =>
  values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r -F' : ''

function fishScript(known: readonly KnownCommand[]): string {
  const lines = known.flatMap(({ path, commands, options, choices, takesFiles }) => {
    const start = `complete -c holdfast -n "__holdfast_at ${quoted(path)}"`
    return [
      ...(takesFiles ? [] : [`${start} -f`]),
      ...commands.map(({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`),
      ...choices.map((name) => `${start} -a ${name}`),
      ...options.map(
        ({ name, description, takesValue, values }) =>
          `${start} -l ${name.replace(/^--/, '')}${fishValue(takesValue, values)} -d ${quoted(description)}`,
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
