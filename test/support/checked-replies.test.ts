import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { type Endpoint, endpoint, open } from '../../server/kit/endpoint.ts'
import { bare, nothing, type Reply } from '../../server/kit/reply.ts'
import { withCheckedReplies } from './checked-replies.ts'

const answering = (reply: Reply, facts: Partial<Endpoint> = {}) => {
  const common = { id: 'odd.read', route: 'GET /odd', summary: 'Answer.', access: open('A test.') } as const
  const place = { api: 'site', verb: 'GET', path: '/odd' }
  const made = { ...endpoint({ ...common, handle: () => reply }), ...place, ...facts } as Endpoint
  const [checked] = withCheckedReplies({ name: 'odd', endpoints: [made] }).endpoints ?? []
  return () => checked?.handle({ query: {} } as Parameters<Endpoint['handle']>[0])
}

test('checked replies: a status that the endpoint does not declare fails', () => {
  const returns = { 200: Type.Object({ ok: Type.Boolean() }), 307: null }
  expect(answering(bare({ ok: true }), { returns })).not.toThrow()
  expect(answering(nothing(307), { returns })).not.toThrow()
  expect(answering(bare({ ok: 1 }), { returns })).toThrow('/ok')
  expect(answering(bare({ ok: true }, 400), { returns })).toThrow('status 400 is not declared')
  expect(answering(nothing(), { returns })).toThrow('status 204 is not declared')
})

test('checked replies: an empty answer to a read of /v1 is the 404 that it declares', () => {
  expect(answering(nothing(), { api: 'v1', fails: ['missing'] })).not.toThrow()
  expect(answering(nothing(), { api: 'v1' })).toThrow('status 404 is not declared')
})
