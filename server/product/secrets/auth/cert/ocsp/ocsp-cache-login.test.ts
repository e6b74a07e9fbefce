import { afterEach, expect, test } from 'vitest'
import { certApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintLeaf, purpose } from '../../../../../../test/support/certificates.ts'
import {
  type OcspResponder,
  type Reply,
  startOcspResponder,
} from '../../../../../../test/support/fakes/ocsp-responder.ts'

const app = sharedCertApp()
const responders: OcspResponder[] = []
let count = 0

afterEach(async () => {
  await Promise.all(responders.splice(0).map((each) => each.close()))
})

async function responder(reply?: Reply): Promise<OcspResponder> {
  const started = await startOcspResponder(app.ca, reply)
  responders.push(started)
  return started
}

type Terms = Record<string, unknown>

/** Logs one certificate in by role after role, none of which overrides the servers that the certificate names. */
async function statuses(ocspUrls: readonly string[], roles: readonly Terms[]): Promise<number[]> {
  const leaf = app.leaf({ commonName: `shared-${++count}`, ocspUrls })
  const found: number[] = []
  for (const terms of roles) {
    const name = `role-${++count}`
    await app.role(name, { certificate: app.ca.pem, ocsp_enabled: true, ocsp_max_retries: 0, ...terms })
    found.push((await app.login(leaf, { name })).status)
  }
  return found
}

test('ocsp cache: the cached answer of one server is not used where all servers must be asked', async () => {
  const [good, revoked] = [await responder(), await responder({ status: 'revoked' })]
  expect(await statuses([good.url, revoked.url], [{}, { ocsp_query_all_servers: true }, {}])).toEqual([200, 400, 200])
  expect(good.requests).toHaveLength(2)
})

test('ocsp cache: an answer whose signer only one role trusts is not used for another role', async () => {
  const own = mintLeaf(mintCa(), { extendedKeyUsage: [purpose.ocspSigning] })
  const server = await responder({ signer: own })
  expect(await statuses([server.url], [{ ocsp_ca_certificates: own.pem }, {}])).toEqual([200, 400])
})

test('ocsp cache: an answer with nextUpdate is cached; one without is requested again', async () => {
  for (const [nextUpdate, expected] of [
    [undefined, 1],
    [null, 2],
  ] as const) {
    const { url, requests } = await responder({ nextUpdate })
    const leaf = mintLeaf(app.ca, { commonName: 'again', ocspUrls: [url] })
    await app.role('again', { certificate: app.ca.pem, ocsp_enabled: true })
    expect((await app.login(leaf, { name: 'again' })).status).toBe(200)
    expect((await app.login(leaf, { name: 'again' })).status).toBe(200)
    expect(requests).toHaveLength(expected)
  }
})

test('ocsp cache: changing ocsp_cache_size empties the cache; other settings and the same size do not', async () => {
  const { url, requests } = await responder()
  const leaf = mintLeaf(app.ca, { commonName: 'emptied', ocspUrls: [url] })
  await app.role('emptied', { certificate: app.ca.pem, ocsp_enabled: true })
  const asked = async (settings: Terms): Promise<number> => {
    expect((await app.root.post('/v1/auth/cert/config', settings)).status).toBe(204)
    expect((await app.login(leaf, { name: 'emptied' })).status).toBe(200)
    return requests.length
  }
  const unchanged = { disable_binding: false, ocsp_cache_size: 100 }
  expect([await asked(unchanged), await asked(unchanged)]).toEqual([1, 1])
  expect([await asked({ ocsp_cache_size: 200 }), await asked({ ocsp_cache_size: 100 })]).toEqual([2, 3])
})

test('ocsp cache: an answer shortly before its nextUpdate is requested again', async () => {
  const { url, requests } = await responder({ nextUpdate: new Date(app.clock.now() + 10_000) })
  const leaf = mintLeaf(app.ca, { commonName: 'short', ocspUrls: [url] })
  await app.role('short', { certificate: app.ca.pem, ocsp_enabled: true })
  await app.login(leaf, { name: 'short' })
  await app.login(leaf, { name: 'short' })
  expect(requests).toHaveLength(2)
})

test('ocsp cache: shortly before its end an answer is refreshed in the background', async () => {
  const own = await certApp({})
  const minute = 60_000
  const inTwoHours = (): Date => new Date(own.clock.now() + 120 * minute)
  const server = await startOcspResponder(own.ca, () => ({
    thisUpdate: new Date(own.clock.now()),
    nextUpdate: inTwoHours(),
  }))
  try {
    const leaf = own.leaf({ ocspUrls: [server.url] })
    await own.role('ahead', { certificate: own.ca.pem, ocsp_enabled: true })
    const login = async () => (await own.login(leaf)).status
    expect([await login(), server.requests.length]).toEqual([200, 1])
    own.clock.advance('118m')
    expect([await login(), server.requests.length]).toEqual([200, 1])
    own.clock.advance('90s')
    expect(await login()).toBe(200)
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(2)
    own.clock.advance('10m')
    expect([await login(), server.requests.length]).toEqual([200, 2])
  } finally {
    await server.close()
    await own.close()
  }
})
