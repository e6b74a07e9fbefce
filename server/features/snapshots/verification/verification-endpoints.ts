import { verifyArchive } from '../../../archive/index.ts'
import { acl, defineMountEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { data } from '../../../kit/reply.ts'
import { archiveBody, VerifyAnswer, verifyAnswer } from '../manual/archive-wire.ts'

/** Proving that a snapshot restores, without touching anything. */
export const verificationEndpoints: readonly Endpoint[] = defineMountEndpoints('system', [
  endpoint({
    id: 'snapshots.verify',
    route: 'POST /storage/raft/snapshot/verify',
    summary: 'Restore a snapshot into a scratch database and compare.',
    description:
      'Nothing changes. A damaged snapshot is answered with `ok: false` and the reason, not refused: that is what was asked.',
    access: acl(),
    body: archiveBody,
    returns: { 200: VerifyAnswer },
    fails: ['forbidden', 'sealed'],
    deadline: 0,
    handle: async ({ deps, stream, signal }) => data(verifyAnswer(await verifyArchive(deps, stream, { signal }))),
  }),
])
