import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { bare, nothing } from '../../../../kit/reply.ts'
import { fingerprintsOf, type ShownShares } from '../key-change-actions.ts'
import type { RekeyRow, SealRow } from '../seal.ts'
import {
  currentRekey,
  type GivenShare,
  giveShare,
  requireShares,
  restartVerification,
  startRekey,
  stopRekey,
  verifyShare,
} from './rekey-actions.ts'

/** How far the making of new shares has come. */
const RekeyStatus = model('RekeyStatus', {
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
const RekeyResult = model('RekeyResult', {
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
const VerificationStatus = model('RekeyVerificationStatus', {
  started: Type.Boolean({ description: 'Whether there are new shares to verify.' }),
  nonce: Type.String({ description: 'Identifies the verification; every share has to name it.' }),
  t: Type.Integer({ description: 'Number of new shares required.' }),
  n: Type.Integer({ description: 'Number of new shares.' }),
  progress: Type.Integer({ description: 'Number of new shares given so far.' }),
})

/** The end of a verification. */
const VerificationResult = model('RekeyVerificationResult', {
  nonce: Type.String({ description: 'Identifies the verification.' }),
  complete: Type.Boolean({ description: 'Always true: the new shares have replaced the others.' }),
})

/** The answer to a question for the progress. */
async function rekeyStatusOf(seal: SealRow, row: RekeyRow | undefined): Promise<object> {
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
const rekeyResultOf = async (row: RekeyRow, shown: ShownShares): Promise<object> => ({
  nonce: row.nonce,
  complete: true,
  ...shown,
  pgp_fingerprints: await fingerprints(row),
  backup: false,
  ...verificationOf(row),
})

/** The answer to a question for the progress of the verification. */
const verificationStatusOf = (row: RekeyRow | undefined): object => ({
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

const startFields = Type.Object({
  secret_shares: field.whole('Number of new key shares.'),
  secret_threshold: field.whole('Number of them required to unseal.'),
  pgp_keys: field.list('Public PGP keys in base64, one for each share; each share is encrypted with its key.'),
  require_verification: field.flag('Whether the new shares count only after they were verified; recommended.'),
  backup: field.flag('Must not be true: no copy of encrypted shares is kept.'),
})

const shareFields = Type.Object({
  key: field.text('One key share, in hex or base64.'),
  nonce: field.text('The nonce of the operation.'),
})

function givenShare({ key, nonce }: { key?: string | undefined; nonce?: string | undefined }): GivenShare {
  if (!key) throw failure('invalid', 'rekey.no-key', "Give a key share as 'key'.")
  if (!nonce) throw failure('invalid', 'rekey.no-nonce', "Give the nonce of the operation as 'nonce'.")
  return { key, nonce }
}

/**
 * New key shares for a store that is opened with shares. Everything needs a token: without one, anybody could hinder the
 * holders by cancelling what they have begun.
 */
export const rekeyEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'rekey.status',
    bareAnswer: true,
    route: 'GET /rekey/init',
    summary: 'Read how far the making of new key shares has come.',
    access: acl(),
    returns: { 200: RekeyStatus },
    fails: ['missing'],
    handle: async ({ deps }) => bare(await rekeyStatusOf(await requireShares(deps), await currentRekey(deps))),
  }),
  endpoint({
    id: 'rekey.start',
    bareAnswer: true,
    route: 'POST /rekey/init',
    summary: 'Start to make new key shares.',
    description: 'Nothing changes until enough holders have given their present shares.',
    access: acl({ sudo: true }),
    body: fields(startFields),
    returns: { 200: RekeyStatus },
    fails: ['missing', 'invalid'],
    handle: async ({ deps, body }) => {
      if (body.backup)
        throw failure('invalid', 'rekey.backup', 'No copy of encrypted shares is kept: leave out backup.')
      const { secret_shares: shares = 0, secret_threshold: threshold = 0, pgp_keys: pgpKeys = [] } = body
      const started = await startRekey(deps, { shares, threshold, pgpKeys }, body.require_verification ?? false)
      return bare(await rekeyStatusOf(await requireShares(deps), started))
    },
  }),
  endpoint({
    id: 'rekey.cancel',
    route: 'DELETE /rekey/init',
    summary: 'Cancel the making of new key shares; the present ones stay.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    handle: async ({ deps }) => {
      await stopRekey(deps)
      return nothing()
    },
  }),
  endpoint({
    id: 'rekey.give-share',
    bareAnswer: true,
    route: 'POST /rekey/update',
    summary: 'Give one of the present key shares; with the last one needed, the new shares are shown once.',
    access: acl(),
    body: fields(shareFields),
    returns: { 200: Type.Union([RekeyStatus, RekeyResult]) },
    fails: ['invalid', 'conflict'],
    handle: async ({ deps, body }) => {
      const { row, shown } = await giveShare(deps, givenShare(body))
      return bare(await (shown ? rekeyResultOf(row, shown) : rekeyStatusOf(await requireShares(deps), row)))
    },
  }),
  endpoint({
    id: 'rekey.verification-status',
    bareAnswer: true,
    route: 'GET /rekey/verify',
    summary: 'Read how far the verification of new key shares has come.',
    access: acl(),
    returns: { 200: VerificationStatus },
    handle: async ({ deps }) => bare(verificationStatusOf(await currentRekey(deps))),
  }),
  endpoint({
    id: 'rekey.verify-share',
    bareAnswer: true,
    route: 'POST /rekey/verify',
    summary: 'Give one of the new key shares; with the last one needed, they replace the present ones.',
    access: acl(),
    body: fields(shareFields),
    returns: { 200: Type.Union([VerificationStatus, VerificationResult]) },
    fails: ['invalid', 'conflict'],
    handle: async ({ deps, body }) => {
      const { row, isComplete } = await verifyShare(deps, givenShare(body))
      return bare(isComplete ? { nonce: row.verification_nonce, complete: true } : verificationStatusOf(row))
    },
  }),
  endpoint({
    id: 'rekey.restart-verification',
    bareAnswer: true,
    route: 'DELETE /rekey/verify',
    summary: 'Forget the new key shares given so far; the verification starts again with another nonce.',
    access: acl({ sudo: true }),
    returns: { 200: VerificationStatus },
    fails: ['invalid'],
    handle: async ({ deps }) => bare(verificationStatusOf(await restartVerification(deps))),
  }),
])
