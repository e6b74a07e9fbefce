import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { RunnerFailure } from './runner.ts'
import { properties } from './sandbox/sandbox.ts'
import { passedOnFrom, type RunnerSettings, runnerDefaults } from './settings.ts'

type Option = { readonly value: string; readonly about: string }

/** Every flag; each is a variable of the environment as well: `--data-dir` is `HOLDFAST_RUNNER_DATA_DIR`. */
const options: Readonly<Record<string, Option>> = {
  address: { value: 'URL', about: 'The server: https://holdfast.example:8200.' },
  'token-file': { value: 'FILE', about: 'File with a token of an agent pool; - for the standard input.' },
  'ca-file': { value: 'FILE', about: 'PEM file with the authority of the server, if the machine does not trust it.' },
  name: { value: 'NAME', about: 'How people know this runner; the name of the machine by default.' },
  'data-dir': { value: 'FOLDER', about: 'Folder for its notes and work; /var/lib/holdfast-runner by default.' },
  layer: { value: 'LAYER', about: 'process, namespace, or auto (default): namespace if it works here, else process.' },
  require: { value: 'LIST', about: `What must be in force, else nothing is started: ${properties.join(', ')}.` },
  tools: { value: 'SOURCE', about: 'catalogue (default): what the server names, by digest; path: what is on PATH.' },
  'max-jobs': { value: 'N', about: 'Jobs at once; by default 1 with process, and up to 4 with namespace.' },
  label: { value: 'KEY=VALUE,…', about: 'Labels that workspaces can ask for.' },
  'memory-limit': { value: 'MIB', about: 'Memory of a job; 4096 by default.' },
  'disk-limit': { value: 'MIB', about: 'Disk of a job; 4096 by default.' },
  'log-limit': { value: 'MIB', about: 'Log of a phase; what comes later is dropped. 64 by default.' },
  'state-interval': { value: 'SECONDS', about: 'How often the state of an apply is saved; 10 by default.' },
  drain: { value: 'SECONDS', about: 'How long jobs may go on after SIGTERM; 600 by default.' },
  'provider-mirror': { value: 'FOLDER,…', about: 'Folders with providers, asked before the registry.' },
  'allow-metadata': { value: 'on|off', about: 'Whether jobs reach addresses of the link, such as those of clouds.' },
}

/** The text of `--help`. */
export const helpText = (): string =>
  [
    'holdfast runner [flags]',
    '',
    'Plans and applies runs for a Holdfast server. Each flag is a variable, too: HOLDFAST_RUNNER_DATA_DIR.',
    '',
    ...Object.entries(options).map(([name, { value, about }]) => `  ${`--${name}=${value}`.padEnd(30)} ${about}`),
    '',
  ].join('\n')

/** What was asked for; a `RunnerFailure` says what is wrong with it. */
export function readOptions(args: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
  const given = parse(args)
  const wanted = (name: string): string | undefined => {
    const variable = `HOLDFAST_RUNNER_${name.toUpperCase().replaceAll('-', '_')}`
    const value = given[name] ?? environment[variable]
    return value === '' ? undefined : value
  }
  const caFile = wanted('ca-file')
  const settings: RunnerSettings = {
    address: addressOf(wanted('address')),
    ca: caFile === undefined ? undefined : textIn(caFile),
    name: wanted('name') ?? hostname(),
    dataFolder: resolve(wanted('data-dir') ?? '/var/lib/holdfast-runner'),
    layer: oneOf('layer', wanted('layer') ?? runnerDefaults.layer, ['auto', 'process', 'namespace']),
    require: listOf(wanted('require')).map((each) => oneOf('require', each, properties)),
    tools: oneOf('tools', wanted('tools') ?? runnerDefaults.tools, ['path', 'catalogue']),
    path: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    maxJobs: wanted('max-jobs') === undefined ? undefined : numberOf('max-jobs', wanted('max-jobs'), 1, 1),
    labels: labelsOf(wanted('label')),
    allowsMetadata: oneOf('allow-metadata', wanted('allow-metadata') ?? 'off', ['on', 'off']) === 'on',
    memoryBytes: numberOf('memory-limit', wanted('memory-limit'), 1024 ** 2, runnerDefaults.memoryBytes),
    diskBytes: numberOf('disk-limit', wanted('disk-limit'), 1024 ** 2, runnerDefaults.diskBytes),
    logBytes: numberOf('log-limit', wanted('log-limit'), 1024 ** 2, runnerDefaults.logBytes),
    stateIntervalMs: numberOf('state-interval', wanted('state-interval'), 1_000, runnerDefaults.stateIntervalMs),
    drainMs: numberOf('drain', wanted('drain'), 1_000, runnerDefaults.drainMs),
    providerMirrors: listOf(wanted('provider-mirror')).map((folder) => resolve(folder)),
    passedOn: passedOnFrom(environment),
  }
  return { settings, tokenFile: wanted('token-file') }
}

function parse(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const known = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options: known, strict: true }).values
  } catch (error) {
    throw new RunnerFailure(`${(error as Error).message.split('. ')[0]}. Add --help to see what is possible.`)
  }
}

function addressOf(text: string | undefined): URL {
  if (text === undefined) throw new RunnerFailure('Name the server: --address=https://holdfast.example:8200.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new RunnerFailure(`'${text}' is no address of a server. One is https://holdfast.example:8200.`)
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

function oneOf<Value extends string>(name: string, value: string, known: readonly Value[]): Value {
  const found = known.find((each) => each === value)
  if (found !== undefined) return found
  throw new RunnerFailure(`--${name} is '${value}', and must be one of ${known.join(', ')}.`)
}

function numberOf(name: string, text: string | undefined, unit: number, standard: number): number {
  if (text === undefined) return standard
  const number = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && number > 0) return Math.round(number * unit)
  throw new RunnerFailure(`--${name} is '${text}', and must be a number above 0.`)
}

function labelsOf(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    listOf(text).map((label) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(label) ?? []
      if (key === '') throw new RunnerFailure(`The label '${label}' is not KEY=VALUE.`)
      return [key, value]
    }),
  )
}

/** The text of a file that was named. */
export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RunnerFailure(`${file} cannot be read: ${(error as Error).message}.`)
  }
}
