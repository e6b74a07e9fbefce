import { toIso } from '../../../../kernel/clock.ts'
import type { RecordedChange } from '../../../../kit/change-log/change-rules.ts'
import { Type } from '../../../../kit/endpoint.ts'
import { toOne } from '../../../../kit/jsonapi/resource-documents.ts'
import { documentSchema, type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/schemas.ts'
import { type EventName, eventNames } from './event.ts'

const referenceSchema = (description: string) =>
  Type.Object(
    { type: shown.text('Kind.'), id: shown.text('Identifier.'), name: shown.text('Name at that time.') },
    { description },
  )

/** The `data` of an event, as JSON. */
export const eventSchema = documentSchema(
  resourceSchema('workspace-events', {
    attributes: {
      event: Type.Union(
        eventNames.map((name) => Type.Literal(name)),
        { description: 'What happened; the name of the event.' },
      ),
      action: shown.text('The action in the change log: create, update, lock, force-unlock, expire-lock, …'),
      subject: referenceSchema('What was changed: the workspace, or something in it.'),
      actor: referenceSchema('Who did it.'),
      changed: shown.texts('Names of the changed attributes; read the workspace for their values.'),
      'created-at': shown.time('When it happened.'),
    },
    relationships: { organization: 'The organization.', workspace: 'The workspace.' },
  }),
)

const toEventResource = (change: RecordedChange, event: EventName, organizationName: string): Resource => ({
  type: 'workspace-events',
  id: change.id,
  attributes: {
    event,
    action: change.action,
    subject: change.subject,
    actor: { type: change.author.kind, id: change.author.id, name: change.author.name },
    changed: Object.keys(change.after ?? {}),
    'created-at': toIso(change.at),
  },
  relationships: {
    organization: toOne('organizations', organizationName),
    workspace: toOne('workspaces', change.workspaceId),
  },
})

/** A change as an event of the stream; `cursor` is where the stream continues after it. */
export const toEvent = (
  change: RecordedChange,
  { event, cursor, organizationName }: { event: EventName; cursor: string; organizationName: string },
): string =>
  `id: ${cursor}\nevent: ${event}\ndata: ${JSON.stringify({ data: toEventResource(change, event, organizationName) })}\n\n`

/** The first bytes of a stream: how long to wait before reconnecting, and where to continue then. */
export const streamOpening = (cursor: string): string => `retry: 2000\nid: ${cursor}\n\n`

/** A comment without content, which keeps the connection alive. */
export const heartbeat = ':\n\n'
