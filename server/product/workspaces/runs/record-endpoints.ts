import { hidden } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerCreated,
  answerOne,
  attribute,
  documentSchema,
  resourceBody,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import { holderOf } from '../workspaces/index.ts'
import { includePeople } from './including-endpoints.ts'
import type { RunEvent } from './record.ts'
import { longestComment } from './record.ts'
import { addComment } from './record-actions.ts'
import { commentSchema, eventSchema, toCommentResource, toEventResource } from './record-document-endpoints.ts'
import { listComments, listEvents, loadComment, loadEvent } from './record-store.ts'
import { commentInPath, eventInPath, mayOnRun, onRun, runInPath } from './run-access-actions.ts'
import { changeRuns } from './run-actions.ts'

type IncludeCall = Parameters<typeof includePeople>[0] & { readonly query: { readonly include: ReadonlySet<string> } }

async function includeWithEvents(call: IncludeCall, events: readonly RunEvent[], runId: string) {
  const people = call.query.include.has('actor')
    ? await includePeople(
        call,
        events.map(({ actor }) => actor),
      )
    : []
  const wanted = new Set(events.map(({ commentId }) => commentId))
  const comments = call.query.include.has('comment') ? await listComments(call.deps.db, [runId]) : []
  return [...people, ...comments.filter(({ id }) => wanted.has(id)).map(toCommentResource)]
}

const withPeople = showQuery({ include: ['actor', 'comment'] })

/** What happened to runs, and what was said about them. */
export const recordEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'run-events.list',
    route: 'GET /runs/:runId/run-events',
    summary: 'List what happened to a run, the first events first.',
    access: onRun('can-read'),
    params: runInPath,
    query: withPeople,
    returns: { 200: allSchema(eventSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { id } = call.subject.resource.run
      const events = await listEvents(call.deps.db, [id])
      return answerAll(call, events.map(toEventResource), { included: await includeWithEvents(call, events, id) })
    },
  }),
  endpoint({
    id: 'run-events.show',
    route: 'GET /run-events/:runEventId',
    summary: 'Read an event of a run.',
    access: onRun('can-read'),
    params: eventInPath,
    query: withPeople,
    returns: { 200: documentSchema(eventSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const event = await loadEvent(call.deps.db, call.params.runEventId ?? '')
      if (!event) throw hidden()
      const included = await includeWithEvents(call, [event], event.runId)
      return answerOne(call, toEventResource(event), { included })
    },
  }),
  endpoint({
    id: 'comments.list',
    route: 'GET /runs/:runId/comments',
    summary: 'List the comments on a run, the first ones first.',
    access: onRun('can-read'),
    params: runInPath,
    query: showQuery(),
    returns: { 200: allSchema(commentSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const comments = await listComments(call.deps.db, [call.subject.resource.run.id])
      return answerAll(call, comments.map(toCommentResource))
    },
  }),
  endpoint({
    id: 'comments.create',
    route: 'POST /runs/:runId/comments',
    summary: 'Comment on a run.',
    access: onRun('can-comment'),
    params: runInPath,
    query: showQuery(),
    body: resourceBody('comments', {
      attributes: {
        body: attribute.text('What is said.', {
          required: true,
          maxLength: longestComment,
          check: (text) => (text.trim() === '' ? "can't be blank" : undefined),
          example: 'Looks right.',
        }),
      },
    }),
    returns: { 201: documentSchema(commentSchema) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { deps, subject, body } = call
      const { run } = subject.resource
      const author = holderOf(subject.actor)
      const target = {
        workspaceId: run.workspaceId,
        allows: (workspace: typeof subject.resource.workspace) => mayOnRun(subject, 'can-comment', run, workspace),
        starts: false,
      }
      const comment = await changeRuns(deps, authorOf(call), target, ({ tx }) =>
        addComment(deps, tx, { runId: run.id, body: body.attributes.body, author }),
      )
      return answerCreated(call, toCommentResource(comment))
    },
  }),
  endpoint({
    id: 'comments.show',
    route: 'GET /comments/:commentId',
    summary: 'Read a comment on a run.',
    access: onRun('can-read'),
    params: commentInPath,
    query: showQuery(),
    returns: { 200: documentSchema(commentSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const comment = await loadComment(call.deps.db, call.params.commentId ?? '')
      if (!comment) throw hidden()
      return answerOne(call, toCommentResource(comment))
    },
  }),
])
