import { decodeShare, keyBytes, shareBytes } from '../../../crypto/key-shares.ts'
import { failure } from '../../../kernel/failure.ts'

/** The one row that says how this store is sealed, with its keys wrapped by the root key. */
export interface SealRow {
  id: string
  wrapped: Uint8Array
  /** Grows with every change of the keys, so that two writers cannot overwrite each other. */
  revision: number
  type: 'auto' | 'shamir'
  shares: number
  threshold: number
  /** The root key wrapped by the recovery key; null with Shamir shares. */
  recovery: Uint8Array | null
  cluster_id: string
  cluster_name: string
  initialised_at: number
}

/** New key shares that are being made for the store; at most one row. */
export interface RekeyRow {
  id: string
  /** The keyring whose root key is to be replaced; after a restore it may be another. */
  keyring_id: string
  nonce: string
  shares: number
  threshold: number
  /** The PGP keys of the holders, as a JSON list of base64 texts. */
  pgp_keys: string
  /** 1 if the new shares count only after their holders have proved that they have them. */
  needs_verification: number
  /** The shares given so far, sealed: those in use, and after `next_root_key` the new ones. */
  given: Uint8Array
  given_count: number
  /** The root key that the new shares open, sealed, while their verification is awaited. */
  next_root_key: Uint8Array | null
  verification_nonce: string
  revision: number
  started_at: number
}

/** A new root key for processes that have the old one, wrapped by a key from the keyring; at most one row, for an hour. */
export interface HandoverRow {
  id: string
  keyring_id: string
  wrapped: Uint8Array
  created_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    seal: SealRow
    rekey: RekeyRow
    root_key_handover: HandoverRow
  }
}

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
