import { clientVariables } from '../compat/client-environment.ts'
import { onOff } from './kinds.ts'
import type { Problem, SourceReading, WrittenValue } from './problem.ts'
import type { NamedSetting } from './setting.ts'
import { suggestion } from './suggestion.ts'

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Variables of the same prefix that are not settings of the server. */
const nonSettingVariables: readonly string[] = ['HOLDFAST_CONFIG', ...Object.values(clientVariables).flat()]

/** Variables that clusters set in every process beside a service called `holdfast`. */
const clusterVariable = /_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_[A-Z]+(?:_(?:ADDR|PORT|PROTO))?)?)$/

/** What the environment gave, and the variables that name no setting. */
type EnvironmentReading = SourceReading & { readonly ignored: readonly string[] }

/** Reads the settings from `HOLDFAST_*` variables. An empty variable counts as not set. */
export function readEnvironment(known: readonly NamedSetting[], environment: Environment): EnvironmentReading {
  const names = known.flatMap(({ variable }) => variable ?? [])
  const written: WrittenValue[] = []
  for (const { key, variable } of known) {
    const raw = variable === undefined ? undefined : environment[variable]
    if (variable !== undefined && raw !== undefined && raw !== '') written.push({ key, raw, where: variable })
  }
  const strangers = Object.keys(environment).filter(
    (name) => name.startsWith('HOLDFAST_') && !names.includes(name) && !nonSettingVariables.includes(name),
  )
  const problems = strangers.flatMap((name) => spellingProblems(name, names))
  const refused = problems.map(({ where }) => where)
  const isForOthers = (name: string): boolean => refused.includes(name) || clusterVariable.test(name)
  return { written, problems, ignored: strangers.filter((name) => !isForOthers(name)).sort() }
}

/** Only a near miss is a problem: other programs set variables, too. The rest is reported and ignored. */
function spellingProblems(name: string, names: readonly string[]): Problem[] {
  const meant = suggestion(name, names)
  if (meant === undefined) return []
  return [{ where: name, text: 'there is no such setting', fix: `Did you mean ${meant}?` }]
}

/** What the command line contained: settings, and the file with more of them. */
type FlagReading = SourceReading & { configFile?: string }

/** Reads the settings from `--flag value` and `--flag=value`; a switch may stand alone. */
export function readFlags(known: readonly NamedSetting[], args: readonly string[]): FlagReading {
  const written: WrittenValue[] = []
  const problems: Problem[] = []
  let configFile: string | undefined
  for (let at = 0; at < args.length; at++) {
    const { name, value } = splitFlag(args[at] ?? '')
    const found = known.find(({ flag }) => flag === name)
    if (!found && name !== '--config') {
      problems.push(unknownArgumentProblem(name, known))
      continue
    }
    const next = args[at + 1]
    const takesNext = value === undefined && next !== undefined && !next.startsWith('-')
    if (takesNext) at++
    const raw = value ?? (takesNext ? next : valueWhenAlone(found))
    if (raw === undefined) problems.push({ where: name, text: 'the flag has no value', fix: `Write ${name}=VALUE.` })
    else if (found) written.push({ key: found.key, raw, where: name })
    else configFile = raw
  }
  return { written, problems, ...(configFile !== undefined && { configFile }) }
}

/** A switch that stands alone is on; any other flag needs a value. */
const valueWhenAlone = (named: NamedSetting | undefined): string | undefined =>
  named?.setting.kind === onOff ? 'on' : undefined

/** Takes a flag apart. A single dash before a long name is allowed: users of this family of tools are used to it. */
function splitFlag(argument: string): { name: string; value?: string } {
  const long = /^-[a-z][a-z-]+(?:=|$)/.test(argument) ? `-${argument}` : argument
  const equals = long.indexOf('=')
  if (!long.startsWith('--') || equals < 0) return { name: long }
  return { name: long.slice(0, equals), value: long.slice(equals + 1) }
}

function unknownArgumentProblem(name: string, known: readonly NamedSetting[]): Problem {
  const meant = suggestion(name, ['--config', '--help', ...known.flatMap(({ flag }) => flag ?? [])])
  return {
    where: name,
    text: name.startsWith('-') ? 'there is no such flag' : 'the argument is not understood',
    fix: meant === undefined ? 'See --help for the flags.' : `Did you mean ${meant}?`,
  }
}
