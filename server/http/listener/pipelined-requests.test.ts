import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { mintCa, mintServer } from '../../../test/support/certificates.ts'
import { openRaw, type RawConnection } from '../../../test/support/raw-connection.ts'
import { closedAfterEach } from '../../../test/support/shared.ts'
import { defaultListenerLimits, openListener } from './index.ts'
import type { RequestHandler } from './listener.ts'

const root = mintCa()
const server = mintServer(root)
const tls = { cert: server.chainPem, key: server.keyPem, clientCertificate: 'request' } as const

const open = closedAfterEach()

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe.each(['plain', 'tls'] as const)('pipelined requests: %s', (kind) => {
  async function connect(handle: RequestHandler): Promise<RawConnection> {
    const place = { name: 'api', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
    const listener = await openListener(kind === 'tls' ? { ...place, tls } : place, handle)
    open.push({ close: () => listener.close(0) })
    const connection = await openRaw(listener.address.port, kind === 'tls' ? { ca: root.pem } : undefined)
    open.push(connection)
    return connection
  }

  test('a request is handled when the one before it is answered', async () => {
    const events: string[] = []
    const connection = await connect((request, response) => {
      events.push(`${request.url} begins`)
      setTimeout(() => {
        events.push(`${request.url} ends`)
        response.end(request.url)
      }, 20)
    })
    connection.write(get('/1') + post('/2', 'two') + get('/3'))
    const bodies = [await connection.next(), await connection.next(), await connection.next()].map(({ body }) => body)
    expect(bodies).toEqual(['/1', '/2', '/3'])
    expect(events).toEqual(['/1', '/2', '/3'].flatMap((path) => [`${path} begins`, `${path} ends`]))
  })

  test('answers that the client does not read are not prepared', async () => {
    let handled = 0
    const connection = await connect((_request, response) => {
      handled++
      response.end(Buffer.alloc(8 * 1024 * 1024))
    })
    connection.socket.pause()
    connection.write(get('/').repeat(400))
    await vi.waitFor(() => expect(handled).toBeGreaterThan(0))
    await pause(300)
    expect(handled).toBeLessThan(5)
  })

  test('the server stops reading while many requests wait, and goes on after that', async () => {
    const first = Promise.withResolvers<ServerResponse>()
    let handled = 0
    const connection = await connect((_request, response) => {
      if (handled++ === 0) first.resolve(response)
      else response.end(String(handled))
    })
    // More than the buffers of the system take.
    const count = 12_000
    const padding = `GET / HTTP/1.1\r\nHost: x\r\nX-Padding: ${'y'.repeat(1000)}\r\n\r\n`
    connection.write(padding.repeat(count))
    const response = await first.promise
    await pause(300)
    expect(connection.socket.writableLength).toBeGreaterThan(0)
    response.end('1')
    for (let i = 1; i <= count; i++) expect((await connection.next()).body).toBe(String(i))
  })

  test('a long body is read when its turn comes', async () => {
    const connection = await connect(async (request, response) => {
      let size = 0
      for await (const chunk of request) size += (chunk as Buffer).length
      await pause(2)
      response.end(String(size))
    })
    connection.write(post('/', 'x'.repeat(100)) + get('/').repeat(200) + post('/', 'y'.repeat(3_000_000)) + get('/'))
    expect((await connection.next()).body).toBe('100')
    for (let i = 0; i < 200; i++) expect((await connection.next()).body).toBe('0')
    expect((await connection.next()).body).toBe('3000000')
    expect((await connection.next()).body).toBe('0')
  })

  test('what waits behind a connection that is closed is not carried out', async () => {
    const paths: (string | undefined)[] = []
    const connection = await connect((request, response) => {
      paths.push(request.url)
      response.setHeader('Connection', 'close')
      setTimeout(() => response.end('last'), 20)
    })
    connection.write(get('/1') + post('/2', 'two'))
    expect((await connection.next()).body).toBe('last')
    expect(await connection.closed()).toBe('')
    expect(paths).toEqual(['/1'])
  })
})
