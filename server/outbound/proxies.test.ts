import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server as NetServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { mintCa, mintServer } from '../../test/support/certificates.ts'
import { systemClock } from '../kernel/clock.ts'
import { createOutbound, type Outbound } from './fetch.ts'
import { type Proxies, proxyAgent, readProxies } from './proxies.ts'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(server: Server | NetServer): Promise<number> {
  closers.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const usual = { deadline: '2s', maxBytes: 1024 }

/** A resolver that knows no name: any local lookup fails. */
const nowhere = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }))

const through = (environment: Record<string, string>): Outbound =>
  createOutbound({ clock: systemClock, resolver: nowhere, proxies: readProxies(environment) })

test('http: the proxy gets the absolute URL, the Host header and its own credentials', async () => {
  const seen: unknown[] = []
  const proxy = createServer((request, response) => {
    seen.push([request.method, request.url, request.headers.host, request.headers['proxy-authorization']])
    response.end('by proxy')
  })
  const outbound = through({ HTTP_PROXY: `user:pass@127.0.0.1:${await listen(proxy)}` })
  expect((await outbound.get('http://ocsp.example.com/a?b', usual)).body.toString()).toBe('by proxy')
  expect((await outbound.post('http://ocsp.example.com:81/', 'x', usual)).status).toBe(200)
  const credentials = `Basic ${Buffer.from('user:pass').toString('base64')}`
  expect(seen).toEqual([
    ['GET', 'http://ocsp.example.com/a?b', 'ocsp.example.com', credentials],
    ['POST', 'http://ocsp.example.com:81/', 'ocsp.example.com:81', credentials],
  ])
})

test('https: the proxy opens a tunnel, and the certificate is checked against the host', async () => {
  const ca = mintCa()
  const server = mintServer(ca, { dns: ['crl.example.com'] })
  const tls = { cert: server.chainPem, key: server.keyPem }
  const port = await listen(createTlsServer(tls, (_request, response) => response.end('tunnelled')))
  const proxy = createServer().on('connect', (_request, socket) => {
    const upstream = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    upstream.pipe(socket).pipe(upstream)
  })
  const outbound = through({ https_proxy: `http://127.0.0.1:${await listen(proxy)}` })
  expect((await outbound.get('https://crl.example.com/', { ...usual, ca: ca.pem })).body.toString()).toBe('tunnelled')
  await expect(outbound.get('https://other.example.com/', { ...usual, ca: ca.pem })).rejects.toMatchObject({
    code: 'outbound.tls',
  })
})

test('a proxy that refuses the tunnel or is down gives outbound.unreachable', async () => {
  const proxy = createServer().on('connect', (_request, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  const refusing = through({ HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` })
  await expect(refusing.get('https://a.example.com/', usual)).rejects.toMatchObject({ code: 'outbound.unreachable' })
  const missing = through({ HTTP_PROXY: 'http://127.0.0.1:9' })
  await expect(missing.get('http://a.example.com/', usual)).rejects.toMatchObject({ code: 'outbound.unreachable' })
})

test.each(['socks5://proxy.example.com', 'http://', 'http://a b'])('the proxy URL %j is refused', async (proxy) => {
  const call = through({ HTTP_PROXY: proxy }).get('http://a.example.com/', usual)
  await expect(call).rejects.toMatchObject({ code: 'outbound.bad-url' })
})

test('denied addresses are refused through a proxy too', async () => {
  const proxy = createServer((_request, response) => response.end('never'))
  const outbound = through({ HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}` })
  const call = outbound.get('http://169.254.169.254/latest', usual)
  await expect(call).rejects.toMatchObject({ code: 'outbound.denied-address' })
})

const goesThrough = (proxies: Proxies, url: string): boolean => proxyAgent(proxies, new URL(url)) !== undefined
const proxiesBut = (exempt: string) => readProxies({ HTTP_PROXY: 'proxy.example.com:3128', no_proxy: exempt })

test.each([
  ['', 'http://a.example.com/'],
  ['example.com', 'http://badexample.com/'],
  ['.example.com', 'http://example.com/'],
  ['a.example.com:81', 'http://a.example.com/'],
  ['10.0.0.0/8', 'http://11.1.2.3/'],
])('NO_PROXY %j: %s goes through the proxy', (exempt, url) => {
  expect(goesThrough(proxiesBut(exempt), url)).toBe(true)
})

test.each([
  ['', 'https://a.example.com/'],
  ['', 'http://localhost/'],
  ['', 'http://127.8.8.8/'],
  ['', 'http://[::1]:8080/'],
  ['*', 'http://a.example.com/'],
  ['example.com', 'http://a.example.com/'],
  ['example.com', 'http://example.com./'],
  ['EXAMPLE.com other.org', 'http://example.com/'],
  ['.example.com', 'http://a.example.com/'],
  ['*.example.com', 'http://a.example.com/'],
  ['a.example.com:80', 'http://a.example.com/'],
  ['10.0.0.0/8', 'http://10.1.2.3/'],
  ['2001:db8::/32', 'http://[2001:db8::5]/'],
])('NO_PROXY %j: %s is called directly', (exempt, url) => {
  expect(goesThrough(proxiesBut(exempt), url)).toBe(false)
})
