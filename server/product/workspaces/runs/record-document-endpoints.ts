import { toIso } from '../../../kernel/clock.ts'
import { type Resource, resourceSchema, shown, toOne } from '../../../kit/jsonapi/index.ts'
import type { RunComment, RunEvent } from './record.ts'
import { personShown } from './run-document-endpoints.ts'

/** An event of a run as a resource. */
export const toEventResource = (event: RunEvent): Resource => ({
  type: 'run-events',
  id: event.id,
  attributes: { action: event.action, description: event.description, 'created-at': toIso(event.createdAt) },
  relationships: {
    run: toOne('runs', event.runId, `/api/v2/runs/${event.runId}`),
    actor: personShown(event.actor),
    comment: toOne('comments', event.commentId),
    target: { data: null },
  },
  links: { self: `/api/v2/run-events/${event.id}` },
})

/** A comment on a run as a resource. */
export const toCommentResource = (comment: RunComment): Resource => ({
  type: 'comments',
  id: comment.id,
  attributes: { body: comment.body, 'created-at': toIso(comment.createdAt) },
  relationships: { 'run-event': toOne('run-events', comment.eventId, `/api/v2/run-events/${comment.eventId}`) },
  links: { self: `/api/v2/comments/${comment.id}` },
})

/** An event of a run as answers show it. */
export const eventSchema = resourceSchema('run-events', {
  attributes: {
    action: shown.text('What happened, for programs.'),
    description: shown.text('What happened, for people.'),
    'created-at': shown.time('When it happened.'),
  },
  relationships: {
    run: 'The run.',
    actor: 'Who did it; null for the server and its runners.',
    comment: 'What was said.',
    target: 'Always null.',
  },
})

/** A comment on a run as answers show it. */
export const commentSchema = resourceSchema('comments', {
  attributes: { body: shown.text('What was said.'), 'created-at': shown.time('When it was said.') },
  relationships: { 'run-event': 'The event by which it is told.' },
})
