/** A command as its help shows it. */
export type KnownCommand = {
  /** The words that lead to it, each after a space; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Described[]
  readonly options: readonly KnownOption[]
  /** Words that its first argument may be. */
  readonly choices: readonly string[]
  /** True when a server knows the names of what an argument is about. */
  readonly hasNames: boolean
  /** True when an argument may be a file. */
  readonly takesFiles: boolean
}

type Described = { readonly name: string; readonly description: string }
type KnownOption = Described & {
  readonly takesValue: boolean
  /** Words that its value may be, if they are known. */
  readonly values: readonly string[]
  /** True when a server knows its values. */
  readonly hasNames: boolean
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

const optionsWithNames = (known: readonly KnownCommand[]): string[] => [
  ...new Set(known.flatMap(({ options }) => options.filter(({ hasNames }) => hasNames).map(({ name }) => name))),
]

function bashScript(known: readonly KnownCommand[]): string {
  const cases = known.map(
    (command) =>
      `    ${quoted(command.path)}) words=${quoted(wordsOf(command).join(' '))} options=${quoted(
        command.options.map(({ name }) => name).join(' '),
      )}${command.hasNames ? ' names=1' : ''} ;;`,
  )
  const values = optionsWithValues(known).map(
    (option) => `    ${quoted(option.name)}) words=${quoted(option.values.join(' '))} ;;`,
  )
  return `# Completions of holdfast for bash: source <(holdfast completion bash)
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" at='' words='' options='' names='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${commandPaths(known).join(' | ')}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then words="$options" names=''; fi
  # Bash makes three words of --option=value.
  if [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [[ "$current" == '=' ]]; then current=''; fi
  case "$previous" in
${values.join('\n')}
    ${optionsWithNames(known).map(quoted).join(' | ')}) words='' names=1 ;;
  esac
  if [[ "$names" ]]; then words+=" $("\${COMP_WORDS[0]}" names --begun "$current" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _holdfast holdfast
`
}

/** A colon separates a word from its description. */
const zshList = (all: readonly Described[]): string =>
  all.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')

function zshScript(known: readonly KnownCommand[]): string {
  const cases = known.map(({ path, commands, options, choices, hasNames }) => {
    const words = [...commands, ...choices.map((name) => ({ name, description: name }))]
    return `    (${quoted(path)}) known=(${zshList(words)}); options=(${zshList(options)})${hasNames ? '; names=1' : ''} ;;`
  })
  const values = optionsWithValues(known).map(
    (option) => `    (${option.name}) compadd -- ${option.values.join(' ')}; return ;;`,
  )
  return `#compdef holdfast
# Completions of holdfast for zsh: source <(holdfast completion zsh), or a file _holdfast in a folder of $fpath
_holdfast() {
  local at='' names='' word
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
    (${optionsWithNames(known).join('|')}) names=1; known=() ;;
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option options
  elif [[ -n "$names" ]]; then
    compadd -- \${(f)"$("\${words[1]}" names --begun "$PREFIX" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}
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

const fishNames = `(holdfast names --begun=(commandline -ct) -- (commandline -opc)[2..-1] 2>/dev/null)`

const fishValue = ({ takesValue, values, hasNames }: KnownOption): string =>
  hasNames
    ? ` -x -a ${quoted(fishNames)}`
    : values.length > 0
      ? ` -x -a ${quoted(values.join(' '))}`
      : takesValue
        ? ' -r -F'
        : ''

function fishScript(known: readonly KnownCommand[]): string {
  const lines = known.flatMap(({ path, commands, options, choices, takesFiles, hasNames }) => {
    const start = `complete -c holdfast -n "__holdfast_at ${quoted(path)}"`
    return [
      ...(takesFiles ? [] : [`${start} -f`]),
      ...commands.map(({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`),
      ...choices.map((name) => `${start} -a ${name}`),
      ...(hasNames ? [`${start} -a ${quoted(fishNames)}`] : []),
      ...options.map(
        (option) =>
          `${start} -l ${option.name.replace(/^--/, '')}${fishValue(option)} -d ${quoted(option.description)}`,
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
