import { type Instant, instant, later } from '../../../../kernel/clock.ts'
import { parseDuration } from '../../../../kernel/duration.ts'
import { isRawNumber } from '../../../../kernel/exact-json.ts'
import { failure } from '../../../../kernel/failure.ts'

/** A value: any JSON object. Numbers that a double would change are kept as they were written. */
export type Value = Readonly<Record<string, unknown>>

/** A secret by its mount and path. */
export type Spot = { readonly mountId: string; readonly path: string }

/** Who has done something to a version. */
export type Author = { readonly actor: string; readonly entity_id: string; readonly operation: string }

/** Settings that a secret has of its own, and those for all secrets of a mount; both bind. */
export type Rules = {
  readonly maxVersions: number
  readonly casRequired: boolean
  readonly metadataCasRequired: boolean
  /** Milliseconds until a version is hidden; 0 for never. Of a mount, -1000 switches it off for all of its secrets. */
  readonly deleteVersionAfter: number
}

/** The settings of a mount. */
export type MountRules = Rules & {
  /** Whether it is noted who uses its secrets. */
  readonly history: boolean
}

/** The settings of a mount that has none of its own yet. */
export const firstRules: MountRules = {
  maxVersions: 0,
  casRequired: false,
  metadataCasRequired: false,
  deleteVersionAfter: 0,
  history: true,
}

/** What follows the mount in paths of version 2. */
export const engineFolders: ReadonlySet<string> = new Set(
  'config data delete destroy detailed-metadata diff history metadata restore subkeys undelete'.split(' '),
)

/** Reads as "off" in the settings of a mount. */
export const switchedOff = -1_000

/** Versions that are kept where neither the secret nor its mount says how many. */
export const usuallyKept = 10

/** When a version that is written now is hidden: the shorter of both times, unless the mount switches it off. */
export function hiddenAt(now: Instant, mount: number, secret: number): Instant | null {
  const ages = [mount, secret].filter((age) => age > 0)
  return mount < 0 || ages.length === 0 ? null : later(now, Math.min(...ages))
}

/** Whether a version can be read. */
export const isLive = (
  { destroyed, deletionAt }: { readonly destroyed: boolean; readonly deletionAt: Instant | null },
  now: Instant,
): boolean => !destroyed && (deletionAt === null || deletionAt > now)

/** Reads how long versions stay visible, in milliseconds. */
export function parseAge(name: string, text: string, { isMount }: { readonly isMount: boolean }): number {
  const isNegative = /^-\d/.test(text)
  const digits = isNegative ? text.slice(1) : text
  const age = parseDuration(/^\d+$/.test(digits) ? `${digits}s` : digits || '0s')
  if (age === undefined || (isNegative && !isMount && age > 0))
    throw failure('invalid', 'kv.age', `'${name}' must be a duration from 0 to 292 years, such as "90s" or "72h".`)
  return isNegative && age > 0 ? switchedOff : Math.floor(age)
}

/** Writes milliseconds as clients parse them: `1h30m0s`, `30s`, `1.5s`. */
export function ageText(milliseconds: number): string {
  if (milliseconds < 0) return '-1s'
  const seconds = milliseconds / 1_000
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  const rest = `${Number((seconds % 60).toFixed(3))}s`
  return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest
}

/** The highest `max_versions` that is taken. */
const mostVersions = 10_000

/** Refuses a number of versions that no secret can have. */
export function requireVersionCount(count: number): number {
  if (count >= 0 && count <= mostVersions) return count
  throw failure('invalid', 'kv.max-versions', `'max_versions' must be from 0 to ${mostVersions}.`)
}

/** A version that a write expects; undefined where it expects none. */
export function readCas(name: 'check-and-set' | 'metadata check-and-set', sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const number = typeof sent === 'string' && /^-?\d+$/.test(sent) ? Number(sent) : sent
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  throw failure('invalid', 'kv.cas', `error parsing ${name} parameter: it must be a whole number.`)
}

/** The refusal of a write that does not say which version it expects, or expects another one. */
export const casRefusal = (name: 'check-and-set' | 'metadata check-and-set', sent: number | undefined) =>
  failure(
    'invalid',
    'kv.cas',
    sent === undefined
      ? `${name} parameter required for this call`
      : `${name} parameter did not match the current version`,
  )

/** The numbers of a list of versions, each once; they come as numbers or texts, or as one text with commas. */
export function readVersions(sent: unknown, noneText: string): readonly number[] {
  const list = Array.isArray(sent) ? sent : typeof sent === 'string' ? sent.split(',') : [sent]
  const numbers = list.filter((each) => each !== '' && each !== undefined && each !== null).map(versionNumber)
  if (numbers.length === 0) throw failure('invalid', 'kv.versions', noneText)
  return [...new Set(numbers)]
}

function versionNumber(sent: unknown): number {
  const number = typeof sent === 'string' && /^\s*\d+\s*$/.test(sent) ? Number(sent) : sent
  if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number
  throw failure('invalid', 'kv.versions', "'versions' must be a list of version numbers, such as [1, 2].")
}

/** An object whose members are values; numbers that are kept as text are no such objects. */
export const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** A value with a patch merged into it (RFC 7396): null removes, objects merge, anything else replaces. */
export function mergePatch(target: unknown, patch: Value): Value {
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}

/** The names of a value with null in place of all else; below `depth` levels, if that is not 0, there is null too. */
export const subkeysOf = (value: Value, depth: number): Value =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const hasNames = isObject(member) && Object.keys(member).length > 0 && depth !== 1
      return [name, hasNames ? subkeysOf(member, Math.max(0, depth - 1)) : null]
    }),
  )

/** Names of the top level that differ between two values. */
export function difference(from: Value, to: Value) {
  const has = (value: Value, name: string): boolean => Object.hasOwn(value, name)
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()
  return {
    added: names.filter((name) => !has(from, name)),
    removed: names.filter((name) => !has(to, name)),
    changed: names.filter((name) => has(from, name) && has(to, name) && canonical(from[name]) !== canonical(to[name])),
  }
}

/** The same text for values that differ in the order of names alone. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  )

const mostKeys = 64
const mostKeyBytes = 128
const mostValueBytes = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f]/

/** Texts that a caller keeps with a secret. */
export type CustomMetadata = Readonly<Record<string, string>>

/** Reads custom metadata: every value becomes a text, and all faults are named at once. */
export function readCustomMetadata(sent: Value): CustomMetadata {
  const entries = Object.entries(sent).map(([key, value]) => [key, textOf(value)] as const)
  const faults = entries.flatMap(([key, value]) => [...keyFaults(key), ...valueFaults(key, value)])
  if (entries.length > mostKeys) faults.unshift(`it has ${entries.length} keys, and ${mostKeys} are allowed`)
  if (faults.length > 0)
    throw failure('invalid', 'kv.custom-metadata', `custom_metadata validation failed: ${faults.join('; ')}`)
  return Object.fromEntries(entries as [string, string][])
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' || isRawNumber(value)) return JSON.stringify(value)
  return value === null ? '' : undefined
}

function keyFaults(key: string): string[] {
  const bytes = Buffer.byteLength(key)
  if (bytes === 0) return ['a key is empty']
  if (bytes > mostKeyBytes) return [`a key has ${bytes} bytes, and ${mostKeyBytes} are allowed`]
  return unprintable.test(key) ? ['a key has unprintable characters'] : []
}

function valueFaults(key: string, value: string | undefined): string[] {
  const name = unprintable.test(key) ? 'a key' : `'${key.slice(0, mostKeyBytes)}'`
  if (value === undefined) return [`the value of ${name} is no text`]
  const bytes = Buffer.byteLength(value)
  if (bytes === 0) return [`the value of ${name} is empty`]
  if (bytes > mostValueBytes) return [`the value of ${name} has ${bytes} bytes, and ${mostValueBytes} are allowed`]
  return unprintable.test(value) ? [`the value of ${name} has unprintable characters`] : []
}

/** The end of a secret, if its custom metadata says when: `expires_at` is a time, or a day in UTC. */
export function endOf(custom: CustomMetadata | null): Instant | null {
  const at = Date.parse(custom?.expires_at ?? '')
  return Number.isNaN(at) || at < 0 ? null : instant(at)
}

/** Whether the end of a secret is given in words that cannot be read. */
export const hasUnreadEnd = (custom: CustomMetadata | null): boolean =>
  custom?.expires_at !== undefined && endOf(custom) === null
