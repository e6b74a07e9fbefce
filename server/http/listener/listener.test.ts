import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { mintCa, mintServer } from '../../../test/support/certificates.ts'
import { openRaw, type RawConnection } from '../../../test/support/raw-connection.ts'
import { closedAfterEach } from '../../../test/support/shared.ts'
import { defaultListenerLimits, type Listener, type ListenerLimits, openListener } from './index.ts'
import type { ListenerOptions } from './listener.ts'

const root = mintCa()
const server = mintServer(root)
const tls = { cert: server.chainPem, key: server.keyPem, clientCertificate: 'request' } as const

const open = closedAfterEach()

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const hello: Handle = (_request, response) => void response.end('hello')

async function listen(
  handle: Handle = hello,
  limits: Partial<ListenerLimits> = {},
  more: Partial<ListenerOptions> = {},
) {
  const place = { name: 'api', host: '127.0.0.1', port: 0, limits: { ...defaultListenerLimits, ...limits }, ...more }
  const listener = await openListener(place, handle)
  open.push({ close: () => listener.close(0) })
  return listener
}

async function connect(listener: Listener, secure = false): Promise<RawConnection> {
  const connection = await openRaw(listener.address.port, secure ? { ca: root.pem } : undefined)
  open.push(connection)
  return connection
}

const get = (...headers: string[]): string => ['GET / HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n')

describe('limits', () => {
  test('headers: a request with as many headers as allowed arrives complete; one more is 431', async () => {
    const listener = await listen((request, response) => response.end(String(request.rawHeaders.length / 2)), {
      maxHeaders: 20,
    })
    const connection = await connect(listener)
    const headers = (count: number): string[] => Array.from({ length: count - 1 }, (_, i) => `X-${i}: y`)
    connection.write(get(...headers(20)))
    expect(await connection.next()).toMatchObject({ status: 200, body: '20' })
    connection.write(get(...headers(21)))
    expect((await connection.next()).status).toBe(431)
    await connection.closed()
  })

  test.each(['<script>', 'a b', 'a/b?c', 'me@a', '[::', 'a:99999', 'a:b', '%00', '1.2.3.4.5'])(
    'host: the invalid Host %j is 400',
    async (host) => {
      const connection = await connect(await listen())
      connection.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect((await connection.next()).status).toBe(400)
      await connection.closed()
    },
  )

  test.each(['localhost', 'my_server.example.:8200', '10.0.0.1:80', '[::1]:8200', 'a:', ''])(
    'host: the Host %j is accepted',
    async (host) => {
      const connection = await connect(await listen())
      connection.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect((await connection.next()).status).toBe(200)
    },
  )

  test.each([
    ['gzip, chunked', 501],
    ['chunked', 200],
    ['Chunked', 200],
  ])('transfer coding: Transfer-Encoding %j is answered %i', async (coding, status) => {
    const connection = await connect(await listen())
    connection.write(`${get(`Transfer-Encoding: ${coding}`)}2\r\n{}\r\n0\r\n\r\n`)
    expect((await connection.next()).status).toBe(status)
  })

  test('transfer coding: chunk extensions that are too long are 413', async () => {
    const handle: Handle = (request) => void request.resume()
    const connection = await connect(await listen(handle))
    connection.write(`${get('Transfer-Encoding: chunked')}2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)
    expect(await connection.next()).toMatchObject({ status: 413, body: expect.stringContaining('chunk extensions') })
    await connection.closed()
  })

  test('connections: a connection over the limit is closed; a slot freed by another is reused', async () => {
    const refused = vi.fn()
    const listener = await listen(hello, { maxConnections: 2, probeConnections: 0 }, { refused })
    const [first, second] = [await connect(listener), await connect(listener)]
    const third = await connect(listener)
    expect(await third.closed()).toBe('')
    expect(refused).toHaveBeenCalledOnce()
    first.close()
    second.write(get())
    expect((await second.next()).status).toBe(200)
    const fourth = await connect(listener)
    fourth.write(get())
    expect((await fourth.next()).status).toBe(200)
  })

  test('connections: a request sent in time is answered even if the process then blocks past that time', async () => {
    const connection = await connect(await listen(hello, { keepAliveTimeoutMs: 50 }))
    connection.write(get())
    expect((await connection.next()).headers['keep-alive']).toMatch(/^timeout=\d+$/)
    connection.write(get())
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
    expect((await connection.next()).status).toBe(200)
  })

  test('request: a body that never ends is 408, even if the handler only discards it', async () => {
    const handle: Handle = (request) => void request.resume()
    const connection = await connect(await listen(handle, { headersTimeoutMs: 60, requestTimeoutMs: 60 }))
    connection.write(`${get('Content-Length: 5')}12`)
    expect((await connection.next()).status).toBe(408)
    await connection.closed()
  })

  test('request: after a 408 the rest of the request does not reach the handler', async () => {
    let handled = 0
    const connection = await connect(await listen(() => void handled++, { headersTimeoutMs: 40, lingerMs: 100 }))
    connection.write('GET / HTTP/1.1\r\n')
    expect((await connection.next()).status).toBe(408)
    connection.write('Host: x\r\n\r\n')
    await connection.closed()
    expect(handled).toBe(0)
  })

  test('answer: a client that does not read is cut off, one that waits for a slow handler is not', async () => {
    let fate = 'open'
    const handle: Handle = (request, response) => {
      if (request.url === '/slow') return void setTimeout(() => response.end('late'), 150)
      response.on('close', () => {
        fate = 'cut off'
      })
      response.end(Buffer.alloc(64 * 1024 * 1024))
    }
    const listener = await listen(handle, { stallTimeoutMs: 50 })
    const [patient, deaf] = [await connect(listener), await connect(listener)]
    deaf.socket.pause()
    deaf.write(get())
    patient.write(get().replace(' / ', ' /slow '))
    expect((await patient.next()).body).toBe('late')
    await expect.poll(() => fate, { interval: 10 }).toBe('cut off')
  })

  test.each([
    ['plain', false],
    ['tls', true],
  ])('answer, %s: a client that does not read is cut off once the stall timeout is over', async (_name, secure) => {
    const order: string[] = []
    const handle: Handle = (_request, response) => {
      setTimeout(() => order.push('twice the time'), 5_800)
      setTimeout(() => order.push('the time'), 2_900)
      response.on('close', () => order.push('cut off'))
      response.end(Buffer.alloc(64 * 1024 * 1024))
    }
    const listener = await listen(handle, { stallTimeoutMs: 3_000 }, secure ? { tls } : {})
    const deaf = await connect(listener, secure)
    deaf.socket.pause()
    deaf.write(get())
    await expect.poll(() => order, { interval: 20, timeout: 20_000 }).toHaveLength(3)
    expect(order).toEqual(['the time', 'cut off', 'twice the time'])
  })

  test('answer: a client that reads slowly but steadily may take longer than the stall timeout', async () => {
    const stallTimeoutMs = 1_000
    let took = 0
    const body = Buffer.alloc(32 * 1024 * 1024)
    const handle: Handle = (_request, response) => {
      const begin = performance.now()
      response.on('finish', () => {
        took = performance.now() - begin
      })
      response.end(body)
    }
    const slow = await connect(await listen(handle, { stallTimeoutMs }))
    let read = 0
    slow.socket.pause()
    slow.socket.on('data', (piece) => {
      read += piece.length
      slow.socket.pause()
    })
    const sips = setInterval(() => slow.socket.resume(), 10)
    onTestFinished(() => clearInterval(sips))
    slow.write(get())
    await expect.poll(() => read, { interval: 50, timeout: 30_000 }).toBeGreaterThan(body.length)
    expect(took).toBeGreaterThan(stallTimeoutMs)
  }, 40_000)

  test('handshake: a TLS handshake that does not finish is closed after its timeout', async () => {
    const listener = await listen(hello, { handshakeTimeoutMs: 50 }, { tls })
    expect(await (await connect(listener)).closed()).toBe('')
  })

  test('slow clients: two hundred unfinished requests do not delay a fast client', async () => {
    const listener = await listen(hello, { headersTimeoutMs: 60_000 })
    for (let i = 0; i < 200; i++) (await connect(listener)).write('GET / HTTP/1.1\r\nX-')
    const fast = await connect(listener)
    const begin = performance.now()
    fast.write(get())
    expect((await fast.next()).body).toBe('hello')
    expect(performance.now() - begin).toBeLessThan(4_000)
  })
})

describe.each([
  ['plain', false],
  ['tls', true],
])('close, %s', (_name, secure) => {
  const more = secure ? { tls } : {}

  test('a request in flight is answered with Connection: close, and the port is free afterwards', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<ServerResponse>()
    const listener = await listen((_request, response) => start(response), {}, more)
    const busy = await connect(listener, secure)
    busy.write(get())
    const response = await started
    const closing = listener.close(10_000)
    await expect(openRaw(listener.address.port)).rejects.toThrow('ECONNREFUSED')
    response.end('done')
    expect(await busy.next()).toMatchObject({ body: 'done', headers: { connection: 'close' } })
    await closing
    await listen(hello, {}, { ...more, port: listener.address.port })
  })

  test('a response that is being written is completed', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<ServerResponse>()
    const handle: Handle = (_request, response) => {
      response.write('first ')
      start(response)
    }
    const listener = await listen(handle, {}, more)
    const busy = await connect(listener, secure)
    busy.write(get())
    const response = await started
    const closing = listener.close(10_000)
    await new Promise((resolve) => setTimeout(resolve, 60))
    response.end('second')
    expect((await busy.next()).body).toBe('first second')
    await closing
  })

  test('connections that are idle, new or in a TLS handshake are closed at once', async () => {
    const listener = await listen(hello, {}, more)
    const idle = await connect(listener, secure)
    idle.write(get())
    await idle.next()
    const fresh = await connect(listener, secure)
    const shaking = await connect(listener)
    const begin = performance.now()
    await listener.close(30_000)
    expect(performance.now() - begin).toBeLessThan(8_000)
    await Promise.all([idle.closed(), fresh.closed(), shaking.closed()])
  })

  test('a request that is not answered within the grace period is disconnected', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const listener = await listen(() => start(), {}, more)
    const stuck = await connect(listener, secure)
    stuck.write(get())
    await started
    await listener.close(50)
    expect(await stuck.closed()).toBe('')
  })
})

describe('opening', () => {
  test('a port in use fails with a message that names the address, the listener and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    open.push({ close: () => void other.close() })
    const { port } = other.address() as { port: number }
    await expect(listen(hello, {}, { port })).rejects.toThrow(
      `127.0.0.1:${port} is already in use by another program. Stop that program or choose another address for listener 'api'.`,
    )
  })

  test('an address of another machine and an unknown host name fail with a message that names them', async () => {
    await expect(listen(hello, {}, { host: '192.0.2.1' })).rejects.toThrow(
      '192.0.2.1 is not an address of this machine',
    )
    await expect(listen(hello, {}, { host: 'no-such-host.invalid' })).rejects.toThrow(/no-such-host.invalid/)
  })

  test('a certificate that does not match its key is refused', async () => {
    const bad = { ...tls, key: mintServer(root).keyPem }
    await expect(listen(hello, {}, { tls: bad })).rejects.toThrow('cannot be used')
  })
})
