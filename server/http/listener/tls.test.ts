import { execFile, spawnSync } from 'node:child_process'
import type { X509Certificate } from 'node:crypto'
import type { ConnectionOptions, SecureVersion, TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { mintCa, mintIntermediate, mintLeaf, mintServer } from '../../../test/support/certificates.ts'
import { openRaw } from '../../../test/support/raw-connection.ts'
import {
  type Connection,
  connectionOf,
  defaultListenerLimits,
  type Listener,
  openListener,
  type TlsSettings,
} from './index.ts'
import { verifyChainCapture } from './self-tests.ts'

const root = mintCa()
const first = mintIntermediate(root, { commonName: 'First' })
const second = mintIntermediate(first, { commonName: 'Second' })
const stranger = mintIntermediate(root, { commonName: 'Stranger' })
const leaf = mintLeaf(second)
const server = mintServer(root)
const tls: TlsSettings = { cert: server.chainPem, key: server.keyPem, clientCertificate: 'request' }

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

/** A listener that notes each request's connection. */
async function listen(settings: TlsSettings | 'plain' = tls, host = '127.0.0.1', limits = defaultListenerLimits) {
  const seen: Connection[] = []
  const listener = await openListener(
    { name: 'test', host, port: 0, tls: settings === 'plain' ? undefined : settings, limits },
    (request, response) => {
      seen.push(connectionOf(request))
      response.end('seen')
    },
  )
  listeners.push(listener)
  return { listener, seen, port: listener.address.port }
}

/** One request on a new connection; returns the session to resume, if the server gave one. */
async function visit(
  port: number,
  options: ConnectionOptions,
): Promise<{ session: Buffer | undefined; reused: boolean }> {
  const connection = await openRaw(port, { ca: root.pem, ...options })
  const socket = connection.socket as TLSSocket
  const reused = socket.isSessionReused()
  let session: Buffer | undefined = socket.getProtocol() === 'TLSv1.2' ? socket.getSession() : undefined
  socket.on('session', (ticket: Buffer) => {
    session = ticket
  })
  connection.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await connection.next()
  await connection.closed()
  return { session, reused }
}

const client = (...above: { pem: string }[]): ConnectionOptions => ({
  cert: leaf.pem + above.map((each) => each.pem).join(''),
  key: leaf.keyPem,
})

describe.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])('%s', (version) => {
  const fixed = { minVersion: version, maxVersion: version }

  test.each([
    ['in order', [second, first]],
    ['out of order', [first, second]],
    ['with strangers, doubles and the root', [first, first, stranger, second, root, leaf, second]],
    ['alone', []],
  ])('certificates: client certificates sent %s reach the handler unchanged', async (_name, above) => {
    const { port, seen } = await listen()
    await visit(port, { ...client(...above), ...fixed })
    expect(seen[0]?.certificate).toEqual({
      leaf: leaf.der,
      intermediates: above.map((each) => each.der),
      resumed: false,
    })
  })

  test('certificates: a client without a certificate is served, and its certificate is undefined', async () => {
    const { port, seen } = await listen()
    await visit(port, fixed)
    expect(seen[0]).toMatchObject({ tls: true, certificate: undefined, listener: 'test' })
  })

  test('certificates: every request on a kept-alive connection sees the whole chain', async () => {
    const { port, seen } = await listen()
    const connection = await openRaw(port, { ca: root.pem, ...client(second, first), ...fixed })
    for (let i = 0; i < 3; i++) {
      connection.write('LIST / HTTP/1.1\r\nHost: x\r\n\r\n')
      await connection.next()
    }
    connection.close()
    expect(new Set(seen).size).toBe(1)
    expect(seen[2]?.certificate?.intermediates).toHaveLength(2)
  })

  test('resumption: a resumed session brings the intermediates of its first handshake', async () => {
    const { port, seen } = await listen()
    const { session } = await visit(port, { ...client(first, second), ...fixed })
    const again = await visit(port, { ...client(first, second), ...fixed, session })
    expect(again.reused).toBe(true)
    expect(seen[1]?.certificate).toEqual({ leaf: leaf.der, intermediates: [first.der, second.der], resumed: true })
    const third = await visit(port, { ...client(), ...fixed, session: again.session ?? session })
    expect(third.reused).toBe(true)
    expect(seen[2]?.certificate?.intermediates).toEqual([first.der, second.der])
  })

  test('resumption: a ticket of another listener is refused, and the full handshake gives the chain', async () => {
    const [one, other] = [await listen(), await listen()]
    const { session } = await visit(one.port, { ...client(second, first), ...fixed })
    expect(session).toBeDefined()
    expect((await visit(other.port, { ...client(second, first), ...fixed, session })).reused).toBe(false)
    expect(other.seen[0]?.certificate?.intermediates).toEqual([second.der, first.der])
  })

  test('resumption: after the same leaf comes with other intermediates, older tickets are not accepted', async () => {
    const { port, seen } = await listen()
    const { session } = await visit(port, { ...client(second, first), ...fixed })
    await visit(port, { ...client(), ...fixed })
    const again = await visit(port, { ...client(second, first), ...fixed, session })
    expect(again.reused).toBe(false)
    expect(seen.map((each) => each.certificate?.intermediates.length)).toEqual([2, 0, 2])
  })

  test('resumption: a session begun without a client certificate is resumed without one', async () => {
    const { port, seen } = await listen()
    const { session } = await visit(port, fixed)
    expect((await visit(port, { ...client(second), ...fixed, session })).reused).toBe(true)
    expect(seen[1]?.certificate).toBeUndefined()
  })

  test('reload: new connections get the new certificate, open connections keep working with the old one', async () => {
    const { listener, port } = await listen()
    const old = await openRaw(port, { ca: root.pem, ...fixed })
    const renewed = mintServer(root)
    listener.reloadTls({ cert: renewed.chainPem, key: renewed.keyPem, clientCertificate: 'request' })
    const fresh = await openRaw(port, { ca: root.pem, ...fixed })
    expect(peer(fresh.socket as TLSSocket).raw.equals(renewed.der)).toBe(true)
    old.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await old.next()).body).toBe('seen')
    expect(peer(old.socket as TLSSocket).raw.equals(server.der)).toBe(true)
    for (const each of [old, fresh]) each.close()
  })
})

test.each([
  ['everything', undefined, 'TLS_AES_128_GCM_SHA256'],
  ['AES-256 alone', 'TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
])('ciphers: a client that offers %s gets the expected TLS 1.3 cipher', async (_name, ciphers, expected) => {
  const { port } = await listen()
  const { socket, close } = await openRaw(port, { ca: root.pem, minVersion: 'TLSv1.3', ...(ciphers && { ciphers }) })
  expect((socket as TLSSocket).getCipher().name).toBe(expected)
  close()
})

test('reload: a certificate that does not fit its key is refused and the old one stays', async () => {
  const { listener, port } = await listen()
  const bad = { cert: server.chainPem, key: leaf.keyPem, clientCertificate: 'request' } as const
  expect(() => listener.reloadTls(bad)).toThrow(/cannot be used/)
  expect(() => listener.reloadTls({ ...bad, cert: 'rubbish' })).toThrow(/cannot be used/)
  const connection = await openRaw(port, { ca: root.pem })
  expect(peer(connection.socket as TLSSocket).raw.equals(server.der)).toBe(true)
  connection.close()
})

test('certificates: with client certificates off, the handler sees none', async () => {
  const { port, seen } = await listen({ ...tls, clientCertificate: 'off' })
  await visit(port, client(second, first))
  expect(seen[0]).toMatchObject({ tls: true, certificate: undefined })
})

test('tls: ALPN selects http/1.1, and TLS 1.1 is refused', async () => {
  const { port } = await listen()
  const connection = await openRaw(port, { ca: root.pem, ALPNProtocols: ['h2', 'http/1.1'] })
  expect((connection.socket as TLSSocket).alpnProtocol).toBe('http/1.1')
  connection.close()
  await expect(
    openRaw(port, { ca: root.pem, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
  ).rejects.toThrow()
})

test('tls: connections that send plain HTTP or garbage do not disturb later clients', async () => {
  const { port, seen } = await listen()
  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\x00\xff nonsense'.repeat(20)]) {
    const plain = await openRaw(port)
    plain.write(bytes)
    await plain.closed()
  }
  await visit(port, client())
  expect(seen).toHaveLength(1)
})

test.each([
  ['a question', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a long body', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`],
])('tls: %s in plain HTTP gets 400 with a message that the port speaks TLS', async (_what, request) => {
  const { port, seen } = await listen()
  const connection = await openRaw(port)
  connection.write(request)
  const answer = await connection.next()
  expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/json', connection: 'close' } })
  expect(JSON.parse(answer.body)).toEqual({ errors: [expect.stringContaining('speaks TLS')] })
  await connection.closed()
  expect(seen).toEqual([])
})

test('plain: a connection has no certificate, and an IPv4 client of a dual-stack socket is IPv4', async () => {
  const { port, seen } = await listen('plain', '::')
  const connection = await openRaw(port)
  connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.next()
  const remotePort = connection.socket.localPort
  connection.close()
  const expected = {
    tls: false,
    remoteAddress: '127.0.0.1',
    remotePort,
    certificate: undefined,
  }
  expect(seen[0]).toMatchObject(expected)
})

test('self-test: this version of Node exposes the whole client chain', async () => {
  await expect(verifyChainCapture()).resolves.toBeUndefined()
})

test.each([
  ['by its bytes', mintLeaf(second, { dns: Array.from({ length: 800 }, (_, at) => `host-${at}.example.com`) }), []],
  ['by its certificates', leaf, Array.from({ length: 17 }, () => first)],
])('certificates: open connections with a chain large %s are limited', async (_name, { pem, keyPem }, above) => {
  const { port } = await listen(tls, '127.0.0.1', { ...defaultListenerLimits, maxLargeChains: 1 })
  const large = { ca: root.pem, cert: pem + above.map((each) => each.pem).join(''), key: keyPem }
  const held = await openRaw(port, large)
  held.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await held.next()).status).toBe(200)
  await expect(visit(port, large)).rejects.toThrow()
  await visit(port, client(second, first))
  held.socket.destroy()
  await expect
    .poll(() =>
      visit(port, large).then(
        () => 'served',
        () => 'closed',
      ),
    )
    .toBe('served')
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('seen by openssl s_client (needs openssl)', () => {
  test('tls: the certificate request names no certificate authorities', async () => {
    const { port } = await listen()
    const { stdout } = await sClient(port, ['-tls1_3'], 'Q\n')
    expect(stdout).toContain('No client certificate CA names sent')
    expect(stdout).toMatch(/Requested Signature Algorithms/)
  })

  test('tls: client renegotiation is refused', async () => {
    const { port } = await listen()
    const { stdout, stderr } = await sClient(port, ['-tls1_2'], 'R\n')
    expect(stdout + stderr).toMatch(/no renegotiation/i)
  })
})

async function sClient(port: number, options: string[], input: string) {
  const running = promisify(execFile)('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...options])
  running.child.stdin?.write(input)
  running.child.stdin?.end()
  return await running.catch((error: { stdout: string; stderr: string }) => error)
}

const peer = (socket: TLSSocket): X509Certificate => {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) throw new Error('The server showed no certificate.')
  return certificate
}
