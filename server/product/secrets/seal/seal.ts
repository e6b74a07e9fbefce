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

/** What holders give their shares for: new shares, or a root token. */
export type ShareRoundId = 'rekey' | 'generate-root'

/** Holders are giving their key shares, for what the id says. */
export interface ShareRound {
  id: string
  /** The keyring whose shares are given; after a restore it may be another. */
  keyring_id: string
  nonce: string
  /** Of the new shares, or of those that are given for a root token. */
  shares: number
  threshold: number
  /** The PGP keys of those who get the outcome, as a JSON list of base64 texts. */
  pgp_keys: string
  /** 1 if the new shares count only after their holders have proved that they have them. */
  needs_verification: number
  /** 1 if a copy of the new shares is to be kept, encrypted for their holders. */
  keeps_backup: number
  /** What the root token is masked with, sealed; null if it is encrypted with a PGP key. */
  otp: Uint8Array | null
  /** The shares given so far, sealed: those in use, and after `next_root_key` the new ones. */
  given: Uint8Array
  given_count: number
  /** The root key that the new shares open, sealed, while their verification is awaited. */
  next_root_key: Uint8Array | null
  verification_nonce: string
  /** The copy of the new shares, sealed, while their verification is awaited. */
  backup: Uint8Array | null
  revision: number
  started_at: number
}

/** The encrypted shares that open the store, sealed; at most one row. */
export interface RekeyBackupRow {
  id: string
  keyring_id: string
  nonce: string
  shares: Uint8Array
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
    rekey: ShareRound
    rekey_backup: RekeyBackupRow
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
