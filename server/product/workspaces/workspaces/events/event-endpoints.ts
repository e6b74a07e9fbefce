import {
  actorOf,
  inOrganization,
  type OrganizationGrants,
  organizationInPath,
} from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { ChangeReader, type FeedCursor, type FeedScope, readCursor } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { bytes, type Reply } from '../../../../kit/reply.ts'
import { onWorkspace, workspaceInPath } from '../workspace-access-actions.ts'
import { openStream, streamEvents } from './event-actions.ts'
import { eventSchema } from './event-fields.ts'

const mediaType = 'text/event-stream'

/** Proxies that buffer answers would hold events back. */
const headers = { 'X-Accel-Buffering': 'no' }

type EventsCall = Pick<Call, 'deps' | 'caller' | 'request' | 'signal'>

function cursorOf({ request }: EventsCall): FeedCursor | undefined {
  const sent = request.headers['last-event-id']
  if (sent === undefined || sent === '') return undefined
  const cursor = typeof sent === 'string' ? readCursor(sent) : undefined
  if (cursor) return cursor
  throw failure('malformed', 'events.last-id', 'Last-Event-ID is not the id of an event of this stream.')
}

async function answerEvents(call: EventsCall, grants: OrganizationGrants, scope: FeedScope): Promise<Reply> {
  const { deps, signal } = call
  const { kind, id } = actorOf(call.caller)
  const reader = await ChangeReader.open(deps, scope, cursorOf(call))
  const stream = openStream(deps, { caller: `${kind}:${id}`, signal }, (until) =>
    streamEvents(call, { scope, reader, grants, signal: until }),
  )
  return bytes(mediaType, stream, { headers })
}

const common = {
  description:
    'An unending response of type text/event-stream. Events are named locked, unlocked, changed, deleted, tags and ' +
    'state; their data is a JSON document. A client that sends the id of the last event it received as ' +
    '`Last-Event-ID` misses nothing, but may receive the events of the last few seconds twice; the id of an event ' +
    'is that of its change. The stream ends when the token is revoked, a ' +
    'snapshot is restored or the server stops.',
  headers: { 'Last-Event-ID': 'The id of the last event received; the stream continues after it.' },
  returns: { 200: eventSchema },
  mediaType,
  fails: ['malformed', 'missing', 'rate-limited', 'unavailable'],
  deadline: 0,
} as const

/** What happens to workspaces, as it happens. */
export const eventEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...common,
    id: 'workspace-events.of-organization',
    route: 'GET /organizations/:organization/events',
    summary: 'Stream events of the workspaces you can see in an organization.',
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    handle: (call) => answerEvents(call, call.subject, { organizationId: call.subject.organizationId }),
  }),
  endpoint({
    ...common,
    id: 'workspace-events.of-workspace',
    route: 'GET /workspaces/:workspaceId/events',
    summary: 'Stream events of a workspace.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    handle: (call) => {
      const { id, organizationId } = call.subject.resource
      return answerEvents(call, call.subject.grants, { organizationId, workspaceId: id })
    },
  }),
])
