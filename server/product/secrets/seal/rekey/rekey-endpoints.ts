import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { bare, nothing } from '../../../../kit/reply.ts'
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
import {
  RekeyResult,
  RekeyStatus,
  rekeyResultOf,
  rekeyStatusOf,
  VerificationResult,
  VerificationStatus,
  verificationStatusOf,
} from './rekey-wire.ts'

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
    route: 'DELETE /rekey/verify',
    summary: 'Forget the new key shares given so far; the verification starts again with another nonce.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps }) => {
      await restartVerification(deps)
      return nothing()
    },
  }),
])
