import { expressionFault } from './hcl-expression.ts'

/** A variable of a job. They come in rising precedence: a later one wins over an earlier one of the same key. */
export type JobVariable = {
  readonly key: string
  readonly value: string
  readonly category: 'terraform' | 'env'
  readonly hcl?: boolean
  readonly sensitive?: boolean
  /** `workspace`, `set:<id>` or `run`; the value of one of a run is always HCL. */
  readonly origin?: string
}

/** A file for `-var-file`, in rising precedence by its name. */
export type VariableFile = { readonly name: string; readonly text: string }

/** Why a job cannot begin: the key is named, and never the value. */
export type InvalidVariable = { readonly invalid: string }

/**
 * One file for each variable that holds HCL, and one for the others. In a common file, a value could add assignments of
 * other variables.
 */
export function variableFiles(variables: readonly JobVariable[]): readonly VariableFile[] | InvalidVariable {
  const latest = new Map<string, JobVariable>()
  for (const variable of variables) {
    if (variable.category !== 'terraform') continue
    if (!/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(variable.key)) {
      return {
        invalid: `The variable '${shown(variable.key)}' has a name that no variable of a configuration can have.`,
      }
    }
    latest.delete(variable.key)
    latest.set(variable.key, variable)
  }
  const files: VariableFile[] = []
  const texts: string[] = []
  for (const variable of latest.values()) {
    if (!isHcl(variable)) {
      texts.push(`${variable.key} = ${quoted(variable.value)}\n`)
      continue
    }
    const fault = expressionFault(variable.value)
    if (fault) return { invalid: `The value of the variable '${variable.key}' is not one HCL expression: ${fault}.` }
    files.push({
      name: `${String(files.length + 1).padStart(4, '0')}.tfvars`,
      text: `${variable.key} = ${variable.value}\n`,
    })
  }
  return [...(texts.length > 0 ? [{ name: '0000.tfvars', text: texts.join('') }] : []), ...files]
}

const isHcl = ({ hcl, origin }: JobVariable): boolean => hcl === true || origin === 'run'

/** A text as HCL writes it within quotes. */
export function quoted(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/[\\"]/g, '\\$&')
    .replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[$%](?=\{)/g, '$&$&')
  return `"${escaped}"`
}

/** Names are of the user; a text shows their beginning, without what a terminal would obey. */
const shown = (name: string): string => name.slice(0, 200).replace(/\p{Cc}/gu, '?')

/** The variables of the environment, and a line for each that is left out. */
export type JobEnvironment = { readonly values: ReadonlyMap<string, string>; readonly left: readonly string[] }

/** What variables of the category `env` add to the environment of a tool. `path` is the PATH to which they may add. */
export function jobEnvironment(
  variables: readonly JobVariable[],
  path: string,
  workRoot: string,
): JobEnvironment | InvalidVariable {
  const values = new Map<string, string>()
  const left: string[] = []
  for (const { key, value, category } of variables) {
    if (category !== 'env') continue
    const fault = environmentFault(key, value, path, workRoot)
    if (fault) left.push(`The environment variable '${shown(key)}' is left out: ${fault}.`)
    else if (value.includes('\0')) return { invalid: `The value of the environment variable '${key}' has a NUL.` }
    else values.set(key, value)
  }
  return { values, left }
}

/** Set by the runner, or kept unset. */
const reserved: ReadonlySet<string> = new Set([
  'TF_WORKSPACE',
  'TF_DATA_DIR',
  'TF_CLI_CONFIG_FILE',
  'TF_PLUGIN_CACHE_DIR',
  'TF_IN_AUTOMATION',
  'TF_INPUT',
  'TF_STATE_PERSIST_INTERVAL',
  'TF_FORCE_LOCAL_BACKEND',
  'TF_REATTACH_PROVIDERS',
  'TFE_RUN_ID',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'HOME',
  'TMPDIR',
])

const reservedBeginnings = /^(?:TFC_|HOLDFAST_)/

function environmentFault(key: string, value: string, path: string, workRoot: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(key)) return 'its name is not letters, digits and underscores'
  if (reserved.has(key) || reservedBeginnings.test(key)) return 'the runner decides about it'
  if (key === 'PATH' && !(value === path || value.endsWith(`:${path}`))) {
    return `it may only put folders in front of ${path}`
  }
  if (key.startsWith('TF_CLI_ARGS')) return argumentsFault(value, workRoot)
  return undefined
}

/** Flags that would move what the runner has to find, or read files of the machine. */
function argumentsFault(value: string, workRoot: string): string | undefined {
  for (const word of value.split(/\s+/)) {
    const [, flag = '', given = ''] = /^["']?--?([a-z-]+)(?:=(.*))?$/.exec(word) ?? []
    if (['state', 'state-out', 'backup', 'out', 'lock', 'chdir', 'json-into'].includes(flag)) {
      return `-${flag} is decided by the runner`
    }
    const file = given.replace(/["']/g, '')
    const isOutside = file.split('/').includes('..') || (file.startsWith('/') && !file.startsWith(`${workRoot}/`))
    if (flag === 'var-file' && (file === '' || isOutside)) return '-var-file names a file outside of the configuration'
  }
  return undefined
}
