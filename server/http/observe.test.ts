import { expect, test, vi } from 'vitest'
import { ownApp } from '../../test/support/shared.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import { silentLog } from '../kernel/log.ts'
import { acl, defineSystemEndpoints, endpoint } from '../kit/endpoint.ts'
import { defineFeature } from '../kit/feature.ts'
import { features } from '../product/index.ts'

/** A server with an endpoint that fails in the given way, and its log. */
async function failingApp(thrown: Failure | Error) {
  const log = { ...silentLog, info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const handle = () => {
    throw thrown
  }
  const common = { id: 'odd.read', route: 'GET /odd', summary: 'Fail.', access: acl(), handle } as const
  const odd = defineFeature({ name: 'odd', endpoints: defineSystemEndpoints([endpoint(common)]) })
  return { log, app: await ownApp({ features: [...features, odd], log }) }
}

test.each([
  [new Error('a fault'), 500, 'error', 'a fault'],
  [failure('unavailable', 'storage.full', 'The disk is full.'), 503, 'error', 'The disk is full.'],
  [failure('upstream', 'outbound.refused', 'Refused.'), 502, 'error', 'Refused.'],
  [failure('unavailable', 'state.pending', 'Not yet.'), 503, 'warn', 'Not yet.'],
  [failure('sealed', 'seal.sealed', 'Sealed.'), 503, 'warn', 'Sealed.'],
  [failure('unavailable', 'client.gone', 'The client went away.'), 503, 'info', 'The client went away.'],
  [failure('missing', 'x.missing', 'There is none.'), 404, 'info', undefined],
] as const)('log: a request that fails with %o, status %i, is logged as %s', async (thrown, status, level, reason) => {
  const { app, log } = await failingApp(thrown)
  expect((await app.root.get('/v1/sys/odd')).status).toBe(status)
  expect(log[level].mock.calls).toContainEqual([expect.objectContaining({ status, reason }), 'request'])
})

test('log: probes of a sealed or stopping node are warnings', async () => {
  const { app, log } = await failingApp(new Error('unused'))
  app.app.announceStop()
  expect((await app.anonymous.get('/readyz')).status).toBe(503)
  expect(log.warn.mock.calls).toContainEqual([expect.objectContaining({ status: 503, path: '/readyz' }), 'request'])
})
