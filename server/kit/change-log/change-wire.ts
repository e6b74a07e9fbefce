import { toIso } from '../../kernel/clock.ts'
import { Type } from '../endpoint.ts'
import { type Resource, resourceSchema, shown, toOne } from '../jsonapi/index.ts'
import type { RecordedChange } from './change-rules.ts'

const referenceSchema = (description: string) =>
  Type.Object(
    {
      type: shown.text('Kind of resource.'),
      id: shown.text('Its identifier.'),
      name: shown.text('Its name at that time.'),
    },
    { description },
  )

const members = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

/** A change as answers show it. */
export const changeSchema = resourceSchema('changes', {
  attributes: {
    action: shown.text('What was done: create, update, delete, lock, …'),
    subject: referenceSchema('The resource that was changed.'),
    actor: referenceSchema('Who changed it.'),
    'token-id': shown.maybeText('The API token used, or null.'),
    'request-id': shown.maybeText('The request that made the change.'),
    'created-at': shown.time('When it happened.'),
    before: members('The changed values before; null if the resource was created.'),
    after: members('The changed values after; null if the resource was deleted.'),
  },
  relationships: { organization: 'The organization.', workspace: 'The workspace concerned, if any.' },
})

/** A change as a resource; `organizationName` is how documents refer to the organization. */
export const toChangeResource = (change: RecordedChange, organizationName: string): Resource => ({
  type: 'changes',
  id: change.id,
  attributes: {
    action: change.action,
    subject: change.subject,
    actor: { type: change.author.kind, id: change.author.id, name: change.author.name },
    'token-id': change.author.tokenId || null,
    'request-id': change.author.requestId || null,
    'created-at': toIso(change.at),
    before: change.before ?? null,
    after: change.after ?? null,
  },
  relationships: {
    organization: toOne('organizations', organizationName),
    workspace: toOne('workspaces', change.workspaceId),
  },
})
