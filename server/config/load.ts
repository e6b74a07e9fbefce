import { totalmem } from 'node:os'
import { type Config, deriveConfig, type FurtherListener, type SettingValues, usableMemory } from './config.ts'
import { findContradictions, type WhereOf } from './config-rules.ts'
import { bytes } from './kinds.ts'
import { defaultText, type Mode, type NamedSetting, namedSettings } from './setting.ts'
import { listenerSettings, settings } from './settings.ts'
import {
  type Environment,
  type Problem,
  readEnvironment,
  readFileSource,
  readFlags,
  type WrittenValue,
} from './sources.ts'

/** What a configuration is made from. */
export type ConfigInput = {
  mode: Mode
  args?: readonly string[]
  environment?: Environment
  /** Bytes of memory that the server may use; that of this machine or container if it is not given. */
  memory?: number
}

/** One setting with the value in force, for people. */
export type EffectiveSetting = { key: string; shown: string; where: string }

/** The configuration and the variables that name no setting, or everything that is wrong with it. */
export type LoadResult =
  | {
      ok: true
      config: Config
      effective: readonly EffectiveSetting[]
      ignored: readonly string[]
      fileText: string | undefined
    }
  | { ok: false; problems: readonly Problem[] }

const known = namedSettings(settings)
const knownOfListener = namedSettings(listenerSettings)

/** Reads file, environment and flags, in rising order of weight, and reports all problems at once. */
export function loadConfig(input: ConfigInput): LoadResult {
  const { mode, args = [], environment = {}, memory = machineMemory() } = input
  const flags = readFlags(known, args)
  const configFile = flags.configFile ?? (environment.HOLDFAST_CONFIG || undefined)
  const file = configFile === undefined ? noFile : readFileSource(configFile)
  const variables = readEnvironment(known, environment)
  const written = [...file.written, ...variables.written, ...flags.written]
  const whereOf: WhereOf = (key) =>
    written.findLast((value) => value.key === key || value.key.startsWith(`${key}.`))?.where ?? `${key} (default)`

  const own = readSettings(known, written, { mode })
  const listeners = readListeners(written, mode)
  const problems = [...file.problems, ...flags.problems, ...unknownKeys(written), ...own.problems]
  problems.push(...listeners.flatMap((listener) => listener.problems))
  const further = listeners.map(({ key, values }) => ({ key, values: values as FurtherListener['values'] }))
  const given = { mode, configFile, values: own.values as SettingValues, further, memory }
  // An unreadable file makes every setting look absent, so nothing is concluded from absent ones.
  if (file.problems.length === 0) problems.push(...findContradictions(given, whereOf))
  if (problems.length > 0) return { ok: false, problems }
  const config = deriveConfig(given)
  const effective = [
    ...own.effective.map((each) => showDerived(each, config)),
    ...listeners.flatMap((l) => l.effective),
  ]
  return { ok: true, config, effective, ignored: variables.ignored, fileText: file.text }
}

const machineMemory = (): number => usableMemory({ constrained: process.constrainedMemory(), total: totalmem() })

/** What follows from the machine is shown as it is here; its rule stands in the documentation. */
const showDerived = (each: EffectiveSetting, { limits }: Config): EffectiveSetting =>
  each.key === 'limits.buffered_bytes' ? { ...each, shown: bytes.show(limits.bufferedBytes) } : each

const noFile = { written: [], problems: [], text: undefined }

type Scope = { mode: Mode; prefix?: string }
type SettingsReading = { values: Record<string, unknown>; problems: Problem[]; effective: EffectiveSetting[] }

/** Reads one table of settings. A value that another source overrides is checked all the same. */
function readSettings(table: readonly NamedSetting[], written: readonly WrittenValue[], scope: Scope): SettingsReading {
  const reading: SettingsReading = { values: {}, problems: [], effective: [] }
  for (const named of table) {
    const { setting } = named
    const key = `${scope.prefix ?? ''}${named.key}`
    const fallback = defaultText(setting, scope.mode)
    const sources = written.filter((value) => value.key === key)
    if (fallback !== undefined) sources.unshift({ key, raw: fallback, where: 'default' })
    let value: unknown
    for (const { raw, where } of sources) {
      const misplaced = where === 'default' ? undefined : placementFault(named, where, scope.mode)
      const result = setting.kind.read(raw)
      if (misplaced) reading.problems.push({ where, ...misplaced })
      else if (result.ok) value = result.value
      else reading.problems.push({ where, text: `${named.key}: ${result.text}`, fix: result.fix })
    }
    setAt(reading.values, named.place, value)
    const unset = (setting.otherwise ?? 'not set').replaceAll('`', '')
    const shown = value === undefined ? unset : setting.kind.show(value)
    if ((setting.onlyMode ?? scope.mode) === scope.mode)
      reading.effective.push({ key, shown, where: sources.at(-1)?.where ?? 'default' })
  }
  return reading
}

type Fault = Pick<Problem, 'text' | 'fix'>

/** Why a known setting may not be set where it is, or in this mode. */
function placementFault({ key, variable, flag, setting }: NamedSetting, where: string, mode: Mode): Fault | undefined {
  if (setting.onlyMode !== undefined && setting.onlyMode !== mode)
    return { text: `${key} belongs to ${setting.onlyMode} mode only`, fix: 'Leave it out.' }
  const mayBeInFile = setting.sources?.includes('file') ?? true
  if (mayBeInFile || where === variable || where === flag) return undefined
  return { text: `${key} may not be set in the file`, fix: `Set ${variable} instead.` }
}

function setAt(values: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) values[name] = value
  else {
    const group = (values[name] ?? {}) as Record<string, unknown>
    values[name] = group
    setAt(group, rest, value)
  }
}

/** Reads the entries of `listeners`, each by its key. */
function readListeners(written: readonly WrittenValue[], mode: Mode): (SettingsReading & { key: string })[] {
  const keys = new Set(written.flatMap(({ key }) => /^listeners\[\d+\]/.exec(key)?.[0] ?? []))
  return [...keys].map((key) => {
    const reading = readSettings(knownOfListener, written, { mode, prefix: `${key}.` })
    const own = written.filter((value) => value.key.startsWith(`${key}.`))
    const where = own.at(-1)?.where ?? key
    if (!own.some((value) => value.key === `${key}.address`))
      reading.problems.push({ where, text: `${key} has no address`, fix: 'Give it one: "address: 10.0.0.1:8443".' })
    return { key, ...reading }
  })
}

/** Keys of the file that name no setting. */
function unknownKeys(written: readonly WrittenValue[]): Problem[] {
  return written.flatMap(({ key, raw, where }) => {
    const [, ofListener] = /^listeners\[\d+\]\.(.+)$/.exec(key) ?? []
    const name = ofListener ?? key
    const names = (ofListener === undefined ? known : knownOfListener).map((named) => named.key)
    const isEmptyList = key === 'listeners' && Array.isArray(raw) && raw.length === 0
    return names.includes(name) || isEmptyList ? [] : [{ where, ...unknownKeyFault(name, names) }]
  })
}

/** More names than this are no help in a message. */
const mostNames = 10

function unknownKeyFault(name: string, keys: readonly string[]): Fault {
  if (name.startsWith('listeners'))
    return { text: 'listeners is a list of maps', fix: 'Write "listeners:" and below it "  - address: 10.0.0.1:8443".' }
  const inside = keys.filter((key) => key.startsWith(`${name}.`))
  if (inside.length > 0) return { text: `${name} is a group of settings`, fix: `It holds ${inside.join(', ')}.` }
  const group = name.slice(0, name.lastIndexOf('.') + 1)
  const beside = keys.filter((key) => key.startsWith(group))
  const isShort = beside.length > 0 && beside.length <= mostNames
  const fix = isShort ? `Choose from ${beside.join(', ')}.` : 'See docs/configuration.md for the settings.'
  return { text: `there is no setting ${name}`, fix }
}
