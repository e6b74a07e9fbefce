import { expect, test } from 'vitest'
import { doc, mustBe, person } from '../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../test/support/shared.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const path = '/api/v2/account/details'

test('documents: one that was read may be kept and checked again; one that a change answers with may not', async () => {
  const { headers } = mustBe(await ann.get(path), 200)
  expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.stringMatching(/^W\//) })
  const update = mustBe(await ann.patch('/api/v2/account/update', doc('users', { email: 'ann@example.org' })), 200)
  expect(update.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/vnd.api+json' })
  expect(update.headers.etag).toBeUndefined()
})

test.each([
  ['its tag', (tag: string) => tag, 304],
  ['any tag', () => '*', 304],
  ['another tag', () => 'W/"other"', 200],
  ['nothing', () => '', 200],
])('documents: a read that says it has %s is answered %i', async (_what, known, status) => {
  const { etag } = mustBe(await ann.get(path), 200).headers
  const again = mustBe(await ann.get(path, { headers: { 'if-none-match': known(String(etag)) } }), status)
  expect(again.headers.etag).toBe(etag)
  const type = status === 200 ? 'application/vnd.api+json' : undefined
  expect([again.headers['content-type'], again.text === '']).toEqual([type, status === 304])
})

test.each([
  ['', 200],
  ['text/event-stream', 200],
  ['application/vnd.api+json', 200],
  ['application/jsonp', 406],
  ['text/html', 406],
])('documents: with Accept "%s" a read is answered %i', async (accept, status) => {
  mustBe(await ann.get(path, { headers: { accept } }), status)
})

test.each(['GET', 'HEAD'])('documents: the body of a %s is ignored, whatever it is', async (verb) => {
  const headers = { 'content-type': 'text/plain' }
  mustBe(await ann.send(verb, path, undefined, { headers, raw: 'no document' }), 200)
})

test('rate limit: a refusal says when the next request may come, in whole seconds and in thousandths', async () => {
  const limited = await ownApp({ settings: { apiRateLimit: 1 } })
  const answers = await Promise.all(Array.from({ length: 10 }, () => limited.anonymous.as('bad').get(path)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers } of refused) {
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0' })
    expect(headers['x-ratelimit-reset']).toMatch(/^[01]\.\d{3}$/)
  }
})
