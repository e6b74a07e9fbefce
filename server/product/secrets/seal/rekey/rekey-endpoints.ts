import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { bare, data, nothing } from '../../../../kit/reply.ts'
import { fingerprintsOf, type ShownShares } from '../key-change-actions.ts'
import type { SealRow, ShareRound } from '../seal.ts'
import { shareFields, shareOf } from '../share-rounds/share-round-fields.ts'
import {
  currentRekey,
  giveShare,
  noBackup,
  readBackup,
  removeBackup,
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
  backup: Type.Boolean({ description: 'Whether a copy of the encrypted shares is kept.' }),
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
  backup: Type.Boolean({ description: 'Whether a copy of these encrypted shares is kept.' }),
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
async function rekeyStatusOf(seal: SealRow, row: ShareRound | undefined): Promise<object> {
  return {
    started: row !== undefined,
    nonce: row?.nonce ?? '',
    t: row?.threshold ?? 0,
    n: row?.shares ?? 0,
    progress: row && !row.next_root_key ? row.given_count : 0,
    required: seal.threshold,
    pgp_fingerprints: row ? await fingerprints(row) : null,
    backup: row?.keeps_backup === 1,
    ...verificationOf(row),
  }
}

/** The answer to the share that was the last one needed. */
const rekeyResultOf = async (row: ShareRound, shown: ShownShares): Promise<object> => ({
  nonce: row.nonce,
  complete: true,
  ...shown,
  pgp_fingerprints: await fingerprints(row),
  backup: row.keeps_backup === 1,
  ...verificationOf(row),
})

/** The answer to a question for the progress of the verification. */
const verificationStatusOf = (row: ShareRound | undefined): object => ({
  started: Boolean(row?.next_root_key),
  nonce: row?.verification_nonce ?? '',
  t: row?.next_root_key ? row.threshold : 0,
  n: row?.next_root_key ? row.shares : 0,
  progress: row?.next_root_key ? row.given_count : 0,
})

const verificationOf = (row: ShareRound | undefined): object => ({
  verification_required: row?.needs_verification === 1,
  ...(row?.verification_nonce ? { verification_nonce: row.verification_nonce } : {}),
})

async function fingerprints(row: ShareRound): Promise<string[] | null> {
  const keys = JSON.parse(row.pgp_keys) as string[]
  return keys.length > 0 ? await fingerprintsOf(keys) : null
}

const startFields = Type.Object({
  secret_shares: field.whole('Number of new key shares.'),
  secret_threshold: field.whole('Number of them required to unseal.'),
  pgp_keys: field.list('Public PGP keys in base64, one for each share; each share is encrypted with its key.'),
  require_verification: field.flag('Whether the new shares count only after they were verified; recommended.'),
  backup: field.flag('Whether to keep a copy of the shares, encrypted with `pgp_keys`, for sys/rekey/backup.'),
})

/** Encrypted shares that were kept. */
const Backup = model('RekeyBackup', {
  nonce: Type.String({ description: 'The operation that made the shares.' }),
  keys: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The encrypted shares in hex, by the fingerprint of the PGP key of their holder.',
  }),
  keys_base64: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'The same shares in base64.' }),
})

const toBase64 = (shares: readonly string[]): string[] =>
  shares.map((share) => Buffer.from(share, 'hex').toString('base64'))

async function backupOf(deps: Deps): Promise<Record<string, unknown>> {
  const { nonce, shares } = await readBackup(deps)
  const base64 = Object.entries(shares).map(([fingerprint, held]) => [fingerprint, toBase64(held)])
  return { nonce, keys: shares, keys_base64: Object.fromEntries(base64) }
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
      const started = await startRekey(deps, {
        shares: body.secret_shares ?? 0,
        threshold: body.secret_threshold ?? 0,
        pgpKeys: body.pgp_keys ?? [],
        needsVerification: body.require_verification ?? false,
        keepsBackup: body.backup ?? false,
      })
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
      const { row, shown } = await giveShare(deps, shareOf(body))
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
      const { row, isComplete } = await verifyShare(deps, shareOf(body))
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
  endpoint({
    id: 'rekey.read-backup',
    route: 'GET /rekey/backup',
    summary: 'Read the encrypted key shares that were kept, by the PGP key of their holder.',
    access: acl({ sudo: true }),
    doubleRendered: true,
    returns: { 200: Backup },
    fails: ['invalid'],
    handle: async ({ deps }) => data(await backupOf(deps)),
  }),
  endpoint({
    id: 'rekey.delete-backup',
    route: 'DELETE /rekey/backup',
    summary: 'Remove the encrypted key shares that were kept.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    handle: async ({ deps }) => {
      await removeBackup(deps)
      return nothing()
    },
  }),
  endpoint({
    id: 'rekey.read-recovery-backup',
    route: 'GET /rekey/recovery-key-backup',
    summary: 'Always refused: a recovery key is made with the store and never again, so there is no copy.',
    access: acl({ sudo: true }),
    fails: ['invalid'],
    handle: () => {
      throw noBackup()
    },
  }),
  endpoint({
    id: 'rekey.delete-recovery-backup',
    route: 'DELETE /rekey/recovery-key-backup',
    summary: 'Do nothing: there is no copy of a recovery key.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    handle: () => nothing(),
  }),
])
