import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownApp } from '../../../test/support/shared.ts'
import { Acceptance } from '../../kernel/acceptance.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import { defineFeature } from '../../kit/feature.ts'
import { bytes, data } from '../../kit/reply.ts'
import { features } from '../../product/index.ts'

/** A server with one endpoint that answers so, within so many milliseconds. */
async function answering(handle: Endpoint['handle'], deadline: number) {
  const common = { id: 'odd.read', route: 'GET /odd', summary: 'Answer.', access: acl(), handle, deadline } as const
  const endpoints: readonly Endpoint[] = defineSystemEndpoints([endpoint(common)])
  return await ownApp({ features: [...features, defineFeature({ name: 'odd', endpoints })] })
}

test('handle: a stream returned after the deadline is destroyed, and the request is 503', async () => {
  const stream = new Readable({ read: () => undefined })
  const isRefused = Promise.withResolvers<void>()
  const app = await answering(async () => {
    await isRefused.promise
    return bytes('text/plain', stream)
  }, 20)
  expect((await app.root.get('/v1/sys/odd')).status).toBe(503)
  isRefused.resolve()
  await expect.poll(() => stream.destroyed).toBe(true)
  // Without a listener this would throw, and a source that fails late would end the process.
  expect(stream.emit('error', new Error('the source is gone'))).toBe(true)
})

test('handle: a stream that is not sent is destroyed: to HEAD, and when no audit device takes its record', async () => {
  const streams: Readable[] = []
  const app = await answering(() => {
    const stream = Readable.from(['a long answer'])
    streams.push(stream)
    return bytes('text/plain', stream)
  }, 10_000)
  expect((await app.root.get('/v1/sys/odd')).text).toBe('a long answer')
  const { status, text } = await app.root.send('HEAD', '/v1/sys/odd')
  expect([status, text]).toEqual([200, ''])
  const refuse = () => Acceptance.of(Promise.reject(new Error('the disk is full')))
  const accept = () => Acceptance.of(Promise.resolve())
  Object.assign(app.deps, { audit: { active: true, request: accept, response: refuse, both: refuse } })
  expect((await app.root.get('/v1/sys/odd')).status).toBe(500)
  expect(streams.map(({ destroyed, readableDidRead }) => [destroyed, readableDidRead])).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ])
})

/** Like `answering`, with an audit trail that keeps the records of answers waiting. */
async function answeringRecorded(handle: Endpoint['handle'], deadline: number) {
  const app = await answering(handle, deadline)
  const waiting: Acceptance[] = []
  const accept = () => Acceptance.of(Promise.resolve())
  const wait = () => {
    const acceptance = new Acceptance()
    waiting.push(acceptance)
    return acceptance
  }
  Object.assign(app.deps, { audit: { active: true, request: accept, response: wait, both: wait } })
  return { app, waiting }
}

test.each<[string, Endpoint['handle']]>([
  [
    'that stops when it is told to',
    async ({ signal }) => {
      await sleep(10_000, undefined, { signal })
      return data({ seen: 1 })
    },
  ],
  [
    'that goes on',
    async ({ signal }) => {
      await once(signal, 'abort')
      await sleep(40)
      return data({ seen: 1 })
    },
  ],
])('handle: after the deadline of a handler %s, nothing is sent before its one record is taken', async (_, handle) => {
  const { app, waiting } = await answeringRecorded(handle, 20)
  let status: number | undefined
  const answered = app.root.get('/v1/sys/odd').then((answer) => {
    status = answer.status
  })
  await expect.poll(() => waiting.length).toBe(1)
  await sleep(100)
  expect([status, waiting.length]).toEqual([undefined, 1])
  waiting[0]?.accept()
  await answered
  expect(status).toBe(503)
})
