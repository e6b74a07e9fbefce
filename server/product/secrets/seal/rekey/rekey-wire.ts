import { model, Type } from '../../../../kit/endpoint.ts'
import { fingerprintsOf, type ShownShares } from '../key-holders.ts'
import type { RekeyRow, SealRow } from '../seal-row.ts'

/** How far the making of new shares has come. */
export const RekeyStatus = model('RekeyStatus', {
  started: Type.Boolean({ description: 'Whether new shares are being made.' }),
  nonce: Type.String({ description: 'Identifies the operation; every share has to name it.' }),
  t: Type.Integer({ description: 'Number of new shares that will be required.' }),
  n: Type.Integer({ description: 'Number of new shares.' }),
  progress: Type.Integer({ description: 'Number of present shares given so far.' }),
  required: Type.Integer({ description: 'Number of present shares required.' }),
  pgp_fingerprints: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Fingerprints of the PGP keys of the holders; null without them.',
  }),
  backup: Type.Boolean({ description: 'Always false: no copy of encrypted shares is kept.' }),
  verification_required: Type.Boolean({ description: 'Whether the new shares have to be verified before they count.' }),
  verification_nonce: Type.Optional(Type.String({ description: 'The nonce for the verification, once it can begin.' })),
})

/** The new shares. */
export const RekeyResult = model('RekeyResult', {
  nonce: Type.String({ description: 'Identifies the operation.' }),
  complete: Type.Boolean({ description: 'Always true: the new shares exist.' }),
  keys: Type.Array(Type.String(), { description: 'The new shares in hex, or encrypted for their holders.' }),
  keys_base64: Type.Array(Type.String(), { description: 'The same shares in base64.' }),
  pgp_fingerprints: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Fingerprints of the PGP keys of the holders, in the order of the shares; null without them.',
  }),
  backup: Type.Boolean({ description: 'Always false.' }),
  verification_required: Type.Boolean({ description: 'If true, the present shares still count.' }),
  verification_nonce: Type.Optional(Type.String({ description: 'The nonce for the verification.' })),
})

/** How far the verification of new shares has come. */
export const VerificationStatus = model('RekeyVerificationStatus', {
  started: Type.Boolean({ description: 'Whether there are new shares to verify.' }),
  nonce: Type.String({ description: 'Identifies the verification; every share has to name it.' }),
  t: Type.Integer({ description: 'Number of new shares required.' }),
  n: Type.Integer({ description: 'Number of new shares.' }),
  progress: Type.Integer({ description: 'Number of new shares given so far.' }),
})

/** The end of a verification. */
export const VerificationResult = model('RekeyVerificationResult', {
  nonce: Type.String({ description: 'Identifies the verification.' }),
  complete: Type.Boolean({ description: 'Always true: the new shares have replaced the others.' }),
})

/** The answer to a question for the progress. */
export async function rekeyStatusOf(seal: SealRow, row: RekeyRow | undefined): Promise<object> {
  return {
    started: row !== undefined,
    nonce: row?.nonce ?? '',
    t: row?.threshold ?? 0,
    n: row?.shares ?? 0,
    progress: row && !row.next_root_key ? row.given_count : 0,
    required: seal.threshold,
    pgp_fingerprints: row ? await fingerprints(row) : null,
    backup: false,
    ...verificationOf(row),
  }
}

/** The answer to the share that was the last one needed. */
export const rekeyResultOf = async (row: RekeyRow, shown: ShownShares): Promise<object> => ({
  nonce: row.nonce,
  complete: true,
  ...shown,
  pgp_fingerprints: await fingerprints(row),
  backup: false,
  ...verificationOf(row),
})

/** The answer to a question for the progress of the verification. */
export const verificationStatusOf = (row: RekeyRow | undefined): object => ({
  started: Boolean(row?.next_root_key),
  nonce: row?.verification_nonce ?? '',
  t: row?.next_root_key ? row.threshold : 0,
  n: row?.next_root_key ? row.shares : 0,
  progress: row?.next_root_key ? row.given_count : 0,
})

const verificationOf = (row: RekeyRow | undefined): object => ({
  verification_required: row?.needs_verification === 1,
  ...(row?.verification_nonce ? { verification_nonce: row.verification_nonce } : {}),
})

async function fingerprints(row: RekeyRow): Promise<string[] | null> {
  const keys = JSON.parse(row.pgp_keys) as string[]
  return keys.length > 0 ? await fingerprintsOf(keys) : null
}
