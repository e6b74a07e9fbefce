import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { defineSystemEndpoints, endpoint, open } from '../kit/endpoint.ts'
import { defineFeature } from '../kit/feature.ts'
import { data } from '../kit/reply.ts'
import { features } from '../product/index.ts'

/** Tells callers where they come from. */
const mirror = defineFeature({
  name: 'mirror',
  endpoints: defineSystemEndpoints([
    endpoint({
      id: 'mirror.address',
      route: 'GET /address',
      summary: 'Show an address.',
      access: open('A test asks without a token.'),
      handle: ({ request }) => data({ address: request.remoteAddress }),
    }),
  ]),
})

const forwarding = { forwardedClientCertificate: 'off', forwardedClientCertificateHeader: 'x-ssl-client-cert' } as const
const trust = (...trustedProxies: string[]) => new Map([['http', { trustedProxies, ...forwarding }]])

let behindProxies: TestApp
let alone: TestApp
beforeAll(async () => {
  const withMirror = { features: [...features, mirror] }
  behindProxies = await testApp({ ...withMirror, proxies: trust('127.0.0.1', '192.0.2.0/24', '2001:db8:1::/48') })
  alone = await testApp({ ...withMirror, proxies: trust('192.0.2.0/24') })
})
afterAll(() => Promise.all([behindProxies.close(), alone.close()]))

const addressSeen = async (app: TestApp, forwardedFor: string): Promise<string> => {
  const answer = await app.anonymous.get('/v1/sys/address', { headers: { 'x-forwarded-for': forwardedFor } })
  return answer.body.data.address
}

test.each([
  ['10.1.2.3', '10.1.2.3'],
  [' 2001:db8::5 ', '2001:db8::5'],
  ['10.1.2.3, 192.0.2.7', '10.1.2.3'],
  ['10.1.2.3, 2001:db8:1::9, 192.0.2.7', '10.1.2.3'],
  ['10.1.2.3, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3:55012', '10.1.2.3'],
  ['[2001:db8::5]:443', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['10.1.2.3:1, 192.0.2.7:2', '10.1.2.3'],
  ['192.0.2.7', '127.0.0.1'],
  ['10.1.2.3, unknown', '127.0.0.1'],
  ['10.1.2.3:port', '127.0.0.1'],
  ['10.1.2.3,', '127.0.0.1'],
  ['', '127.0.0.1'],
])('address: X-Forwarded-For "%s" from a trusted proxy gives the client address %s', async (header, expected) => {
  expect(await addressSeen(behindProxies, header)).toBe(expected)
})

test('address: X-Forwarded-For from an address that is not a trusted proxy is ignored', async () => {
  expect(await addressSeen(alone, '10.1.2.3')).toBe('127.0.0.1')
})
