const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Relative and short: now, 6 min, 2 h, 3 d, 3 mo; with "in" before what is to come. */
export function relative(instant: string | number | Date, now: number = Date.now()): string {
  const seconds = Math.round((now - new Date(instant).getTime()) / 1000)
  const text = shortSpan(Math.abs(seconds))
  if (text === 'now') return text
  return seconds < 0 ? `in ${text}` : text
}

function shortSpan(seconds: number): string {
  if (seconds < 45) return 'now'
  if (seconds < 50 * minute) return `${Math.max(1, Math.round(seconds / minute))} min`
  if (seconds < 36 * hour) return `${Math.max(1, Math.round(seconds / hour))} h`
  if (seconds < 60 * day) return `${Math.round(seconds / day)} d`
  if (seconds < 700 * day) return `${Math.round(seconds / (30.4 * day))} mo`
  return `${Math.round(seconds / (365.25 * day))} y`
}

/** The exact instant with its zone. */
export const exact = (instant: string | number | Date): string =>
  new Date(instant).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'long',
  })

/** A date that people compare: "12 Dec", with the year if it is another one. */
export function shortDate(instant: string | number | Date, now: Date = new Date()): string {
  const date = new Date(instant)
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })
}

/** An instant that people compare: "12 Dec, 03:00:05". */
export const shortInstant = (instant: string | number | Date): string =>
  `${shortDate(instant)}, ${new Date(instant).toLocaleTimeString('en-GB')}`

/** How long something took: 0.4 s, 4 s, 0:52, 1 h 04 min. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Number(seconds.toFixed(1))} s`
  if (seconds < 10) return `${Math.round(seconds)} s`
  const two = (value: number): string => String(value).padStart(2, '0')
  const whole = Math.round(seconds)
  if (whole < hour) return `${Math.floor(whole / minute)}:${two(whole % minute)}`
  return `${Math.floor(whole / hour)} h ${two(Math.floor((whole % hour) / minute))} min`
}

/** A length of time as people set it: 30 d, 12 h, 15 min. */
export function span(seconds: number): string {
  for (const [unit, name] of [
    [day, 'd'],
    [hour, 'h'],
    [minute, 'min'],
  ] as const)
    if (seconds >= unit && seconds % unit === 0) return `${seconds / unit} ${name}`
  return `${seconds} s`
}

/** A length of time as the server reads it, in the longest unit in which it is whole: 1h, 90m, 61s; empty for none. */
export function typedSpan(seconds: number): string {
  if (seconds === 0) return ''
  if (seconds % hour === 0) return `${seconds / hour}h`
  return seconds % minute === 0 ? `${seconds / minute}m` : `${seconds}s`
}
