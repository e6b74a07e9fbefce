import { resolve } from 'node:path'
import { formatSeconds, parseDuration } from '../kernel/duration.ts'
import { withoutCredentials } from '../kernel/hidden-credentials.ts'
import { type Secret, secret } from '../kernel/secret.ts'

/** What reading a value gives: the value, or what is wrong with it and how to write it. */
type Reading<T> = { ok: true; value: T } | { ok: false; text: string; fix: string }

/** A kind of value: how it is read from a file, the environment or a flag, and how it is shown. */
export type Kind<T> = {
  /** What the documentation calls it. */
  name: string
  read(raw: unknown): Reading<T>
  show(value: T): string
}

/** A value that was read. */
export const good = <T>(value: T): Reading<T> => ({ ok: true, value })

/** A value that was refused, with the way to write it. */
export const bad = (text: string, fix: string): { ok: false; text: string; fix: string } => ({ ok: false, text, fix })

/** How a refused value is quoted back; long ones are cut. */
export function quote(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? String(raw))
  return `"${text.length > 60 ? `${text.slice(0, 57)}...` : text}"`
}

const scalar = (raw: unknown): string | undefined =>
  typeof raw === 'string' ? raw.trim() : typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined

/** A kind whose values are written as one text or number. */
export function scalarKind<T>(name: string, read: (text: string) => Reading<T>, show: (value: T) => string): Kind<T> {
  return {
    name,
    show,
    read: (raw) => {
      const text = scalar(raw)
      // Not quoted: there may be secrets in it.
      if (text === undefined)
        return bad(`a ${Array.isArray(raw) ? 'list' : 'map'} is not allowed here`, 'Write one value.')
      return read(text)
    },
  }
}

/** Any text that is not empty. */
export const text: Kind<string> = scalarKind(
  'text',
  (value) => (value === '' ? bad('the value is empty', 'Write a text, or leave the setting out.') : good(value)),
  withoutCredentials,
)

/** A path on this machine, made absolute against the working directory. */
export const path: Kind<string> = scalarKind(
  'path',
  (value) =>
    value === '' ? bad('the path is empty', 'Write a path, or leave the setting out.') : good(resolve(value)),
  (value) => value,
)

/** A text that is never shown again. */
export const secretText: Kind<Secret<string>> = scalarKind(
  'secret text',
  (value) =>
    /^\S+$/.test(value)
      ? good(secret(value))
      : bad('the value is empty or has blanks in it', 'Write one word without blanks.'),
  () => '[redacted]',
)

const booleanSpellings: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0'].map((word) => [word, false] as const),
])

/** A switch: `on` or `off`, and the spellings people use for them. */
export const onOff: Kind<boolean> = scalarKind(
  'on or off',
  (value) => {
    const known = booleanSpellings.get(value.toLowerCase())
    return known === undefined ? bad(`${quote(value)} is neither on nor off`, 'Write on or off.') : good(known)
  },
  (value) => (value ? 'on' : 'off'),
)

/** A whole number between two bounds. */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER): Kind<number> =>
  scalarKind(
    'whole number',
    (value) => {
      const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= least && number <= most) return good(number)
      return bad(`${quote(value)} is not a whole number ${range}`, `Write a whole number ${range}.`)
    },
    String,
  )

/** One of a few words. */
export const choice = <const W extends string>(...words: readonly W[]): Kind<W> =>
  scalarKind<W>(
    words.join(' | '),
    (value) => {
      const found = words.find((word) => word === value.toLowerCase())
      return found === undefined
        ? bad(`${quote(value)} is not one of ${words.join(', ')}`, `Write ${words.join(' or ')}.`)
        : good(found)
    },
    (value) => value,
  )

const byteUnits: Readonly<Record<string, number>> = { '': 1, B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 }

/** A number of bytes: `10485760`, `64KiB`, `32MiB`. */
export const bytes: Kind<number> = scalarKind(
  'bytes',
  (value) => {
    const [, amount = '', unit = ''] = /^(\d+)\s*([A-Za-z]*)$/.exec(value) ?? []
    const total = Number(amount) * (byteUnits[unit.toUpperCase()] ?? Number.NaN)
    return amount !== '' && Number.isSafeInteger(total) && total > 0
      ? good(total)
      : bad(`${quote(value)} is not a size in bytes`, 'Write a number, or one with KiB, MiB or GiB: 32MiB.')
  },
  (value) => {
    const unit = (['GiB', 'MiB', 'KiB'] as const).find((name) => value % (byteUnits[name.toUpperCase()] ?? 1) === 0)
    return unit ? `${value / (byteUnits[unit.toUpperCase()] ?? 1)}${unit}` : String(value)
  },
)

const durationFix = 'Write a number with its unit: 500ms, 30s, 5m, 768h.'

/** Timers of Node end at once when they are given more than 2^31 ms, which is a little under 25 days. */
const longestTimer = 24 * 86_400_000

/** A duration that a timer can measure, kept in milliseconds. */
export const milliseconds: Kind<number> = scalarKind(
  'duration',
  (value) => {
    const duration = parseDuration(value)
    if (duration === undefined) return bad(`${quote(value)} is not a duration`, durationFix)
    if (duration < 1) return bad(`${quote(value)} is zero`, 'Write a longer time; these limits cannot be switched off.')
    return duration > longestTimer
      ? bad(`${quote(value)} is longer than 24 days`, 'Write at most 576h.')
      : good(Math.round(duration))
  },
  (value) => (value % 1000 === 0 ? formatSeconds(value / 1000) : `${value}ms`),
)

/** A duration of at least a second, kept in whole seconds. */
export const seconds: Kind<number> = scalarKind(
  'duration',
  (value) => {
    const duration = parseDuration(/^\d+$/.test(value) ? `${value}s` : value)
    if (duration === undefined) return bad(`${quote(value)} is not a duration`, durationFix)
    return duration < 1000
      ? bad(`${quote(value)} is less than a second`, durationFix)
      : good(Math.floor(duration / 1000))
  },
  formatSeconds,
)

/** Several values of one kind: a list in the file, words between commas elsewhere. */
export const listOf = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  name: `list of ${kind.name}s`,
  show: (values) => (values.length === 0 ? 'none' : values.map(kind.show).join(', ')),
  read: (raw) => {
    const values: T[] = []
    for (const item of itemsOf(raw)) {
      const reading = kind.read(item)
      if (!reading.ok) return reading
      values.push(reading.value)
    }
    return good(values)
  },
})

function itemsOf(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw
  if (typeof raw !== 'string') return [raw]
  const words = raw.split(',').map((word) => word.trim())
  return words.filter((word) => word !== '' && word !== 'none')
}
