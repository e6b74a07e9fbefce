/**
 * Methods of `JSON` that its types do not have yet: reading the source text of a number, and writing a number from
 * text.
 */
const json = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

/** A whole number that may have more digits than a double holds; nobody means longer ones as numbers. */
const longNumber = /^-?\d{16,400}$/

const isInexact = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** True if a whole number within a parsed value may have lost digits. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return isInexact(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber)
}

/** The value of a JSON scalar: a whole number that a double cannot hold is a bigint. */
export function parseExactScalar(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && isInexact(value) && longNumber.test(text) ? BigInt(text) : value
}

const parseWithLongNumbers = (text: string, long: (digits: string) => unknown): unknown =>
  json.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && isInexact(value) && longNumber.test(source) ? long(source) : value,
  )

/** Parses JSON; whole numbers that a double cannot hold are bigints. */
export const parseExact = (text: string): unknown => parseWithLongNumbers(text, BigInt)

/** Parses JSON that is to be sent on: numbers that a double cannot hold are written out as they are. */
export const parseForForwarding = (text: string): unknown =>
  /\d{16}/.test(text) ? parseWithLongNumbers(text, json.rawJSON) : (JSON.parse(text) as unknown)

/** Parses JSON that is only kept and handed back: each number is written out as its sender wrote it. */
export const parseVerbatim = (text: string): unknown =>
  json.parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? json.rawJSON(source) : value,
  )

/** True for a number that is written out as it was read. */
export const isRawNumber = (value: unknown): boolean => json.isRawJSON(value)

/** Writes what `parseExact` or `parseForForwarding` read. */
export const writeExact = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? json.rawJSON(String(each)) : each))
