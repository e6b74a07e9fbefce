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
export const quote = (value: string): string => `"${value.length > 60 ? `${value.slice(0, 57)}...` : value}"`

/** A kind whose values are written as one text or number. */
export function scalarKind<T>(
  name: string,
  read: (text: string) => Reading<T>,
  show: (value: T) => string = String,
): Kind<T> {
  return {
    name,
    show,
    read: (raw) => {
      if (typeof raw === 'string') return read(raw.trim())
      if (typeof raw === 'number' || typeof raw === 'boolean') return read(String(raw))
      // Not quoted: there may be secrets in it.
      return bad(`a ${Array.isArray(raw) ? 'list' : 'map'} is not allowed here`, 'Write one value.')
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
export const path: Kind<string> = scalarKind('path', (value) =>
  value === '' ? bad('the path is empty', 'Write a path, or leave the setting out.') : good(resolve(value)),
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

const onWords: readonly string[] = ['true', 'on', 'yes', '1']
const offWords: readonly string[] = ['false', 'off', 'no', '0']

/** A switch: `on` or `off`, and the spellings people use for them. */
export const onOff: Kind<boolean> = scalarKind(
  'on or off',
  (value) => {
    const isOn = onWords.includes(value.toLowerCase())
    if (isOn || offWords.includes(value.toLowerCase())) return good(isOn)
    return bad(`${quote(value)} is neither on nor off`, 'Write on or off.')
  },
  (value) => (value ? 'on' : 'off'),
)

/** A whole number between two bounds. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
  return scalarKind('whole number', (value) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return good(number)
    return bad(`${quote(value)} is not a whole number ${range}`, `Write a whole number ${range}.`)
  })
}

const processes = wholeNumber(1, 256)

/** A number of processes, or as many as there are cores. */
export const workerCount: Kind<number | 'auto'> = {
  name: 'whole number or auto',
  show: String,
  read: (raw) => {
    const number = raw === 'auto' ? good<'auto'>(raw) : processes.read(raw)
    return number.ok ? number : bad(number.text, number.fix.replace(/\.$/, ', or auto.'))
  },
}

/** One of a few words. */
export const choice = <const W extends string>(...words: readonly W[]): Kind<W> =>
  scalarKind<W>(words.join(' | '), (value) => {
    const found = words.find((word) => word === value.toLowerCase())
    if (found !== undefined) return good(found)
    return bad(`${quote(value)} is not one of ${words.join(', ')}`, `Write ${words.join(' or ')}.`)
  })

/** A semantic version with optional build metadata. */
export const releaseVersion: Kind<string> = scalarKind('version', (value) =>
  /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(value)
    ? good(value)
    : bad(`${quote(value)} is not a version`, 'Write it as 1.21.0 or 1.21.0+ent.'),
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
    const unit = ['GiB', 'MiB', 'KiB'].find((name) => value % (byteUnits[name.toUpperCase()] ?? 1) === 0) ?? ''
    return `${value / (byteUnits[unit.toUpperCase()] ?? 1)}${unit}`
  },
)

/** A time between two bounds in milliseconds. It is kept in `unit` milliseconds; a number alone counts those of `bare`. */
type Times = { readonly least: number; readonly most?: number; readonly unit?: number; readonly bare?: 's' }

function duration({ least, most = Number.POSITIVE_INFINITY, unit = 1, bare }: Times): Kind<number> {
  const show = (ms: number): string => (ms % 1000 === 0 ? formatSeconds(ms / 1000) : `${ms}ms`)
  const range = most === Number.POSITIVE_INFINITY ? `of ${show(least)} or more` : `from ${show(least)} to ${show(most)}`
  return scalarKind(
    'duration',
    (value) => {
      const time = parseDuration(bare && /^\d+$/.test(value) ? value + bare : value)
      if (time !== undefined && time >= least && time <= most) return good(Math.floor(time / unit))
      return bad(`${quote(value)} is not a duration ${range}`, 'Write a number with its unit: 500ms, 30s, 5m, 768h.')
    },
    (value) => show(value * unit),
  )
}

/** A duration that a timer can measure: those of Node end at once when they are given more than 2^31 ms. */
export const milliseconds: Kind<number> = duration({ least: 1, most: 24 * 86_400_000 })

/** A duration of at least a second, kept in whole seconds. */
export const seconds: Kind<number> = duration({ least: 1_000, unit: 1_000, bare: 's' })

/** A time to wait, from none at all up to a bound, kept in milliseconds. */
export const delayUpTo = (mostSeconds: number): Kind<number> =>
  duration({ least: 0, most: mostSeconds * 1_000, bare: 's' })

/** Several values of one kind: a list in the file, words between commas elsewhere. */
export const listOf = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  name: `list of ${kind.name}s`,
  show: (values) => (values.length === 0 ? 'none' : values.map(kind.show).join(', ')),
  read: (raw) => {
    const readings = itemsOf(raw).map((item) => kind.read(item))
    const refused = readings.find((reading) => !reading.ok)
    return refused ?? good(readings.flatMap((reading) => (reading.ok ? [reading.value] : [])))
  },
})

function itemsOf(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw
  if (typeof raw !== 'string') return [raw]
  const words = raw.split(',').map((word) => word.trim())
  return words.filter((word) => word !== '' && word !== 'none')
}
