import { failure } from '../../kernel/failure.ts'
import type { Ids } from '../../kernel/ids.ts'

/** Length of the key that is split. */
export const keyBytes = 32

/** Length of a share: one byte per byte of the key, and the x coordinate at the end. */
export const shareBytes: number = keyBytes + 1

/**
 * Splits a key so that any `threshold` of `shares` bring it back and fewer say nothing: every byte is the value at 0
 * of a random polynomial over GF(2^8) (Shamir 1979). One share of one is the key itself.
 */
export function splitKey(
  ids: Pick<Ids, 'bytes'>,
  key: Uint8Array,
  { shares, threshold }: { shares: number; threshold: number },
): Buffer[] {
  const problem = splitProblem(shares, threshold)
  if (problem) throw failure('invalid', 'shamir.bad-split', problem)
  if (key.length !== keyBytes) throw failure('invalid', 'shamir.bad-key', `The key must have ${keyBytes} bytes.`)
  if (shares === 1) return [Buffer.from(key)]
  // The leading coefficient may be zero: excluding it would tell `threshold - 1` holders what the key is not.
  const coefficients = [Buffer.from(key), ...Array.from({ length: threshold - 1 }, () => ids.bytes(keyBytes))]
  const made = Array.from({ length: shares }, (_, index) => shareAt(coefficients, index + 1))
  for (const coefficient of coefficients) coefficient.fill(0)
  return made
}

/** Why a key cannot be split so; undefined when it can. */
export function splitProblem(shares: number, threshold: number): string | undefined {
  if (!Number.isInteger(shares) || shares < 1) return 'The number of shares must be at least 1.'
  if (!Number.isInteger(threshold) || threshold < 1) return 'The threshold must be at least 1.'
  if (shares > 255 || threshold > 255) return 'Shares and threshold must be at most 255.'
  if (threshold > shares) return 'The threshold must not exceed the number of shares.'
  if (shares > 1 && threshold === 1) return 'With several shares the threshold must be at least 2.'
  return undefined
}

/** Brings the key back from shares. With too few, or with shares of another key, the result is some other key. */
export function combineShares(shares: readonly Uint8Array[]): Buffer {
  const [first] = shares
  if (shares.length === 1 && first?.length === keyBytes) return Buffer.from(first)
  const points = shares.map((share) => share[keyBytes] ?? 0)
  if (shares.length < 2 || shares.some((share) => share.length !== shareBytes) || points.includes(0)) {
    throw failure(
      'invalid',
      'shamir.bad-share',
      `Every share must have ${shareBytes} bytes, and there must be two or more.`,
    )
  }
  if (new Set(points).size !== points.length) {
    throw failure('invalid', 'shamir.doubled-share', 'The same share was given twice.')
  }
  const key = Buffer.alloc(keyBytes)
  for (const [index, share] of shares.entries()) {
    const weight = weightAtZero(points, index)
    for (let at = 0; at < keyBytes; at++) key[at] = (key[at] ?? 0) ^ multiply(share[at] ?? 0, weight)
  }
  return key
}

/** Horner's rule, all bytes of the key at once. */
function shareAt(coefficients: readonly Buffer[], x: number): Buffer {
  const share = Buffer.alloc(shareBytes)
  for (const coefficient of coefficients.toReversed()) {
    for (let at = 0; at < keyBytes; at++) share[at] = multiply(share[at] ?? 0, x) ^ (coefficient[at] ?? 0)
  }
  share[keyBytes] = x
  return share
}

/** Lagrange's weight of one point for the value at 0. In this field subtraction is exclusive or. */
function weightAtZero(points: readonly number[], index: number): number {
  const own = points[index] ?? 0
  let weight = 1
  for (const [other, x] of points.entries()) {
    if (other !== index) weight = multiply(weight, multiply(x, inverse(x ^ own)))
  }
  return weight
}

/**
 * Multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, with masks instead of branches or tables: neither time nor
 * memory access depends on the bytes.
 */
export function multiply(a: number, b: number): number {
  let product = 0
  let factor = a
  for (let bit = 0; bit < 8; bit++) {
    product ^= -((b >> bit) & 1) & factor
    factor = ((factor << 1) ^ (-(factor >> 7) & 0x11b)) & 0xff
  }
  return product
}

/** a^254, since a^255 = 1 for every a but 0. */
function inverse(a: number): number {
  let result = 1
  for (let bit = 7; bit >= 0; bit--) {
    result = multiply(result, result)
    if (bit > 0) result = multiply(result, a)
  }
  return result
}
