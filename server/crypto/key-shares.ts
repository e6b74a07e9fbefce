import { combine, split } from 'shamir-secret-sharing'
import { failure } from '../kernel/failure.ts'

/** Length of the key that is split. */
export const keyBytes = 32

/** Length of a share: one byte per byte of the key, and the number of the share at the end. */
export const shareBytes: number = keyBytes + 1

/** Splits a key so that any `threshold` of `shares` bring it back and fewer say nothing. One share of one is the key itself. */
export async function splitKey(
  key: Uint8Array,
  { shares, threshold }: { shares: number; threshold: number },
): Promise<Buffer[]> {
  const problem = splitProblem(shares, threshold)
  if (problem) throw failure('invalid', 'shamir.bad-split', problem)
  if (key.length !== keyBytes) throw failure('invalid', 'shamir.bad-key', `The key must have ${keyBytes} bytes.`)
  if (shares === 1) return [Buffer.from(key)]
  const copy = Uint8Array.from(key)
  try {
    return (await split(copy, shares, threshold)).map(({ buffer }) => Buffer.from(buffer))
  } finally {
    copy.fill(0)
  }
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
export async function combineShares(shares: readonly Uint8Array[]): Promise<Buffer> {
  const [first] = shares
  if (shares.length === 1 && first?.length === keyBytes) return Buffer.from(first)
  const numbers = shares.map((share) => share[keyBytes] ?? 0)
  if (shares.length < 2 || shares.some((share) => share.length !== shareBytes) || numbers.includes(0)) {
    const text = `Every share must have ${shareBytes} bytes, and there must be two or more.`
    throw failure('invalid', 'shamir.bad-share', text)
  }
  if (new Set(numbers).size !== numbers.length) {
    throw failure('invalid', 'shamir.doubled-share', 'The same share was given twice.')
  }
  // The package refuses subclasses of Uint8Array, such as Buffer.
  const copies = shares.map((share) => Uint8Array.from(share))
  try {
    return Buffer.from((await combine(copies)).buffer)
  } finally {
    for (const copy of copies) copy.fill(0)
  }
}

const hexDigits = /^(?:[0-9a-fA-F]{2})+$/
const base64Digits = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Reads a share as people type it. Hex comes first, but only when it gives a share's length, since base64 of a share
 * may consist of hex digits alone.
 */
export function decodeShare(text: string): Buffer {
  const trimmed = text.trim()
  const isHex = hexDigits.test(trimmed)
  if (isHex && isShareLength(trimmed.length / 2)) return Buffer.from(trimmed, 'hex')
  const share = base64Digits.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined
  if (share && isShareLength(share.length)) return share
  if (share || isHex) {
    throw failure('invalid', 'share.wrong-length', `The key must have ${keyBytes} or ${shareBytes} bytes.`)
  }
  throw failure('invalid', 'share.not-decodable', 'The key must be hex or base64.')
}

const isShareLength = (length: number): boolean => length === keyBytes || length === shareBytes
