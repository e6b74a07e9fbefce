import type { Instant } from '../../../../../kernel/clock.ts'

/** What is known about a stored revocation list without reading it. */
export type StoredCrl = {
  /** As first written; compared without case. */
  readonly name: string
  /** Where it is fetched from; empty for one that was uploaded. */
  readonly url: string
  /** The name of its bytes. */
  readonly blobId: string
  readonly size: number
  readonly entries: number
  readonly issuer: string
  /** SHA-256 of the key that signed it, when a role trusts that key; empty for unverified, or `forgedSigner`. */
  readonly signerKey: string
  readonly number: string | undefined
  readonly thisUpdate: Instant
  readonly nextUpdate: Instant | undefined
  readonly updatedAt: Instant
  /** When it is fetched again; 0 for one that was uploaded. */
  readonly refreshAt: Instant
  readonly lastError: string
  readonly lastErrorAt: Instant
}

/** In place of a key: the list was stored before its issuer was known, and now it is known that the issuer did not sign it. */
export const forgedSigner = 'forged'
