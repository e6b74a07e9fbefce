import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { mintCa, mintServer } from '../../test/support/certificates.ts'
import { systemClock } from '../kernel/clock.ts'
import { createOutbound } from './fetch.ts'
import type { HostAddress } from './resolve.ts'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const outbound = createOutbound({ clock: systemClock })
const usual = { deadline: '2s', maxBytes: 1024 }

async function listen(server: Server | NetServer): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const serve = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(answer))}`

/** A server that answers with fixed bytes, HTTP or not. */
const serveRaw = async (talk: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await listen(
    createNetServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => talk(socket))
    }),
  )}`

const resolverOf = (...answers: string[][]) => {
  let calls = 0
  return async (): Promise<HostAddress[]> => {
    const addresses = answers[Math.min(calls++, answers.length - 1)] ?? []
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

test('get: returns status, headers and body', async () => {
  const url = await serve((request, response) => {
    response.setHeader('x-seen', `${request.headers['x-mine']} ${request.headers['accept-encoding']}`)
    response.end(`hello ${request.url}`)
  })
  const reply = await outbound.get(`${url}/a?b=c`, { ...usual, headers: { 'X-Mine': 'yes' } })
  expect(reply).toMatchObject({ status: 200, headers: { 'x-seen': 'yes identity' } })
  expect(reply.body.toString()).toBe('hello /a?b=c')
})

test('post: sends its body', async () => {
  const url = await serve((request, response) => {
    request.pipe(response)
  })
  expect((await outbound.post(url, 'ping', usual)).body.toString()).toBe('ping')
  expect((await outbound.post(url, Buffer.from([1, 2, 3]), usual)).body).toEqual(Buffer.from([1, 2, 3]))
})

test('get: a chunked body and an empty one are read completely', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/empty') return void response.writeHead(204).end()
    response.write('a'.repeat(500))
    response.end('b'.repeat(500))
  })
  expect((await outbound.get(url, usual)).body).toHaveLength(1000)
  expect((await outbound.get(`${url}/empty`, usual)).body).toHaveLength(0)
})

test('status: other than 2xx fails with outbound.status, unless anyStatus is set', async () => {
  const url = await serve((_request, response) => void response.writeHead(404).end('no'))
  await expect(outbound.get(url, usual)).rejects.toMatchObject({
    kind: 'upstream',
    code: 'outbound.status',
    extras: { data: { status: 404 } },
  })
  expect(await outbound.get(url, { ...usual, anyStatus: true })).toMatchObject({ status: 404 })
})

test('deadline: a response that drips is aborted, and its connection closed', async () => {
  const gone = Promise.withResolvers<void>()
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    const drip = () => socket.writable && socket.write('x') && setTimeout(drip, 10)
    socket.on('close', gone.resolve)
    drip()
  })
  await expect(outbound.get(url, { ...usual, deadline: 80 })).rejects.toMatchObject({ code: 'outbound.deadline' })
  await gone.promise
})

test.each([
  ['without a declared length', '', 'x'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', '1\r\nx\r\n'],
])('deadline: a response %s that drips is never taken for complete', async (_what, header, drop) => {
  const url = await serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`)
    const drip = () => socket.writable && socket.write(drop) && setTimeout(drip, 10)
    drip()
  })
  await expect(outbound.get(url, { ...usual, deadline: 80 })).rejects.toMatchObject({ code: 'outbound.deadline' })
})

test('deadline: covers slow headers, silence and the DNS lookup', async () => {
  const silent = await serveRaw(() => undefined)
  const dripping = await serveRaw((socket) => {
    const drip = () => socket.writable && socket.write('H') && setTimeout(drip, 10)
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
    drip()
  })
  const nameless = createOutbound({ clock: systemClock, resolver: () => new Promise(() => undefined) })
  const short = { ...usual, deadline: 60 }
  await expect(outbound.get(silent, short)).rejects.toMatchObject({ code: 'outbound.deadline' })
  await expect(outbound.get(dripping, short)).rejects.toMatchObject({ code: 'outbound.deadline' })
  await expect(nameless.get('http://slow.test/', short)).rejects.toMatchObject({ code: 'outbound.deadline' })
})

test('cancel: an outer signal ends the call, before or during it', async () => {
  const url = await serveRaw(() => undefined)
  const controller = new AbortController()
  const call = outbound.get(url, { ...usual, signal: controller.signal })
  setTimeout(() => controller.abort(), 20)
  await expect(call).rejects.toMatchObject({ code: 'outbound.cancelled' })
  await expect(outbound.get(url, { ...usual, signal: controller.signal })).rejects.toMatchObject({
    code: 'outbound.cancelled',
  })
})

test('size: a declared length over the limit fails with outbound.too-large', async () => {
  const url = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n'))
  await expect(outbound.get(url, usual)).rejects.toMatchObject({ code: 'outbound.too-large' })
})

test('size: an endless body is aborted at the limit, before 32 MiB are sent', async () => {
  const gone = Promise.withResolvers<void>()
  const block = Buffer.alloc(64 * 1024)
  let sent = 0
  const url = await serve((_request, response) => {
    const pour = () => {
      while (response.write(block)) sent += block.length
      response.once('drain', pour)
    }
    response.on('close', gone.resolve)
    pour()
  })
  await expect(outbound.get(url, { ...usual, maxBytes: 100_000 })).rejects.toMatchObject({ code: 'outbound.too-large' })
  await gone.promise
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})

test('size: exactly the cap is fine, one byte more is not', async () => {
  const url = await serve((request, response) => void response.end('x'.repeat(Number(request.url?.slice(1)))))
  expect((await outbound.get(`${url}/1024`, usual)).body).toHaveLength(1024)
  await expect(outbound.get(`${url}/1025`, usual)).rejects.toMatchObject({ code: 'outbound.too-large' })
})

test('size: headers of 40 kB fail with outbound.too-large', async () => {
  const url = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`))
  await expect(outbound.get(url, usual)).rejects.toMatchObject({ code: 'outbound.too-large' })
})

test('encoding: a compressed response is refused as outbound.encoded', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  const url = await serve((_request, response) => void response.setHeader('content-encoding', 'gzip').end(bomb))
  await expect(outbound.get(url, { ...usual, maxBytes: 10_000 })).rejects.toMatchObject({ code: 'outbound.encoded' })
})

test.each([
  ['a body shorter than declared', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'outbound.broken-off'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'outbound.protocol'],
  ['a closed connection', '', 'outbound.broken-off'],
  ['another protocol', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'outbound.protocol'],
])('answer: %s is a failure', async (_name, bytes, code) => {
  const url = await serveRaw((socket) => socket.end(bytes))
  await expect(outbound.get(url, usual)).rejects.toMatchObject({ kind: 'upstream', code })
})

test('redirect: three redirects are followed, four are not, and none with redirects: 0', async () => {
  const url = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(5000))
  })
  expect((await outbound.get(`${url}/3`, usual)).body.toString()).toBe('arrived')
  await expect(outbound.get(`${url}/4`, usual)).rejects.toMatchObject({ code: 'outbound.too-many-redirects' })
  await expect(outbound.get(`${url}/1`, { ...usual, redirects: 0 })).rejects.toMatchObject({
    code: 'outbound.too-many-redirects',
  })
})

test.each([
  ['http://169.254.169.254/latest/meta-data', 'outbound.denied-address'],
  ['http://2852039166/', 'outbound.denied-address'],
  ['http://[::ffff:169.254.169.254]/', 'outbound.denied-address'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'outbound.denied-address'],
  ['http://0/', 'outbound.denied-address'],
  ['file:///etc/passwd', 'outbound.scheme'],
  ['gopher://127.0.0.1/', 'outbound.scheme'],
  ['http://[', 'outbound.bad-url'],
])('redirect: %s is refused as a redirect target and as the first URL', async (location, code) => {
  const url = await serve((_request, response) => void response.writeHead(302, { location }).end())
  await expect(outbound.get(url, usual)).rejects.toMatchObject({ code })
  await expect(outbound.get(location, usual)).rejects.toMatchObject({ code })
})

test('redirect: another origin gets no credentials; 303 turns POST into GET, 307 keeps it', async () => {
  const seen: string[] = []
  const target = await serve((request, response) => {
    const { authorization, cookie, accept } = request.headers
    seen.push(`${request.method} ${authorization} ${cookie} ${request.headers['x-api-key']} ${accept}`)
    response.end()
  })
  const url = await serve((request, response) => {
    seen.push(`${request.method} ${request.headers.authorization}`)
    response.writeHead(request.url === '/307' ? 307 : 303, { location: target }).end()
  })
  const headers = { cookie: 'c', 'x-api-key': 'k', accept: 'a' }
  await outbound.post(url.replace('//', '//ann:p%40ss@'), 'body', { ...usual, headers, redirects: 1 })
  const basic = Buffer.from('ann:p@ss').toString('base64')
  expect(seen).toEqual([`POST Basic ${basic}`, 'GET undefined undefined undefined a'])
  await outbound.post(`${url}/307`, 'body', { ...usual, redirects: 1 })
  expect(seen.at(-1)).toMatch(/^POST /)
  await expect(outbound.post(url, 'body', usual)).rejects.toMatchObject({ code: 'outbound.too-many-redirects' })
})

test('rebinding: the checked address is the one connected to, and each call checks again', async () => {
  const url = new URL(await serve((_request, response) => void response.end('mine')))
  const rebound = createOutbound({ clock: systemClock, resolver: resolverOf(['127.0.0.1'], ['169.254.169.254']) })
  const named = `http://rebind.test:${url.port}/`
  expect((await rebound.get(named, usual)).body.toString()).toBe('mine')
  await expect(rebound.get(named, usual)).rejects.toMatchObject({ code: 'outbound.denied-address' })
})

test('names: denied addresses are skipped; unknown names and closed ports have different codes', async () => {
  const url = new URL(await serve((_request, response) => void response.end('mine')))
  const mixed = createOutbound({ clock: systemClock, resolver: resolverOf(['169.254.1.1', 'fe80::1', '127.0.0.1']) })
  expect((await mixed.get(`http://mixed.test:${url.port}/`, usual)).body.toString()).toBe('mine')
  const unknown = createOutbound({ clock: systemClock, resolver: resolverOf([]) })
  await expect(unknown.get('http://none.test/', usual)).rejects.toMatchObject({ code: 'outbound.unresolved' })
  await expect(outbound.get('http://127.0.0.1:1/', usual)).rejects.toMatchObject({ code: 'outbound.unreachable' })
})

test('lists: the configuration can deny loopback', async () => {
  const url = await serve((_request, response) => void response.end())
  const closed = createOutbound({ clock: systemClock, deny: ['127.0.0.0/8'] })
  await expect(closed.get(url, usual)).rejects.toMatchObject({ code: 'outbound.denied-address' })
})

test('tls: an untrusted server and a redirect from https to http are refused', async () => {
  const ca = mintCa()
  const { pem, keyPem } = mintServer(ca)
  const tls = createTlsServer({ cert: pem, key: keyPem }, (request, response) => {
    if (request.url === '/down') response.writeHead(302, { location: 'http://127.0.0.1/' })
    response.end('secure')
  })
  const url = `https://localhost:${await listen(tls)}`
  const local = createOutbound({ clock: systemClock, resolver: resolverOf(['127.0.0.1']) })
  expect((await local.get(url, { ...usual, ca: ca.pem })).body.toString()).toBe('secure')
  await expect(local.get(url, usual)).rejects.toMatchObject({ code: 'outbound.tls' })
  const down = local.get(`${url}/down`, { ...usual, ca: ca.pem })
  await expect(down).rejects.toMatchObject({ code: 'outbound.downgrade' })
})

test('texts: failures contain no credentials, path or query of the URL', async () => {
  const url = await serve((_request, response) => void response.writeHead(500).end())
  const telling = (base: string) => `${base.replace('//', '//user:hunter2@')}/hunter2?sig=hunter2`
  const bad = [
    telling(url),
    telling('http://127.0.0.1:1'),
    telling('http://169.254.169.254'),
    telling('ftp://x'),
    'http://hunter2 hunter2/',
  ]
  for (const target of bad) {
    const thrown = await outbound.get(target, usual).catch((problem: Error) => problem)
    expect(thrown).toBeInstanceOf(Error)
    const cause = thrown instanceof Error ? thrown.cause : undefined
    expect(JSON.stringify([String(thrown), String(cause), thrown, cause])).not.toContain('hunter2')
  }
})

test('per host: concurrent calls are limited, and the waiting ones are served', async () => {
  let running = 0
  let most = 0
  const url = await serve((_request, response) => {
    running += 1
    most = Math.max(most, running)
    setTimeout(() => {
      running -= 1
      response.end('ok')
    }, 5)
  })
  const narrow = createOutbound({ clock: systemClock, maxPerHost: 3 })
  const replies = await Promise.all(Array.from({ length: 20 }, () => narrow.get(url, usual)))
  expect(replies).toHaveLength(20)
  expect(most).toBe(3)
})

test('per host: a call that waits past its deadline fails, and the next one is served', async () => {
  const held: (() => void)[] = []
  const url = await serve((_request, response) => {
    held.push(() => response.end('ok'))
    if (held.length === 1) arrived.resolve()
  })
  const arrived = Promise.withResolvers<void>()
  const narrow = createOutbound({ clock: systemClock, maxPerHost: 1 })
  const first = narrow.get(url, usual)
  await arrived.promise
  await expect(narrow.get(url, { ...usual, deadline: 30 })).rejects.toMatchObject({ code: 'outbound.deadline' })
  const third = narrow.get(url, usual)
  held[0]?.()
  await first
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve))
  held[1]?.()
  expect((await third).body.toString()).toBe('ok')
})
