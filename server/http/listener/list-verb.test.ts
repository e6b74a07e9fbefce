import { execFile, execFileSync } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mintCa, mintServer } from '../../../test/support/certificates.ts'
import { openRaw, type RawAnswer, type RawConnection } from '../../../test/support/raw-connection.ts'
import { closedAfterEach } from '../../../test/support/shared.ts'
import {
  defaultListenerLimits,
  type Listener,
  type ListenerLimits,
  openListener,
  readBody,
  readsListVerb,
} from './index.ts'

const root = mintCa()
const server = mintServer(root)
const tls = { cert: server.chainPem, key: server.keyPem, clientCertificate: 'request' } as const

const open = closedAfterEach()

type Handle = (request: IncomingMessage, response: ServerResponse) => void

async function listen(
  kind: Kind,
  handle: Handle = echo,
  limits: Partial<ListenerLimits> = {},
  options: { readsList?: boolean } = {},
): Promise<Listener> {
  const listener = await openListener(
    {
      ...options,
      name: kind,
      host: '127.0.0.1',
      port: 0,
      tls: kind === 'tls' ? tls : undefined,
      limits: { ...defaultListenerLimits, ...limits },
    },
    handle,
  )
  open.push({ close: () => listener.close(0) })
  return listener
}

async function connect(kind: Kind, listener: Listener): Promise<RawConnection> {
  const connection = await openRaw(listener.address.port, kind === 'tls' ? { ca: root.pem } : undefined)
  open.push(connection)
  return connection
}

const echo: Handle = (request, response) => {
  Promise.try(() => readBody(request, { maxBytes: 1_000_000, deadlineMs: 5_000 })).then(
    (body) => response.end(`${request.method} ${request.url} ${body}`),
    () => response.destroy(),
  )
}

const request = (verb: string, path: string, body?: string): string =>
  `${verb} ${path} HTTP/1.1\r\nHost: x\r\n${body === undefined ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body ?? ''}`

async function take(connection: RawConnection, count: number): Promise<string[]> {
  const bodies: string[] = []
  for (let i = 0; i < count; i++) bodies.push((await connection.next()).body.trim())
  return bodies
}

type Kind = 'plain' | 'tls'

describe.each<Kind>(['plain', 'tls'])('%s', (kind) => {
  test('list: the handler sees LIST as the request method', async () => {
    const connection = await connect(kind, await listen(kind))
    connection.write(request('LIST', '/v1/auth/cert/certs?a=b'))
    expect((await connection.next()).body).toBe('LIST /v1/auth/cert/certs?a=b ')
  })

  test('list: LIST and other methods may follow each other in any order on one connection', async () => {
    const connection = await connect(kind, await listen(kind))
    for (const verb of ['GET', 'LIST', 'LIST', 'POST', 'LIST', 'DELETE', 'LINK', 'UNLINK', 'LIST', 'PUT']) {
      connection.write(request(verb, '/x'))
      expect(await take(connection, 1)).toEqual([`${verb} /x`])
    }
  })

  test('list: a request with an Upgrade header is answered, and the connection is then closed', async () => {
    const listener = await listen(kind)
    // What Java's own HTTP client sends with every request where there is no TLS.
    const asking = 'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAA\r\nUpgrade: h2c\r\n'
    for (const verb of ['LIST', 'GET']) {
      const connection = await connect(kind, listener)
      connection.write(`${verb} /x HTTP/1.1\r\n${asking}Content-Length: 0\r\nHost: x\r\n\r\n`)
      expect(await connection.next()).toMatchObject({ headers: { connection: 'close' }, body: `${verb} /x ` })
      expect(await connection.closed()).toBe('')
    }
  })

  test('list: pipelined answers keep their order, however long each handler takes', async () => {
    let calls = 0
    const slow: Handle = (incoming, response) => {
      const wait = 40 - 10 * calls++
      setTimeout(() => response.end(`${incoming.method} ${incoming.url}`), wait)
    }
    const connection = await connect(kind, await listen(kind, slow))
    connection.write(['LIST', 'GET', 'LIST', 'LIST'].map((verb, i) => request(verb, `/${i}`)).join(''))
    expect(await take(connection, 4)).toEqual(['LIST /0', 'GET /1', 'LIST /2', 'LIST /3'])
  })

  test('list: 3000 pipelined LIST requests are all answered, in order', async () => {
    const count = 3000
    const connection = await connect(kind, await listen(kind))
    connection.write(Array.from({ length: count }, (_, i) => request('LIST', `/${i}`)).join(''))
    expect(await take(connection, count)).toEqual(Array.from({ length: count }, (_, i) => `LIST /${i}`))
  })

  test('list: a request stream split at any byte is parsed correctly', async () => {
    const listener = await listen(kind)
    const stream = request('LIST', '/a') + request('POST', '/b', 'LIST /not HTTP/1.1') + request('LIST', '/c', 'x')
    const expected = ['LIST /a', 'POST /b LIST /not HTTP/1.1', 'LIST /c x']
    const connection = await connect(kind, listener)
    for (let at = 1; at < stream.length; at++) {
      connection.write(stream.slice(0, at))
      await arrived()
      connection.write(stream.slice(at))
      expect(await take(connection, 3), `split at ${at}`).toEqual(expected)
    }
  })

  test('list: a request stream that arrives one byte at a time is parsed correctly', async () => {
    const connection = await connect(kind, await listen(kind))
    for (const byte of request('LIST', '/a') + request('GET', '/b') + request('LIST', '/c', 'body')) {
      connection.write(byte)
      await arrived()
    }
    expect(await take(connection, 3)).toEqual(['LIST /a', 'GET /b', 'LIST /c body'])
  })

  test('list: a body is kept with its own request, with a length and in chunks', async () => {
    const connection = await connect(kind, await listen(kind))
    const chunked =
      'LIST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nLIST \r\n3\r\n/ H\r\n0\r\n\r\n'
    connection.write(request('LIST', '/a', 'LIST / HTTP/1.1\r\n\r\n') + chunked + request('LIST', '/c'))
    expect(await take(connection, 3)).toEqual(['LIST /a LIST / HTTP/1.1', 'LIST /b LIST / H', 'LIST /c'])
  })

  test('list: a LIST request after a body that ends in letters is still recognised', async () => {
    const connection = await connect(kind, await listen(kind))
    connection.write(request('POST', '/a', 'UN') + request('LIST', '/b'))
    expect(await take(connection, 2)).toEqual(['POST /a UN', 'LIST /b'])
  })

  test.each([
    ['LISTX / HTTP/1.1', 405],
    ['XLIST / HTTP/1.1', 405],
    ['UNLIST / HTTP/1.1', 405],
    ['LIS / HTTP/1.1', 405],
    ['list / HTTP/1.1', 405],
    ['LISP / HTTP/1.1', 405],
    ['MOST / HTTP/1.1', 405],
    ['FOO / HTTP/1.1', 405],
    ['FOO / HTTP/9.9', 400],
    ['LIST / HTTP/9.9', 400],
    ['LIST / HTTP/1.1\r\nContent-Length: x', 400],
    ['LIST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400],
  ])('list: behind a LIST in the same packet, %j is answered %i and the connection closed', async (head, status) => {
    const connection = await connect(kind, await listen(kind))
    connection.write(`${request('LIST', '/before')}${head}\r\nHost: x\r\n\r\n${request('LIST', '/after')}`)
    expect(await take(connection, 1)).toEqual(['LIST /before'])
    const refused = await connection.next()
    expect(refused).toMatchObject({ status, headers: { connection: 'close' } })
    expect(JSON.parse(refused.body)).toEqual({ errors: [expect.any(String)] })
    expect(await connection.closed()).toBe('')
  })

  test.each([
    ['BREW /v1/sys/health HTTP/1.1', 405],
    ['LISTX / HTTP/1.1', 405],
    ['CONNECT /v1/sys/health HTTP/1.1', 405],
    ['CONNECT example.com:80 HTTP/1.1', 405],
    ['brew / HTTP/1.1', 405],
    ['list /v1/sys/auth HTTP/1.1', 405],
    ['M-BREW / HTTP/1.1', 405],
    ['br(w / HTTP/1.1', 400],
    ['BREW / HTTP/9.9', 400],
    ['BREW', 400],
    ['\u0016\u0003\u0001', 400],
  ])('list: as the first request on a connection, %j is answered %i', async (head, status) => {
    const connection = await connect(kind, await listen(kind))
    connection.write(`${head}\r\nHost: x\r\n\r\n`)
    const answer = await connection.next()
    expect(answer).toMatchObject({ status, headers: { connection: 'close', 'cache-control': 'no-store' } })
    expect(answer.headers.server).toMatch(/^Holdfast\/\d/)
    expect(answer.headers['strict-transport-security'] !== undefined).toBe(kind === 'tls')
    await connection.closed()
  })

  test.each([
    ['BREW / HTTP/1.1', 405],
    ['XBREW / HTTP/1.1', 405],
    ['BREW / HTTP/9.9', 400],
    ['XBREW', 400],
  ])('list: behind a GET in the same packet, %j is answered %i', async (head, status) => {
    const connection = await connect(kind, await listen(kind))
    connection.write(`${request('GET', '/before')}${head}\r\nHost: x\r\n\r\n`)
    expect(await take(connection, 1)).toEqual(['GET /before'])
    expect((await connection.next()).status).toBe(status)
    await connection.closed()
  })

  test('list: after a request was refused, later requests on the connection never reach the handler', async () => {
    const seen: unknown[] = []
    const listener = await listen(kind, (incoming, response) => {
      seen.push(incoming.url)
      response.end()
    })
    const connection = await connect(kind, listener)
    connection.write('FOO / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.next()).status).toBe(405)
    for (let i = 0; i < 5; i++) {
      connection.write(request('LIST', '/smuggled'))
      await arrived()
    }
    await connection.closed()
    expect(seen).toEqual([])
  })

  test('list: a request with no Host header, or with two, is 400', async () => {
    const listener = await listen(kind)
    for (const head of ['LIST / HTTP/1.1\r\n\r\n', 'LIST / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n']) {
      const connection = await connect(kind, listener)
      connection.write(head)
      expect((await connection.next()).status).toBe(400)
    }
  })

  test('list: headers too large are 431', async () => {
    const connection = await connect(kind, await listen(kind, echo, { maxHeaderBytes: 2048 }))
    connection.write(`LIST / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(4096)}\r\n\r\n`)
    expect((await connection.next()).status).toBe(431)
  })

  test.each(['LIST / HTTP/1.1\r\nHost: x\r\n', 'LIS', 'LI'])('list: a stall after %j is 408', async (start) => {
    const connection = await connect(kind, await listen(kind, echo, { headersTimeoutMs: 80 }))
    connection.write(request('LIST', '/first'))
    expect((await connection.next()).status).toBe(200)
    connection.write(start)
    expect((await connection.next()).status).toBe(408)
    await connection.closed()
  })

  test('list: an idle connection is closed after the keep-alive timeout', async () => {
    const connection = await connect(kind, await listen(kind, echo, { keepAliveTimeoutMs: 50, keepAliveSlackMs: 0 }))
    connection.write(request('LIST', '/'))
    expect((await connection.next()).status).toBe(200)
    expect(await connection.closed()).toBe('')
  })

  test('list: connections that clients reset in the middle leave none open', async () => {
    const listener = await listen(kind)
    for (let i = 0; i < 20; i++) {
      const connection = await connect(kind, listener)
      connection.write(`${request('LIST', '/')}LIST /${'x'.repeat(i)}`)
      if (i % 2 === 0) await connection.next()
      if (kind === 'plain') connection.socket.resetAndDestroy()
      else connection.socket.destroy()
    }
    const last = await connect(kind, listener)
    last.write(request('LIST', '/alive'))
    expect(await take(last, 1)).toEqual(['LIST /alive'])
    last.close()
    // Resolves only when no connection is left, or by force after a minute.
    const begin = performance.now()
    await listener.close(60_000)
    expect(performance.now() - begin).toBeLessThan(5_000)
  })

  test('list: twenty thousand requests on one connection leave no event listeners behind', async () => {
    const counts = new Set<string>()
    const listener = await listen(kind, (incoming, response) => {
      const { socket } = incoming
      const names = ['error', 'data', 'end', 'close', 'drain', 'timeout', 'pause', 'resume']
      counts.add(names.map((name) => socket.listenerCount(name)).join())
      response.end(incoming.method)
    })
    const connection = await connect(kind, listener)
    const batch = request('LIST', '/').repeat(200)
    connection.write(batch)
    await take(connection, 200)
    const settled = counts.size
    for (let i = 1; i < 100; i++) {
      connection.write(batch)
      expect(new Set(await take(connection, 200))).toEqual(new Set(['LIST']))
    }
    expect(counts.size).toBe(settled)
  })

  test.skipIf(!hasCurl())('list: curl -X LIST is understood (needs curl)', async () => {
    const listener = await listen(kind)
    const scheme = kind === 'tls' ? 'https' : 'http'
    const url = `${scheme}://127.0.0.1:${listener.address.port}`
    const { stdout } = await promisify(execFile)('curl', ['-sk', '-X', 'LIST', `${url}/one`, `${url}/two`])
    expect(stdout).toBe('LIST /one LIST /two ')
  })
})

test('list: an invalid request behind a slow one is refused after the slow one is answered', async () => {
  const listener = await listen('plain', (_incoming, response) => void setTimeout(() => response.end('first'), 50))
  const connection = await connect('plain', listener)
  connection.write(`${request('LIST', '/slow')}FOO / HTTP/1.1\r\n\r\n`)
  const answers: RawAnswer[] = [await connection.next(), await connection.next()]
  expect(answers.map((answer) => answer.status)).toEqual([200, 405])
  await connection.closed()
})

/** The parser's class, whose undocumented parts another Node may have changed. */
async function parserClass(): Promise<{ kOnExecute: unknown; prototype: { initialize: unknown } }> {
  let found: { kOnExecute: unknown; prototype: { initialize: unknown } } | undefined
  const listener = await listen('plain', ({ socket }, response) => {
    found = (socket as unknown as { parser: { constructor: typeof found } }).parser.constructor
    response.end()
  })
  const connection = await connect('plain', listener)
  connection.write(request('GET', '/'))
  await connection.next()
  if (!found) throw new Error('The connection has no parser.')
  return found
}

describe('on a Node whose parser has changed', () => {
  test('list: the self-test notices that a slot is missing', async () => {
    const parser = await parserClass()
    expect(await readsListVerb()).toBe(true)
    const slot = parser.kOnExecute
    onTestFinished(() => void Object.assign(parser, { kOnExecute: slot }))
    parser.kOnExecute = undefined
    expect(await readsListVerb()).toBe(false)
  })

  test('list: the self-test notices that a parser cannot be started again', async () => {
    const { prototype } = await parserClass()
    const original = prototype.initialize as (...args: unknown[]) => void
    onTestFinished(() => void Object.assign(prototype, { initialize: original }))
    prototype.initialize = function (this: unknown, ...args: unknown[]) {
      // The server starts a parser with the socket that it belongs to; ours is told apart by a plain object.
      if (Object.getPrototypeOf(args[1]) === Object.prototype) throw new TypeError('changed')
      original.apply(this, args)
    }
    expect(await readsListVerb()).toBe(false)
    const connection = await connect('plain', await listen('plain'))
    connection.write(request('GET', '/still'))
    expect(await take(connection, 1)).toEqual(['GET /still'])
  })

  test.each<Kind>(['plain', 'tls'])(
    'list: LIST is refused over %s with a text that says what to send',
    async (kind) => {
      const listener = await listen(kind, echo, {}, { readsList: false })
      const connection = await connect(kind, listener)
      connection.write(request('GET', '/a') + request('LIST', '/v1/sys/policies/acl'))
      expect(await take(connection, 1)).toEqual(['GET /a'])
      const refused = await connection.next()
      expect(refused).toMatchObject({ status: 400, headers: { connection: 'close' } })
      expect(refused.body).toContain('send GET with ?list=true instead')
      await connection.closed()
    },
  )
})

/** Lets what was written arrive as a packet of its own: the loop polls once between two immediates. */
const arrived = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)))

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
