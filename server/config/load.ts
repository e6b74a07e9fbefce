import { totalmem } from 'node:os'
import type { Config, SettingValues } from './config.ts'
import { findContradictions, type WhereOf } from './config-rules.ts'
import { deriveConfig, type FurtherListener, type GivenSettings } from './derive.ts'
import { readFileSource } from './file-source.ts'
import { bytes } from './kinds.ts'
import { usableMemory } from './memory-rules.ts'
import type { Problem, WrittenValue } from './problem.ts'
import { type Environment, readEnvironment, readFlags } from './process-sources.ts'
import { defaultText, type Mode, type NamedSetting, namedSettings } from './setting.ts'
import { listenerSettings, settings } from './settings.ts'
import { suggestion } from './suggestion.ts'

/** What a configuration is made from. */
export type ConfigInput = {
  mode: Mode
  args?: readonly string[]
  environment?: Environment
  /** What the file contained when the server was started, if it is not to be read again. */
  fileText?: string | undefined
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
  const { mode, args = [], environment = {}, fileText, memory = machineMemory() } = input
  const flags = readFlags(known, args)
  const configFile = flags.configFile ?? (environment.HOLDFAST_CONFIG || undefined)
  const file = configFile === undefined ? noFile : readFileSource(configFile, fileText)
  const variables = readEnvironment(known, environment)
  const written = [...file.written, ...variables.written, ...flags.written]
  const whereOf: WhereOf = (key) =>
    written.findLast((value) => value.key === key || value.key.startsWith(`${key}.`))?.where ?? `${key} (default)`

  const own = readSettings(known, written, { mode })
  const further = readListeners(written, mode)
  const problems = [
    ...file.problems,
    ...variables.problems,
    ...flags.problems,
    ...unknownKeyProblems(written),
    ...own.problems,
    ...further.problems,
  ]
  const values = own.values as SettingValues
  const given: GivenSettings = { mode, configFile, values, further: further.listeners, memory }
  // An unreadable file makes every setting look absent, so nothing is concluded from absent ones.
  if (file.problems.length === 0) problems.push(...findContradictions(given, whereOf))
  if (problems.length > 0) return { ok: false, problems }
  const config = deriveConfig(given)
  const effective = [...own.effective.map((each) => showDerived(each, config)), ...further.effective]
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
    const key = `${scope.prefix ?? ''}${named.key}`
    const fallback = defaultText(named.setting, scope.mode)
    const sources = written.filter((value) => value.key === key)
    if (fallback !== undefined) sources.unshift({ key, raw: fallback, where: 'default' })
    let value: unknown
    for (const source of sources) {
      const fault = placementProblem(named, source, scope.mode)
      const result = named.setting.kind.read(source.raw)
      if (fault) reading.problems.push(fault)
      else if (result.ok) value = result.value
      else reading.problems.push({ where: source.where, text: `${named.key}: ${result.text}`, fix: result.fix })
    }
    setAt(reading.values, named.place, value)
    const { onlyMode = scope.mode } = named.setting
    if (onlyMode === scope.mode) reading.effective.push(effectiveSetting(key, named, value, sources.at(-1)?.where))
  }
  return reading
}

function effectiveSetting(key: string, { setting }: NamedSetting, value: unknown, where = 'default'): EffectiveSetting {
  const plain = (setting.otherwise ?? 'not set').replaceAll('`', '')
  return { key, where, shown: value === undefined ? plain : setting.kind.show(value) }
}

/** The problem with a known setting in a source or a mode where it is not allowed. */
function placementProblem(
  { key, variable, flag, setting }: NamedSetting,
  { where }: WrittenValue,
  mode: Mode,
): Problem | undefined {
  if (where === 'default') return undefined
  if (setting.onlyMode !== undefined && setting.onlyMode !== mode) {
    return { where, text: `${key} belongs to ${setting.onlyMode} mode only`, fix: 'Leave it out.' }
  }
  const inFile = where !== variable && where !== flag
  if (!inFile || setting.sources === undefined || setting.sources.includes('file')) return undefined
  return { where, text: `${key} may not be set in the file`, fix: `Set ${variable} instead.` }
}

function setAt(values: Record<string, unknown>, place: readonly string[], value: unknown): void {
  const [name = '', ...rest] = place
  if (rest.length === 0) values[name] = value
  else {
    const group = (values[name] ?? {}) as Record<string, unknown>
    values[name] = group
    setAt(group, rest, value)
  }
}

type ListenersReading = { listeners: FurtherListener[]; problems: Problem[]; effective: EffectiveSetting[] }

function readListeners(written: readonly WrittenValue[], mode: Mode): ListenersReading {
  const keys = new Set(written.flatMap(({ key }) => /^listeners\[\d+\]/.exec(key)?.[0] ?? []))
  const result: ListenersReading = { listeners: [], problems: [], effective: [] }
  for (const key of keys) {
    const reading = readSettings(knownOfListener, written, { mode, prefix: `${key}.` })
    result.listeners.push({ key, values: reading.values as FurtherListener['values'] })
    result.problems.push(...reading.problems, ...missingAddressProblems(key, written))
    result.effective.push(...reading.effective)
  }
  return result
}

function missingAddressProblems(key: string, written: readonly WrittenValue[]): Problem[] {
  const own = written.filter((value) => value.key.startsWith(`${key}.`))
  if (own.some((value) => value.key === `${key}.address`)) return []
  const where = own.at(-1)?.where ?? key
  return [{ where, text: `${key} has no address`, fix: 'Give it one: "address: 10.0.0.1:8443".' }]
}

/** Keys of the file that name no setting. */
function unknownKeyProblems(written: readonly WrittenValue[]): Problem[] {
  return written.flatMap(({ key, raw, where }) => {
    const [, ofListener] = /^listeners\[\d+\]\.(.+)$/.exec(key) ?? []
    const name = ofListener ?? key
    const names = (ofListener === undefined ? known : knownOfListener).map((named) => named.key)
    if (names.includes(name) || (key === 'listeners' && isEmptyList(raw))) return []
    return [{ where, ...explainUnknownKey(name, names) }]
  })
}

const isEmptyList = (raw: unknown): boolean => Array.isArray(raw) && raw.length === 0

function explainUnknownKey(name: string, keys: readonly string[]): { text: string; fix: string } {
  if (name.startsWith('listeners')) {
    return { text: 'listeners is a list of maps', fix: 'Write "listeners:" and below it "  - address: 10.0.0.1:8443".' }
  }
  const inside = keys.filter((key) => key.startsWith(`${name}.`))
  if (inside.length > 0) return { text: `${name} is a group of settings`, fix: `It holds ${inside.join(', ')}.` }
  const meant = suggestion(name, keys)
  const fix = meant === undefined ? 'See docs/configuration.md for the settings.' : `Did you mean ${meant}?`
  return { text: `there is no setting ${name}`, fix }
}
