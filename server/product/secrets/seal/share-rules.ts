import { decodeShare, keyBytes, shareBytes } from '../../../crypto/key-shares.ts'
import { failure } from '../../../kernel/failure.ts'

/** The length of each share of a key that is split into this many; a single one is the key itself. */
export const lengthOfShare = (shares: number): number => (shares === 1 ? keyBytes : shareBytes)

/** Reads one share of so many. */
export function readShare(text: string, shares: number): Buffer {
  const given = decodeShare(text)
  requireLength(given, shares)
  return given
}

/** Refuses what cannot be one of so many shares: it would count, and make the good ones useless in the end. */
export function requireLength(share: Buffer, shares: number): void {
  const length = lengthOfShare(shares)
  if (share.length !== length) throw failure('invalid', 'share.wrong-length', `The key must have ${length} bytes.`)
}
