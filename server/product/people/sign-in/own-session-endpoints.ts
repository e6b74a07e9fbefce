import { anyPerson, hidden } from '../../../access/permissions/index.ts'
import { toIso } from '../../../kernel/clock.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerPage,
  listQuery,
  pageSchema,
  type Resource,
  rangeOf,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { endSessionOf, type ListedSession, openSessionsOf } from '../users/index.ts'
import { sessionOf } from './session-cookie-endpoints.ts'

const sessionSchema = resourceSchema('account-sessions', {
  attributes: {
    'created-at': shown.time('When the person signed in.'),
    'last-seen-at': shown.time('When it was last used, within five minutes.'),
    'expires-at': shown.time('When it ends in any case; a day without use ends it earlier.'),
    'remote-address': shown.text('The address that signed in.'),
    'user-agent': shown.text('What the browser says it is.'),
    'signed-in-with': shown.text('`password`, `api-token`, or `service-token` for a token of `/v1` or a certificate.'),
    current: shown.flag('True for the session that this request came with.'),
  },
})

const toResource = (session: ListedSession, current: string | undefined): Resource => ({
  type: 'account-sessions',
  id: session.id,
  attributes: {
    'created-at': toIso(session.createdAt),
    'last-seen-at': toIso(session.lastSeenAt),
    'expires-at': toIso(session.expiresAt),
    'remote-address': session.remoteAddress,
    'user-agent': session.userAgent,
    'signed-in-with': session.signedInWith,
    current: session.id === current,
  },
})

/** The browsers in which the caller is signed in. */
export const ownSessionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'account-sessions.list',
    route: 'GET /account/sessions',
    summary: 'List the browsers in which you are signed in, the last used first.',
    access: anyPerson(),
    query: listQuery(),
    returns: { 200: pageSchema(sessionSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const current = await sessionOf(call.deps, call.request)
      const { sessions, total } = await openSessionsOf(call.deps, call.subject.id, rangeOf(call.query.page))
      return answerPage(call, { resources: sessions.map((each) => toResource(each, current?.id)), total })
    },
  }),
  endpoint({
    id: 'account-sessions.delete',
    route: 'DELETE /account/sessions/:sessionId',
    summary: 'Sign out of one browser; what is asked with its session from then on is refused.',
    access: anyPerson(),
    params: { sessionId: { description: 'Identifier of the session.' } },
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      if (!(await endSessionOf(call.deps, call.subject.id, call.params.sessionId ?? ''))) throw hidden()
      return nothing()
    },
  }),
])
