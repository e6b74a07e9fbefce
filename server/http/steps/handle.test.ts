import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/support/test-app.ts'
import { features } from '../../features/index.ts'
import { acl, defineMountEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import { defineFeature } from '../../kit/feature.ts'
import { bytes, type Reply } from '../../kit/reply.ts'

/** A server with one endpoint that answers so, within so many milliseconds. */
async function answering(handle: () => Promise<Reply>, deadline: number) {
  const common = { id: 'odd.read', route: 'GET /odd', summary: 'Answer.', access: acl(), handle, deadline } as const
  const endpoints: readonly Endpoint[] = defineMountEndpoints('system', [endpoint(common)])
  const app = await testApp({ features: [...features, defineFeature({ name: 'odd', endpoints })] })
  onTestFinished(() => app.close())
  return app
}

test('handle: a stream returned after the deadline is destroyed, and the request is 503', async () => {
  const stream = new Readable({ read: () => undefined })
  const app = await answering(async () => {
    await sleep(80)
    // An error event without a listener would end the process, and here the whole test run.
    setImmediate(() => stream.destroy(new Error('the source is gone')))
    return bytes('text/plain', stream)
  }, 20)
  expect((await app.root.get('/v1/sys/odd')).status).toBe(503)
  await expect.poll(() => stream.destroyed).toBe(true)
})
