import { lengthOfShare } from '../seal.ts'

/** How long the holders have to give their shares before all of it is given up. */
export const longestRoundMs: number = 24 * 60 * 60_000

/** Shares that lie one after another, as they are stored, as single ones that can be wiped. */
export function sharesIn(bytes: Buffer, shares: number): Buffer[] {
  const length = lengthOfShare(shares)
  return Array.from({ length: bytes.length / length }, (_, index) =>
    Buffer.from(bytes.subarray(index * length, (index + 1) * length)),
  )
}

/** One share more; the same one twice counts once. */
export const withShare = (given: readonly Buffer[], share: Buffer): Buffer[] =>
  given.some((known) => known.equals(share)) ? [...given] : [...given, share]

/** Overwrites secret bytes. */
export function wipe(secrets: readonly Buffer[]): void {
  for (const each of secrets) each.fill(0)
}
