import { unmaskToken } from '../../../../crypto/token-mask.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, open, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { bare, data, nothing } from '../../../../kit/reply.ts'
import { countersFor, forgetAttempt, takeAttempt } from '../../../../kit/throttling/index.ts'
import { fingerprintsOf } from '../key-change-actions.ts'
import type { ShareRound } from '../seal.ts'
import { requireSeal } from '../seal-node-actions.ts'
import { shareFields, shareOf } from '../share-rounds/share-round-fields.ts'
import {
  currentGeneration,
  giveRootShare,
  newOtp,
  otpLength,
  startGeneration,
  stopGeneration,
} from './root-generation-actions.ts'

/** How far the making of a root token has come. Clients expect every field in every answer. */
const RootGeneration = model('RootGeneration', {
  started: Type.Boolean({ description: 'Whether a root token is being made.' }),
  nonce: Type.String({ description: 'Identifies the operation; every share has to name it.' }),
  progress: Type.Integer({ description: 'Number of shares given so far.' }),
  required: Type.Integer({ description: 'Number of shares required; 1 for the recovery key of an auto seal.' }),
  complete: Type.Boolean({ description: 'Whether this answer holds the token.' }),
  encoded_token: Type.String({ description: 'The token, masked with the one-time password or encrypted.' }),
  encoded_root_token: Type.String({ description: 'The same, as older clients call it.' }),
  pgp_fingerprint: Type.String({ description: 'Fingerprint of the PGP key, if there is one.' }),
  otp: Type.String({ description: 'The one-time password, once, if the server made it.' }),
  otp_length: Type.Integer({ description: 'The length that a one-time password must have.' }),
})

/** What is shown once beside the progress. */
type ShownOnce = { readonly otp?: string; readonly encodedToken?: string }

async function statusOf(
  deps: Deps,
  row: ShareRound | undefined,
  { otp = '', encodedToken = '' }: ShownOnce = {},
): Promise<object> {
  const [fingerprint = ''] = row ? await fingerprintsOf(JSON.parse(row.pgp_keys) as string[]) : []
  return {
    started: row !== undefined,
    nonce: row?.nonce ?? '',
    progress: row?.given_count ?? 0,
    required: (await requireSeal(deps)).threshold,
    complete: encodedToken !== '',
    encoded_token: encodedToken,
    encoded_root_token: encodedToken,
    pgp_fingerprint: fingerprint,
    otp,
    otp_length: otpLength(deps),
  }
}

const startFields = Type.Object({
  otp: field.text('A one-time password as long as `otp_length`, with which the token is masked.'),
  pgp_key: field.text('A public PGP key in base64, with which the token is encrypted.'),
})

const decodeFields = Type.Object({
  encoded_token: field.text('The encoded token.'),
  otp: field.text('The one-time password.'),
})

const openIf: NonNullable<Parameters<typeof acl>[0]>['openIf'] = ({ openRootGeneration }) => openRootGeneration

/**
 * A root token for holders of enough key shares. By default everything needs a token, as the making of new shares does:
 * without one, anybody could hinder the holders. Who has none uses `create-root-token` at the server, or the setting.
 */
export const rootGenerationEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'root.status',
    bareAnswer: true,
    route: 'GET /generate-root/attempt',
    summary: 'Read how far the making of a root token has come.',
    access: acl({ openIf }),
    returns: { 200: RootGeneration },
    handle: async ({ deps }) => bare(await statusOf(deps, await currentGeneration(deps))),
  }),
  endpoint({
    id: 'root.start',
    bareAnswer: true,
    route: 'POST /generate-root/attempt',
    summary: 'Start to make a root token from key shares.',
    description: 'Without a PGP key and a one-time password, the server makes one and shows it in this answer alone.',
    access: acl({ sudo: true, openIf }),
    body: fields(startFields),
    returns: { 200: RootGeneration },
    fails: ['invalid'],
    handle: async ({ deps, body: { otp, pgp_key: pgpKey } }) => {
      const made = otp || pgpKey ? undefined : newOtp(deps)
      const row = await startGeneration(deps, { otp: made ?? otp, pgpKey })
      return bare(await statusOf(deps, row, made ? { otp: made } : {}))
    },
  }),
  endpoint({
    id: 'root.cancel',
    route: 'DELETE /generate-root/attempt',
    summary: 'Cancel the making of a root token.',
    access: acl({ sudo: true, openIf }),
    returns: { 204: null },
    handle: async ({ deps }) => {
      await stopGeneration(deps)
      return nothing()
    },
  }),
  endpoint({
    id: 'root.give-share',
    bareAnswer: true,
    route: 'POST /generate-root/update',
    summary: 'Give one key share, or the recovery key; the last one needed makes the root token.',
    access: acl({ openIf }),
    body: fields(shareFields),
    returns: { 200: RootGeneration },
    fails: ['invalid', 'conflict', 'rate-limited'],
    handle: async ({ deps, request, body }) => {
      const share = shareOf(body)
      const attempt = await takeAttempt(deps, countersFor(undefined, request.remoteAddress))
      const { row, encodedToken } = await giveRootShare(deps, share)
      await forgetAttempt(deps, attempt)
      return bare(await statusOf(deps, row, { encodedToken }))
    },
  }),
  endpoint({
    id: 'root.decode-token',
    route: 'POST /decode-token',
    summary: 'Show the root token behind a one-time password.',
    access: open('It computes with what the caller sends, and knows nothing else.'),
    body: fields(decodeFields),
    returns: { 200: Type.Object({ token: Type.String({ description: 'The token.' }) }) },
    fails: ['invalid'],
    handle: ({ body: { encoded_token: encoded, otp } }) => {
      if (!encoded) throw failure('invalid', 'root.no-token', "Give the encoded token as 'encoded_token'.")
      if (!otp) throw failure('invalid', 'root.no-otp', "Give the one-time password as 'otp'.")
      return data({ token: unmaskToken(encoded, otp) })
    },
  }),
])
