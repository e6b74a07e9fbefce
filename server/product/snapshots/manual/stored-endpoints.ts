import type { Readable } from 'node:stream'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import type { Reply } from '../../../kit/reply.ts'
import { requireLicence } from '../licence.ts'
import { openStoredSnapshot } from '../status/inventory-actions.ts'
import { fileParams } from '../status/inventory-endpoints.ts'
import { InspectionAnswer, PreviewAnswer } from './archive-fields.ts'
import { RestoreAnswer, RestoreQuery, restoreReply } from './restore-endpoints.ts'
import { inspect, preview } from './save-endpoints.ts'

/** Reads a stored snapshot from its destination for as long as the work with it takes. */
async function withStored(
  { deps, params: { name = '', file = '' }, signal }: Pick<Call, 'deps' | 'params' | 'signal'>,
  work: (stream: Readable) => Promise<Reply>,
): Promise<Reply> {
  requireLicence(deps)
  const { stream } = await openStoredSnapshot(deps, name, file, signal)
  try {
    return await work(stream)
  } finally {
    stream.destroy()
  }
}

const base = '/storage/raft/snapshot-auto/snapshots/:name/:file'
const common = { access: acl({ sudo: true }), params: fileParams, deadline: 0 } as const

/** What can be done with a stored snapshot where it lies, without downloading and sending it. */
export const storedEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...common,
    id: 'snapshots.inspect-stored',
    route: `POST ${base}/inspect`,
    summary: 'Inspect a stored snapshot: read it from end to end and summarize its content.',
    returns: { 200: InspectionAnswer },
    fails: ['missing', 'upstream', 'invalid', 'sealed', 'no-space'],
    handle: (call) => withStored(call, (stream) => inspect({ ...call, stream })),
  }),
  endpoint({
    ...common,
    id: 'snapshots.preview-stored',
    route: `POST ${base}/preview`,
    summary: 'Preview a restore: show what restoring this stored snapshot would change.',
    description: 'Changes nothing. Counts for each table the rows that would come back, be lost or change.',
    returns: { 200: PreviewAnswer },
    fails: ['missing', 'upstream', 'invalid', 'sealed', 'no-space'],
    handle: (call) => withStored(call, (stream) => preview({ ...call, stream })),
  }),
  endpoint({
    ...common,
    id: 'snapshots.restore-stored',
    route: `POST ${base}/restore`,
    summary: 'Restore a stored snapshot, replacing everything in the store.',
    description:
      'The server reads the snapshot from its destination. Otherwise this is a restore without force: only snapshots ' +
      'made with the keys of this server are accepted, and a failure changes nothing.',
    query: RestoreQuery,
    returns: { 200: RestoreAnswer },
    fails: ['missing', 'upstream', 'invalid', 'conflict', 'sealed', 'unavailable', 'no-space'],
    handle: (call) => withStored(call, (stream) => restoreReply(call, stream, { force: false })),
  }),
])
