import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type CertApp, sharedCertApp } from '../../../test/support/cert-login.ts'
import { type Minted, mintIntermediate, mintLeaf } from '../../../test/support/certificates.ts'
import { ownFolder } from '../../../test/support/folders.ts'

const trusting = {
  trustedProxies: ['127.0.0.1/32'],
  forwardedClientCertificate: 'rfc9440',
  forwardedClientCertificateHeader: 'x-ssl-client-cert',
} as const
const app = sharedCertApp({
  proxies: new Map([
    ['http', trusting],
    ['https', trusting],
  ]),
})
const stranger = sharedCertApp({ proxies: new Map([['http', { ...trusting, trustedProxies: ['192.0.2.0/24'] }]]) })
const off = sharedCertApp({ proxies: new Map([['http', { ...trusting, forwardedClientCertificate: 'off' }]]) })

beforeAll(async () => {
  for (const each of [app, stranger, off]) await each.role('web', { certificate: each.ca.pem })
})

const item = ({ der }: Minted): string => `:${der.toString('base64')}:`
const login = '/v1/auth/cert/login'

test('forwarded certificate: Client-Cert from a trusted proxy logs its client in', async () => {
  const headers = { 'client-cert': item(app.leaf({ commonName: 'web-1' })) }
  const answer = await app.anonymous.post(login, {}, { headers })
  expect(answer.body.auth.metadata).toMatchObject({ cert_name: 'web', common_name: 'web-1' })
})

test('forwarded certificate: Client-Cert from an untrusted address is ignored; login is 400', async () => {
  const headers = { 'client-cert': item(stranger.leaf({ commonName: 'web-1' })) }
  expect((await stranger.anonymous.post(login, {}, { headers })).status).toBe(400)
})

test('forwarded certificate: Client-Cert from a proxy is ignored where it is switched off; login is 400', async () => {
  const headers = { 'client-cert': item(off.leaf({ commonName: 'web-1' })) }
  expect((await off.anonymous.post(login, {}, { headers })).status).toBe(400)
})

test('forwarded certificate: Client-Cert is ignored on a connection that has its own client certificate', async () => {
  const client = app.with(app.leaf({ commonName: 'itself' }))
  const headers = { 'client-cert': item(app.leaf({ commonName: 'somebody-else' })) }
  const answer = await client.post(login, {}, { headers })
  expect(answer.body.auth.metadata.common_name).toBe('itself')
})

test.each([
  ['doubled', (leaf: Minted) => `${item(leaf)}, ${item(leaf)}`],
  ['PEM in place of base64', (leaf: Minted) => leaf.pem.replaceAll('\n', ' ')],
  ['without colons', (leaf: Minted) => leaf.der.toString('base64')],
  ['empty', () => '::'],
])('forwarded certificate: a Client-Cert header that is %s is ignored; login is 400', async (_what, header) => {
  const headers = { 'client-cert': header(app.leaf({ commonName: 'web-1' })) }
  const { status, body } = await app.anonymous.post(login, {}, { headers })
  expect([status, body.errors]).toEqual([400, [expect.stringContaining('base64 of DER between colons')]])
  // Whom the server does not trust learns nothing about how it reads headers.
  for (const other of [stranger, off]) {
    const untrusted = await other.anonymous.post(login, {}, { headers })
    expect(untrusted.body.errors).toEqual(['A TLS connection is needed to log in with a certificate.'])
  }
})

test.each([
  ['broken', (leaf: Minted) => `${item(leaf)}, x`],
  ['longer than any', (leaf: Minted) => new Array<string>(11).fill(item(leaf)).join()],
  ['broken in its second line', (leaf: Minted) => [item(leaf), 'x']],
  ['longer than any, in lines', (leaf: Minted) => new Array<string>(11).fill(item(leaf))],
])('forwarded certificate: Client-Cert is ignored if Client-Cert-Chain is %s; login is 400', async (_what, chain) => {
  const leaf = app.leaf({ commonName: 'web-1' })
  const send = (value: string | string[]) =>
    requestTo(app.url, { 'client-cert': item(leaf), 'client-cert-chain': value })
  expect(await send(chain(leaf))).toBe(400)
  expect(await send(new Array<string>(10).fill(item(leaf)).join())).toBe(200)
})

test('forwarded certificate: a Client-Cert-Chain split over several lines is read as one list', async () => {
  const intermediate = mintIntermediate(app.ca, { commonName: 'Regional CA' })
  const headers = { 'client-cert': item(mintLeaf(intermediate, { commonName: 'web-1' })) }
  const stray = item(app.leaf({ commonName: 'stray' }))
  expect(await requestTo(app.url, { ...headers, 'client-cert-chain': [stray, item(intermediate)] })).toBe(200)
  expect(await requestTo(app.url, { ...headers, 'client-cert-chain': stray })).toBe(400)
})

test('forwarded certificate: a repeated leaf, a chain alone and a trailer are ignored; login is 400', async () => {
  const value = item(app.leaf({ commonName: 'web-1' }))
  expect(await requestTo(app.url, { 'client-cert': [value, value] })).toBe(400)
  expect(await requestTo(app.url, { 'client-cert-chain': value })).toBe(400)
  expect(await requestTo(app.url, { trailer: 'client-cert' }, { 'client-cert': value })).toBe(400)
})

/** The status of a login with headers, and trailers, as they stand. */
async function requestTo(
  url: string,
  headers: OutgoingHttpHeaders,
  trailers?: Record<string, string>,
): Promise<number> {
  const sent = request(new URL(login, url), { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } })
  sent.write('{}')
  if (trailers) sent.addTrailers(trailers)
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode ?? 0
}

test('forwarded certificate: a certificate-bound token works with the header and is 403 without', async () => {
  await app.role('bound', { certificate: app.ca.pem, token_bind_certificate: true })
  const headers = { 'client-cert': item(app.leaf({ commonName: 'bound' })) }
  const { body } = await app.anonymous.post(login, { name: 'bound' }, { headers })
  const holder = app.anonymous.as(body.auth.client_token)
  expect((await holder.get('/v1/auth/token/lookup-self', { headers })).status).toBe(200)
  expect((await holder.get('/v1/auth/token/lookup-self')).status).toBe(403)
})

test('forwarded certificate: the audit record says whether the header was used, ignored or unreadable', async () => {
  const directory = ownFolder()
  const headers = { 'client-cert': item(app.leaf({ commonName: 'web-1' })) }
  const recorded = async (from: CertApp, send: () => Promise<unknown>): Promise<unknown> => {
    const file = join(directory, from === app ? 'trusting' : 'stranger')
    await from.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: file } })
    await send()
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    return JSON.parse(lines.at(-1) ?? '').request.client_certificate_forwarded
  }
  expect(await recorded(app, () => app.anonymous.post(login, {}, { headers }))).toBe('used')
  expect(await recorded(stranger, () => stranger.anonymous.post(login, {}, { headers }))).toBe('ignored')
  const pem = { headers: { 'client-cert': app.leaf().pem.replaceAll('\n', ' ') } }
  expect(await recorded(app, () => app.anonymous.post(login, {}, pem))).toBe('unreadable')
  expect(await recorded(stranger, () => stranger.anonymous.post(login, {}, pem))).toBe('ignored')
  const alone = { headers: { 'client-cert-chain': item(app.leaf()) } }
  expect(await recorded(app, () => app.anonymous.post(login, {}, alone))).toBe('unreadable')
  const broken = { headers: { ...headers, 'client-cert-chain': 'x' } }
  expect(await recorded(app, () => app.anonymous.post(login, {}, broken))).toBe('unreadable')
  expect(await recorded(app, () => app.anonymous.post(login, {}))).toBeUndefined()
})
