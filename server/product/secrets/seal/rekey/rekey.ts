import { splitProblem } from '../../../../crypto/key-shares.ts'
import { failure } from '../../../../kernel/failure.ts'

/** What is asked for when new shares are to be made. */
export type RekeyTerms = {
  readonly shares: number
  readonly threshold: number
  readonly pgpKeys: readonly string[]
  readonly needsVerification: boolean
  readonly keepsBackup: boolean
}

/** Refuses what no key can be split into, and a copy of shares that everybody could read. */
export function requireSplit({ shares, threshold, pgpKeys, keepsBackup }: RekeyTerms): void {
  const problem = splitProblem(shares, threshold)
  if (problem) throw failure('invalid', 'rekey.bad-split', problem)
  if (keepsBackup && pgpKeys.length === 0)
    throw failure('invalid', 'rekey.open-backup', 'Only encrypted shares are kept: send pgp_keys with backup.')
}

/** Encrypted shares as they are kept: the fingerprint of each holder's PGP key, and the messages in hex. */
export type SharesByHolder = Readonly<Record<string, readonly string[]>>

/** The shares by holder; one who holds several has them under one fingerprint. */
export function byHolder(fingerprints: readonly string[], shares: readonly string[]): SharesByHolder {
  const held: Record<string, string[]> = {}
  for (const [index, fingerprint] of fingerprints.entries()) {
    held[fingerprint] = [...(held[fingerprint] ?? []), shares[index] ?? '']
  }
  return held
}
