import { describe, expect, test, vi } from 'vitest'
import { mintCa, mintServer } from '../../../test/support/certificates.ts'
import { openRaw, type RawConnection } from '../../../test/support/raw-connection.ts'
import { closedAfterEach } from '../../../test/support/shared.ts'
import { defaultListenerLimits, type ListenerLimits, openListener } from './index.ts'

const root = mintCa()
const { chainPem: cert, keyPem: key } = mintServer(root)
const open = closedAfterEach()

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe.each(['plain', 'TLS'])('reserve of a %s listener', (kind) => {
  const isTls = kind === 'TLS'

  /** A listener that takes two connections, both of which are taken. */
  async function full(limits: Partial<ListenerLimits> = {}) {
    const refused = vi.fn()
    const tls = isTls ? { tls: { cert, key, clientCertificate: 'request' } as const } : {}
    const all = { ...defaultListenerLimits, maxConnections: 2, probeConnections: 1, ...limits }
    const options = { name: 'api', host: '127.0.0.1', port: 0, limits: all, refused, ...tls }
    const listener = await openListener(options, (request, response) => void response.end(request.url))
    open.push({ close: () => listener.close(0) })
    const connect = async (): Promise<RawConnection> => {
      const connection = await openRaw(listener.address.port, isTls ? { ca: root.pem } : undefined)
      open.push(connection)
      return connection
    }
    return { connect, refused, taken: [await connect(), await connect()] as const }
  }

  test.each(['/healthz', '/readyz', '/v1/sys/health?sealedcode=200'])('%s is answered, once', async (path) => {
    const { connect, refused } = await full()
    for (const _ of [1, 2]) {
      const probe = await connect()
      probe.write(get(path))
      expect(await probe.next()).toMatchObject({ status: 200, body: path, headers: { connection: 'close' } })
      await probe.closed()
    }
    expect(refused).not.toHaveBeenCalled()
  })

  test('a HEAD of such a path is answered too; another verb is not', async () => {
    const { connect } = await full()
    for (const [verb, status] of [
      ['HEAD', 200],
      ['POST', 503],
    ] as const) {
      const probe = await connect()
      probe.write(get('/healthz').replace('GET', verb))
      expect((await probe.closed()).split('\r\n')[0]).toContain(`HTTP/1.1 ${status}`)
    }
  })

  test('anything else is 503, and told', async () => {
    const { connect, refused, taken } = await full()
    const other = await connect()
    other.write(get('/v1/sys/mounts'))
    expect(await other.next()).toMatchObject({
      status: 503,
      body: expect.stringContaining('The server has too many connections; try again.'),
      headers: { connection: 'close', 'retry-after': '1' },
    })
    await other.closed()
    expect(refused).toHaveBeenCalledOnce()
    taken[0].write(get('/v1/sys/mounts'))
    expect((await taken[0].next()).status).toBe(200)
  })

  test('a connection that asks nothing is cut off soon, and a place that becomes free is for everything', async () => {
    const { connect, taken } = await full({ probeTimeoutMs: 200 })
    const idle = await connect()
    expect(await idle.closed()).toBe('')
    taken[1].close()
    await vi.waitFor(async () => {
      const next = await connect()
      next.write(get('/v1/sys/mounts'))
      expect(await next.next()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } })
    })
  })
})

test('a connection beyond the reserve is closed at once, and told', async () => {
  const refused = vi.fn()
  const limits = { ...defaultListenerLimits, maxConnections: 1, probeConnections: 1 }
  const options = { name: 'api', host: '127.0.0.1', port: 0, limits, refused }
  const listener = await openListener(options, (_request, response) => void response.end())
  open.push({ close: () => listener.close(0) })
  const [, , third] = [
    await openRaw(listener.address.port),
    await openRaw(listener.address.port),
    await openRaw(listener.address.port),
  ]
  expect(await third.closed()).toBe('')
  expect(refused).toHaveBeenCalledOnce()
})
