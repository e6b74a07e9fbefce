const day = 86_400_000

/** How long a new token may last: days, or a word. */
export const lifetimes: readonly (readonly [value: string, label: string])[] = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['730', '2 years'],
  ['date', 'Until a date'],
  ['never', 'For ever'],
]

/** When a token of this lifetime expires; null for never. */
export function untilOf(lifetime: string, date: string, now: number): string | null {
  if (lifetime === 'never') return null
  if (lifetime === 'date') return date === '' ? null : new Date(date).toISOString()
  return new Date(now + Number(lifetime) * day).toISOString()
}

/** True for what ends within two weeks: somebody has to make a new one. */
export const isSoon = (leftMs: number): boolean => leftMs < 14 * day
