import type { ArchiveKey, Caller, RestoreReport } from '../../../archive/index.ts'
import { decodeRootKey } from '../../../crypto/root-keys/root-key.ts'
import { toIso } from '../../../kernel/clock.ts'
import { permissionDenied } from '../../../kit/access.ts'
import {
  acl,
  type Call,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  model,
  type RequestFacts,
  Type,
} from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, type Reply } from '../../../kit/reply.ts'
import { keyHeaderNames } from '../../../kit/secret-headers.ts'
import { requireStillAllowed } from '../../../kit/still-allowed.ts'
import { archiveBody } from './archive-fields.ts'
import { type Restored, restore } from './restore-actions.ts'
import type { DeviceChange } from './restored-device.ts'
import { revokeRevivedTokens } from './restored-token-store.ts'

/** The query of a restore. */
export const RestoreQuery = Type.Object({
  revoke_tokens: field.flag(
    'Revoke every token, API token and session that the snapshot would make valid again: those revoked or expired ' +
      'since it was taken. The token of this call and its parents stay valid. If that token is not part of the ' +
      'snapshot, nothing is revoked: perhaps no valid token would be left.',
  ),
})

const RestoredCount = model('RestoredCount', {
  restored: Type.Integer({ description: 'Number after the restore.' }),
  revived: Type.Integer({ description: 'Number that are valid again but were not before the restore.' }),
})

/** How a restore ended. */
export const RestoreAnswer = model('RestoreResult', {
  created: Type.String({ description: 'The time the data is from.' }),
  entries: Type.Integer({ description: 'Number of rows restored.' }),
  cluster_id: Type.String({ description: 'The cluster the snapshot comes from.' }),
  same_cluster: Type.Boolean({
    description: 'Whether it was taken by this installation. If not, snapshot configurations are paused.',
  }),
  sealed: Type.Boolean({ description: 'Whether the server is sealed now, because it lacks the keys of the snapshot.' }),
  tokens: RestoredCount,
  api_tokens: RestoredCount,
  sessions: RestoredCount,
  tokens_revoked: Type.Boolean({
    description: 'Whether those that are valid again have been revoked, as asked by `revoke_tokens`.',
  }),
})

/** The headers that carry the key of another server. */
const keyHeaders = {
  [keyHeaderNames.root]: 'The content of `seal.key` of the server the snapshot comes from.',
  [keyHeaderNames.recovery]: 'The recovery key of that server, instead of the seal key.',
} as const

/** The key of the server that a snapshot comes from; in a header, since addresses are logged in many places. */
function keyOf({ headers }: Pick<RequestFacts, 'headers'>): ArchiveKey | undefined {
  for (const kind of ['root', 'recovery'] as const) {
    const text = headers[keyHeaderNames[kind].toLowerCase()]
    if (typeof text === 'string' && text !== '')
      return { kind, key: decodeRootKey(text, `the header ${keyHeaderNames[kind]}`) }
  }
  return undefined
}

/** A finished restore as it is answered. */
const restoreAnswer = ({ facts, elsewhere, sealed, tokens, revocation }: RestoreReport): Record<string, unknown> => ({
  created: toIso(facts.takenAt),
  entries: facts.rows,
  cluster_id: facts.clusterId,
  same_cluster: !elsewhere,
  sealed,
  tokens: tokens.tokens,
  api_tokens: tokens.api_tokens,
  sessions: tokens.sessions,
  tokens_revoked: revocation !== undefined && (revocation.isDone || countRevived(tokens) === 0),
})

const pausedText =
  'The snapshot comes from another installation: its snapshot configurations are paused until they are resumed or written again.'

const forgedText =
  'The sealed checksums of the snapshot do not match: it was changed after it was taken, perhaps by somebody without the keys. It was restored only because force was used.'

/** Warnings about consequences that the caller might not expect. */
function restoreWarnings(report: Restored): string[] {
  const { facts, elsewhere, sealed, forged, devices } = report
  const opening =
    facts.sealType === 'shamir'
      ? `give ${facts.sealThreshold} of its ${facts.sealShares} key shares to sys/unseal`
      : 'put its seal key in place and restart the server'
  return [
    ...(forged ? [forgedText] : []),
    ...(sealed ? [`The server is sealed: the snapshot was made with other keys. To open it, ${opening}.`] : []),
    ...tokenWarnings(report),
    ...(elsewhere ? [pausedText] : []),
    ...(devices.removed.length + devices.added.length > 0 ? [devicesText(devices)] : []),
  ]
}

const countRevived = (tokens: RestoreReport['tokens']): number =>
  tokens.tokens.revived + tokens.api_tokens.revived + tokens.sessions.revived

function tokenWarnings({ tokens, revocation }: RestoreReport): string[] {
  const revived = countRevived(tokens)
  if (revived === 0) return []
  if (!revocation) return [revivedText(revived)]
  if (!revocation.isDone) return [keptText(revived)]
  const { spared } = revocation
  return [revokedText(revived - spared), ...(spared > 0 ? [sparedText(spared)] : [])]
}

const revokedText = (count: number): string =>
  `${count} of the restored tokens and sessions were not valid before; they have been revoked.`

const revivedText = (count: number): string =>
  `${count} of the restored tokens and sessions are valid now but were not before: they were revoked, had ended or are unknown here. POST to sys/storage/raft/snapshot/revoke-tokens to end them, except the token of that call and its parents.`

const keptText = (count: number): string =>
  `${count} of the restored tokens and sessions are valid now but were not before. They were not revoked: the token of this request is not valid in the restored data, so perhaps no valid token would be left. POST to sys/storage/raft/snapshot/revoke-tokens with a restored token, which stays valid.`

/** Says which tokens a revocation left valid. */
const sparedText = (count: number): string =>
  `Of the restored tokens, the one of this request and its parents stay valid (${count}). Call sys/storage/raft/snapshot/revoke-tokens with another token to revoke them.`

function devicesText({ removed, added }: DeviceChange): string {
  const changes = [
    ...(removed.length > 0 ? [`gone: ${removed.join(', ')}`] : []),
    ...(added.length > 0 ? [`opened: ${added.join(', ')}`] : []),
  ]
  return `The audit devices are those of the snapshot now (${changes.join('; ')}).`
}

type RestoreCall = Pick<
  Call<unknown, { revoke_tokens?: boolean }>,
  'deps' | 'caller' | 'query' | 'request' | 'signal' | 'warn'
>

/** Restores an archive, and answers how that ended. */
export async function restoreReply(
  call: RestoreCall,
  archive: AsyncIterable<Uint8Array>,
  { force }: { force: boolean },
): Promise<Reply> {
  const { deps, query, request, signal, warn } = call
  const since = deps.clock.monotonic()
  const checkAgain = () => requireStillAllowed(call, { since, operation: 'update' })
  const revokeFor = query.revoke_tokens ? callerOf(call) : undefined
  const report = await restore(deps, archive, { force, revokeFor, key: keyOf(request), signal, checkAgain })
  for (const text of restoreWarnings(report)) warn(text)
  return data(restoreAnswer(report))
}

/** What the caller hangs on. A batch token has no row of its own. */
function callerOf({ caller }: Pick<Call, 'caller'>): Caller {
  if (caller.kind !== 'token') throw permissionDenied()
  const batch = caller.type === 'batch'
  return { tokenId: batch ? caller.parentId : caller.id, batch }
}

const common = {
  access: acl(),
  query: RestoreQuery,
  body: archiveBody,
  returns: { 200: RestoreAnswer },
  fails: ['invalid', 'forbidden', 'conflict', 'sealed', 'unavailable', 'no-space'],
  deadline: 0,
} as const

/** Restoring a snapshot, by force if need be. */
export const restoreEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...common,
    id: 'snapshots.restore',
    route: 'POST /storage/raft/snapshot',
    summary: 'Restore a snapshot, replacing everything in the store.',
    description:
      'The snapshot is first restored next to the live data and verified, then swapped in as one step. A failure ' +
      'before that step changes nothing. Only snapshots made with the keys of this server are accepted.',
    handle: (call) => restoreReply(call, call.stream, { force: false }),
  }),
  endpoint({
    ...common,
    id: 'snapshots.restore-by-force',
    route: 'POST /storage/raft/snapshot-force',
    summary: 'Restore a snapshot from any server, replacing everything in the store.',
    description:
      'Like a restore without force, but snapshots made with other keys are accepted too. Send the seal key or the ' +
      'recovery key of the other server in the header `X-Holdfast-Seal-Key` or `X-Holdfast-Recovery-Key` to open ' +
      'its secrets at once; without either, the server is sealed afterwards.',
    headers: keyHeaders,
    handle: (call) => restoreReply(call, call.stream, { force: true }),
  }),
  endpoint({
    id: 'snapshots.revoke-revived-tokens',
    route: 'POST /storage/raft/snapshot/revoke-tokens',
    summary: 'Revoke the tokens and sessions that the last restore made valid again.',
    description:
      'The token of this call and its parents stay valid, even if they are among them; call again with another token ' +
      'to revoke those too.',
    access: acl({ sudo: true }),
    returns: {
      200: Type.Object({
        tokens: Type.Integer({ description: 'Number of tokens revoked.' }),
        api_tokens: Type.Integer({ description: 'Number of API tokens deleted.' }),
        sessions: Type.Integer({ description: 'Number of sessions ended.' }),
      }),
    },
    fails: ['forbidden', 'sealed'],
    handle: async (call) => {
      const { tokens, apiTokens, sessions, spared } = await revokeRevivedTokens(call.deps.db, callerOf(call))
      if (spared > 0) call.warn(sparedText(spared))
      return data({ tokens, api_tokens: apiTokens, sessions })
    },
  }),
])
