/** Nanoseconds per unit of a duration text. */
const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // The micro sign, and the Greek letter that some keyboards and editors put in its place.
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const durationText = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|[µμ]s|ms|s|m|h))+$/
const durationPart = /(\d*)\.?(\d*)(ns|us|[µμ]s|ms|s|m|h)/g
const dayMilliseconds = 86_400_000

/** Reads `30s`, `1h30m`, `1.5h`, or whole days as `7d`, in milliseconds; undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined
  if (/^\d+d$/.test(text)) return withinReason(Number(text.slice(0, -1)) * dayMilliseconds)
  if (!durationText.test(text)) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(durationPart))
    total += nanosecondsOf(whole, fraction, unit)
  return withinReason(Number(total) / 1e6)
}

/** Counts without fractions, which are not exact in binary: 0.29 hours would come out below 1,044 seconds. */
const nanosecondsOf = (whole: string, fraction: string, unit: string): bigint =>
  (BigInt(whole + fraction) * (unitNanoseconds[unit] ?? 0n)) / 10n ** BigInt(fraction.length)

/** About 292 years: more nanoseconds do not fit into the 64 bits clients keep durations in, nor the end into a date. */
const longestSeconds = 9_223_372_036

const withinReason = (milliseconds: number): number | undefined =>
  milliseconds <= longestSeconds * 1_000 ? milliseconds : undefined

/**
 * Reads a duration field of the `/v1` API as whole seconds: an integer, a numeric text, or a text with units.
 * Undefined when it is negative, has a fraction without a unit, is too long, or is not a duration.
 */
export function parseSeconds(value: unknown): number | undefined {
  const seconds = readSeconds(value)
  return seconds !== undefined && seconds >= 0 && seconds <= longestSeconds ? seconds : undefined
}

function readSeconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  if (value === '') return 0
  if (/^\d+$/.test(value)) return Number(value)
  const milliseconds = parseDuration(value)
  return milliseconds === undefined ? undefined : Math.floor(milliseconds / 1_000)
}

/** Writes seconds the way people read them: `1h30m`, `45s`, `0s`. */
export function formatSeconds(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  const text = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`)
  return text.join('') || '0s'
}
