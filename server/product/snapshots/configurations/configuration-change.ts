import { posix } from 'node:path'
import type { Instant } from '../../../kernel/clock.ts'
import { type Fault, failure } from '../../../kernel/failure.ts'
import { keyPrefix } from '../destinations/object-name.ts'
import type {
  Configuration,
  DestinationSettings,
  Pause,
  Placement,
  SentConfiguration,
  StorageType,
} from './configuration.ts'
import { type DestinationField, environmentKey, fieldsOf, spellField, spellType } from './configuration-fields.ts'
import { destinationProblems, endpointUrl, readServiceKey } from './destination-settings.ts'

/** A type and its settings, before or after a write. */
type Target = { readonly type: StorageType; readonly settings: DestinationSettings }

/** The settings that a write carries, and whether it is a full definition. */
type Write = { readonly sent: DestinationSettings; readonly isWhole: boolean }

/** What a write means for the stored secrets, by the names of their fields. */
type SecretsVerdict = {
  /** Those that the write must send again, or clear. */
  readonly missing: readonly string[]
  /** Those that are not kept, since they belong to the place that was left. */
  readonly dropped: readonly string[]
  /** What is different about the place. */
  readonly changed: readonly string[]
}

const none: SecretsVerdict = { missing: [], dropped: [], changed: [] }

/**
 * A secret is stored for the place it was sent with: whoever may change the place, but does not know the secret, must
 * not have it sent there. `next` is what the write would make of the settings if all secrets were kept.
 */
export function judgeSecrets(known: Target | undefined, next: Target, { sent, isWhole }: Write): SecretsVerdict {
  if (known === undefined) return none
  const held = secretsIn(known)
  if (known.type !== next.type) return { missing: [], dropped: held, changed: ['storage_type'] }
  const changed = changedPlace(known, next)
  if (changed.length === 0) return none
  const unsent = held.filter((name) => !holdsValue(name, sent[name]))
  const halves = fieldsOf(next.type).filter(({ keyHalf }) => keyHalf)
  // Whoever writes a full definition without the pair wants another kind of credential.
  if (isWhole && !halves.some(({ name }) => holdsValue(name, sent[name]))) {
    return { missing: [], dropped: unsent, changed }
  }
  const isCleared = (name: string): boolean => Object.hasOwn(sent, name)
  return { missing: unsent.filter((name) => !isCleared(name)), dropped: unsent.filter(isCleared), changed }
}

/** The secrets that have a value. */
export const secretsIn = ({ type, settings }: Target): string[] =>
  fieldsOf(type)
    .filter(({ name, secret }) => secret && holdsValue(name, settings[name]))
    .map(({ name }) => name)

/** An empty service key is accepted, and means that there is none. */
const holdsValue = (name: string, value: unknown): boolean =>
  name === 'cloudB_service_account_key'
    ? readServiceKey(String(value ?? '')) !== 'absent'
    : value !== undefined && value !== ''

const changedPlace = (known: Target, next: Target): string[] =>
  fieldsOf(next.type)
    .filter((field) => placeText(field, known.settings) !== placeText(field, next.settings))
    .map(({ name }) => name)

/** What a field says about the place; different texts for one place are equal here. */
function placeText({ name, place }: DestinationField, settings: DestinationSettings): string {
  const text = String(settings[name] || '')
  if (place === 'environment') return environmentKey(text)
  if (place === 'endpoint') return text === '' ? '' : endpointText(text, settings)
  return place === 'exact' ? text : ''
}

function endpointText(
  endpoint: string,
  { cloudA_disable_tls: plainA, cloudB_disable_tls: plainB }: DestinationSettings,
) {
  const url = endpointUrl(endpoint, plainA === true || plainB === true)
  return URL.canParse(url) ? new URL(url).href : url
}

/** Files are named after this unless a configuration says otherwise. */
export const defaultFilePrefix = 'holdfast-snapshot'

const tenYears = 10 * 365 * 86_400

/** A configuration as a write leaves it, and the stored secrets that it does not keep. */
type MergedConfiguration = { readonly configuration: Configuration; readonly dropped: readonly string[] }

/** The configuration after a write. It is checked as a whole, and all problems are reported together. */
export function mergeConfiguration(
  name: string,
  known: Configuration | undefined,
  sent: SentConfiguration,
  now: Instant,
): MergedConfiguration {
  const type = sent.type ?? known?.type
  const missing = requiredFaults(known, sent)
  if (!type || missing.length > 0) throw invalidConfiguration(missing)
  const isWhole = sent.interval !== undefined && sent.path_prefix !== undefined && sent.type !== undefined
  const base = isWhole ? undefined : known
  const before = known?.type === type ? known.settings : {}
  const withSecrets = mergeSettings(type, before, { sent: sent.settings, isWhole })
  const secrets = judgeSecrets(known, { type, settings: withSecrets }, { sent: sent.settings, isWhole })
  const merged: Configuration = {
    name,
    interval: sent.interval ?? known?.interval ?? 0,
    retain: sent.retain ?? base?.retain ?? 1,
    pathPrefix: sent.path_prefix ?? known?.pathPrefix ?? '',
    filePrefix: (sent.file_prefix ?? base?.filePrefix) || defaultFilePrefix,
    type,
    dialect: sent.dialect ?? known?.dialect ?? 'own',
    settings: without(withSecrets, secrets.dropped),
    verify: sent.verify ?? base?.verify ?? 'restore',
    timeout: sent.snapshot_timeout ?? base?.timeout ?? 0,
    paused: false,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  }
  const faults = [...commonFaults(merged), ...destinationProblems(merged), ...secretFaults(merged, secrets)]
  if (faults.length > 0) throw invalidConfiguration(faults)
  const configuration = { ...merged, paused: pauseAfterWrite(known, merged, isWhole) }
  return { configuration, dropped: secrets.dropped }
}

const without = (settings: DestinationSettings, names: readonly string[]): DestinationSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))

const secretFaults = ({ dialect }: Configuration, { missing, changed }: SecretsVerdict): string[] => {
  const place = changed.map((name) => spellField(name, dialect)).join(', ')
  return missing.map((secret) => {
    const name = spellField(secret, dialect)
    return `${name} must be sent again, or cleared with null: the stored one is not used with another ${place}`
  })
}

/** Warns about stored secrets that a write did not keep. */
export const droppedWarnings = ({ dialect }: Configuration, dropped: readonly string[]): string[] =>
  dropped.map((name) => `${spellField(name, dialect)} was dropped: it belongs to the destination set before`)

/**
 * A pause by hand stays until it is ended by hand. One that came with a restore ends when the configuration is written
 * again: as a whole, or with another destination or interval. Anything less leaves the schedule as it is.
 */
function pauseAfterWrite(known: Configuration | undefined, next: Configuration, isWhole: boolean): false | Pause {
  if (known?.paused !== 'restored') return known?.paused ?? false
  return isWhole || !isSamePlace(known, next) || known.interval !== next.interval ? false : 'restored'
}

/** Bytes that the archive of a new store has at least. */
export const smallestArchive = 20 * 1024

/**
 * Warns when there is no room for any snapshot, or for one snapshot more than are kept: old ones are removed only after a new one is
 * written.
 */
export function spaceWarning({ type, settings, retain }: Configuration, lastSize: number): string[] {
  const space = settings.local_max_space
  const smallest = lastSize || smallestArchive
  if (type !== 'local' || typeof space !== 'number') return []
  if (space < smallest) {
    return [
      `local_max_space of ${space} bytes has no room for any snapshot, and every attempt will fail: ` +
        `one takes at least ${smallest} bytes, and there must be room for ${retain + 1}`,
    ]
  }
  if (space >= (retain + 1) * lastSize) return []
  return [
    `local_max_space of ${space} bytes is less than ${retain + 1} snapshots of the last size take, ${(retain + 1) * lastSize} bytes`,
  ]
}

const placeFields: Readonly<Record<StorageType, readonly string[]>> = {
  local: [],
  'cloudA-store': ['cloudA_bucket', 'cloudA_endpoint'],
  'cloudB-store': ['cloudB_bucket', 'cloudB_endpoint'],
  'cloudC-store': ['cloudC_container_name', 'cloudC_account_name', 'cloudC_endpoint'],
}

/** True if two configurations use the same names in the same place, and so would remove each other's snapshots. */
export function sharesFiles(a: Placement, b: Placement): boolean {
  const place = ({ type, pathPrefix, filePrefix, settings }: Placement) => {
    const fields = placeFields[type].map((name) => settings[name] ?? '')
    const folder = type === 'local' ? posix.normalize(`${pathPrefix}/`) : keyPrefix(pathPrefix)
    return JSON.stringify([type, folder, filePrefix, fields])
  }
  return place(a) === place(b)
}

/** A refusal with all problems of a configuration. */
export const invalidConfiguration = (texts: readonly string[]): Error => {
  const faults: Fault[] = texts.map((detail) => ({ detail }))
  return failure('invalid', 'snapshot.configuration', texts[0] ?? 'the configuration is incomplete', { faults })
}

function requiredFaults(known: Configuration | undefined, sent: SentConfiguration): string[] {
  const faults: string[] = []
  if (sent.interval === undefined && !known) faults.push('interval is required')
  if ((sent.path_prefix === undefined && !known) || sent.path_prefix === '') faults.push('path_prefix is required')
  if (sent.type === undefined && !known) faults.push('storage_type is required')
  return faults
}

function commonFaults({ interval, retain, filePrefix, timeout }: Configuration): string[] {
  const faults: string[] = []
  if (interval < 1) faults.push('interval must be at least 1 second')
  if (interval > tenYears) faults.push('interval must be at most 10 years')
  if (timeout < 0 || timeout > tenYears) faults.push('snapshot_timeout must be between 1 second and 10 years')
  if (retain < 1) faults.push('retain must be at least 1')
  if (retain > 1_000_000) faults.push('retain must be at most 1000000')
  if (/[/\\\p{Cc}]|\.\./u.test(filePrefix)) {
    faults.push("file_prefix must not contain '/', '\\', '..' or control characters")
  }
  if (filePrefix.length > 128) faults.push('file_prefix must have at most 128 characters')
  return faults
}

/**
 * A whole definition drops what it leaves out, except for secrets: they are hidden when it is read, so writing back
 * what was read must not lose them. Whether they may be kept is judged afterwards.
 */
function mergeSettings(
  type: StorageType,
  before: DestinationSettings,
  { sent, isWhole }: { sent: DestinationSettings; isWhole: boolean },
): DestinationSettings {
  const merged: Record<string, string | number | boolean> = {}
  for (const { name, secret } of fieldsOf(type)) {
    const unsent = secret || !isWhole ? before[name] : undefined
    const value = Object.hasOwn(sent, name) ? sent[name] : unsent
    if (value !== undefined && value !== '' && value !== false) merged[name] = value
  }
  return merged
}

/** What a change means for the schedule. */
export type ScheduleEffect = 'first-run' | 'run-now' | 'new-interval' | 'none'

/** Decides when to run after a write. */
export function scheduleEffect(known: Configuration | undefined, next: Configuration): ScheduleEffect {
  if (!known) return 'first-run'
  if (!isSamePlace(known, next)) return 'run-now'
  if (known.interval !== next.interval) return 'new-interval'
  return known.paused && !next.paused ? 'run-now' : 'none'
}

/** True if both store under the same names in the same destination, and reach it in the same way. */
export const isSamePlace = (one: Placement, other: Placement): boolean => placementText(one) === placementText(other)

function placementText({ type, pathPrefix, filePrefix, settings }: Placement): string {
  const { local_max_space: _space, ...reach } = settings
  return JSON.stringify([type, pathPrefix, filePrefix, Object.entries(reach).sort()])
}

/** The configuration as it is read: in its own spelling, without secrets, unset fields left out. */
export function readableConfiguration(configuration: Configuration): Record<string, unknown> {
  const { type, dialect, settings } = configuration
  const shown = fieldsOf(type)
    .filter(({ name, secret }) => !secret && settings[name] !== undefined)
    .map(({ name }) => [spellField(name, dialect), settings[name]])
  return {
    interval: configuration.interval,
    retain: configuration.retain,
    path_prefix: configuration.pathPrefix,
    file_prefix: configuration.filePrefix,
    storage_type: spellType(type, dialect),
    ...Object.fromEntries(shown),
  }
}
