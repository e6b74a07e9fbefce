import type { Caller } from '../../../archive/index.ts'
import { permissionDenied } from '../../../kit/access.ts'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { data, type Reply } from '../../../kit/reply.ts'
import { requireStillAllowed } from '../../../kit/still-allowed.ts'
import { archiveBody } from './archive-wire.ts'
import { restore } from './restore-actions.ts'
import {
  keyHeaders,
  keyOf,
  RestoreAnswer,
  RestoreQuery,
  restoreAnswer,
  restoreWarnings,
  sparedText,
} from './restore-wire.ts'
import { revokeRevivedTokens } from './restored-token-store.ts'

type RestoreCall = Pick<
  Call<unknown, { revoke_tokens?: boolean }>,
  'deps' | 'caller' | 'stream' | 'query' | 'request' | 'signal' | 'warn'
>

const restoreHandler =
  ({ force }: { force: boolean }) =>
  async (call: RestoreCall): Promise<Reply> => {
    const { deps, stream, query, request, signal, warn } = call
    const since = deps.clock.monotonic()
    const checkAgain = () => requireStillAllowed(call, { since, operation: 'update' })
    const revokeFor = query.revoke_tokens ? callerOf(call) : undefined
    const report = await restore(deps, stream, { force, revokeFor, key: keyOf(request), signal, checkAgain })
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
    handle: restoreHandler({ force: false }),
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
    handle: restoreHandler({ force: true }),
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
