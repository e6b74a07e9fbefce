/** A point in time, in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly __brand: 'Instant' }

/** The one source of the present. Nothing else in the server reads the time. */
export type Clock = {
  now(): Instant
  /** Milliseconds that never run backwards; for measuring how long something took. */
  monotonic(): number
}

/**
 * A clock that never runs backwards: when the machine's time is set back, it goes on from where it was, so that things
 * expire on time and not an hour late. A step forward is followed.
 */
export function steadyClock(wall: () => number, monotonic: () => number): Clock {
  let shown = wall()
  let shownAt = monotonic()
  return {
    now: () => {
      const at = monotonic()
      shown = Math.max(wall(), shown + (at - shownAt))
      shownAt = at
      return Math.floor(shown) as Instant
    },
    monotonic,
  }
}

/** The clock of the machine. */
export const systemClock: Clock = steadyClock(
  () => Date.now(),
  () => performance.now(),
)

/** Marks a number of milliseconds as a point in time. */
export const instant = (milliseconds: number): Instant => milliseconds as Instant

/** Adds milliseconds to a point in time. */
export const later = (at: Instant, milliseconds: number): Instant => (at + milliseconds) as Instant

/** Writes points in time. The same few are shown again and again, so each text is kept until another takes its place. */
function memoizeTexts(write: (at: Instant) => string): (at: Instant) => string {
  const places = 256
  const ats: number[] = Array(places).fill(Number.NaN)
  const texts: string[] = Array(places).fill('')
  return (at) => {
    const place = Math.abs(Math.trunc(at)) % places
    if (ats[place] === at) return texts[place] as string
    const text = write(at)
    ats[place] = at
    texts[place] = text
    return text
  }
}

/** RFC 3339 in UTC with milliseconds: `2026-11-15T02:07:11.123Z`. */
export const toIso: (at: Instant) => string = memoizeTexts((at) => new Date(at).toISOString())

/** The same for a time that may be absent. */
export const maybeIso = (at: Instant | null): string | null => (at === null ? null : toIso(at))

/** RFC 3339 in UTC with nine fractional digits, as clients of the `/v1` family parse it. */
export const toIsoNano: (at: Instant) => string = memoizeTexts((at) => `${toIso(at).slice(0, -1)}000000Z`)

/** RFC 3339 in the time zone of the server, with its offset at that time: `2026-11-15T02:07:11+00:00`. */
export function toIsoOffset(at: Instant): string {
  const minutes = -Math.round(new Date(at).getTimezoneOffset())
  const local = toIso(instant(at + minutes * 60_000)).slice(0, 19)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/

const [earliest, latest] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(Date.parse) as [number, number]

/**
 * Reads an RFC 3339 timestamp; undefined when the text is not one, or when its offset moves it beyond the four-digit
 * years in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!rfc3339.test(text) || !isOnCalendar(text)) return undefined
  const milliseconds = Date.parse(text)
  return milliseconds >= earliest && milliseconds <= latest ? (milliseconds as Instant) : undefined
}

/**
 * `Date.parse` accepts 30 February and hour 24 and counts on into the next month or day; RFC 3339 §5.7 allows neither.
 */
function isOnCalendar(text: string): boolean {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10)) && text.slice(11, 13) < '24'
}
