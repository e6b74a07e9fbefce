import { acl, type Call, defineMountEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { data, type Reply } from '../../../kit/reply.ts'
import { archiveBody } from './archive-wire.ts'
import { restore } from './restore-actions.ts'
import { keyHeaders, keyOf, RestoreAnswer, RestoreQuery, restoreAnswer, restoreWarnings } from './restore-wire.ts'
import { revokeRevived } from './restored-token-store.ts'

type RestoreCall = Pick<
  Call<unknown, { revoke_tokens?: boolean }>,
  'deps' | 'stream' | 'query' | 'request' | 'signal' | 'warn'
>

const answering =
  (force: boolean) =>
  async ({ deps, stream, query, request, signal, warn }: RestoreCall): Promise<Reply> => {
    const revokeTokens = query.revoke_tokens ?? false
    const report = await restore(deps, stream, { force, revokeTokens, key: keyOf(request), signal })
    for (const text of restoreWarnings(report, revokeTokens)) warn(text)
    return data(restoreAnswer(report))
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
export const restoreEndpoints: readonly Endpoint[] = defineMountEndpoints('system', [
  endpoint({
    ...common,
    id: 'snapshots.restore',
    route: 'POST /storage/raft/snapshot',
    summary: 'Replace everything in the store by a snapshot.',
    description:
      'The snapshot is restored beside the running data and compared first; then all of it is put in place in one step. What fails before that leaves everything as it is. Only snapshots made with the keys of this server are taken.',
    handle: answering(false),
  }),
  endpoint({
    ...common,
    id: 'snapshots.restore-by-force',
    route: 'POST /storage/raft/snapshot-force',
    summary: 'Replace everything in the store by a snapshot of another server.',
    description:
      'As without force, and snapshots made with other keys are taken too. With the seal key or the recovery key of that server in the header `X-Holdfast-Seal-Key` or `X-Holdfast-Recovery-Key` its secrets open at once; without, the server is sealed afterwards.',
    headers: keyHeaders,
    handle: answering(true),
  }),
  endpoint({
    id: 'snapshots.revoke-revived-tokens',
    route: 'POST /storage/raft/snapshot/revoke-tokens',
    summary: 'End the tokens that the last restore brought back to life.',
    access: acl({ sudo: true }),
    returns: {
      200: Type.Object({
        tokens: Type.Integer({ description: 'Tokens that were revoked.' }),
        api_tokens: Type.Integer({ description: 'API tokens that were deleted.' }),
        sessions: Type.Integer({ description: 'Sessions that were ended.' }),
      }),
    },
    fails: ['forbidden', 'sealed'],
    handle: async ({ deps }) => {
      const { tokens, apiTokens, sessions } = await revokeRevived(deps.db)
      return data({ tokens, api_tokens: apiTokens, sessions })
    },
  }),
])
