import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { secret } from '../../kernel/secret.ts'
import { createOutbound } from '../../outbound/fetch.ts'
import { type AuditDevice, openDevice } from '../device.ts'
import { testRecord } from '../record.ts'

const deps = {
  clock: systemClock,
  ids: randomIds,
  outbound: createOutbound({ clock: systemClock }),
  slot: 'w0',
  version: '0.0.0',
  places: { dataDir: '/nowhere/data', programDir: '/nowhere/program' },
}
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openSocket(options: Record<string, string>): Promise<AuditDevice> {
  const config = { path: 'socket/', type: 'socket', options, salt: secret(randomIds.bytes(32)) }
  const device = await openDevice(deps, config, { test: false })
  closers.push(() => device.close())
  return device
}

/** A collector of lines; `hear` may do something else with a connection. */
async function collector(listen: (server: Server) => void, hear = (socket: Socket) => void socket.resume()) {
  const sockets: Socket[] = []
  let text = ''
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.pause()
    hear(socket)
  })
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  listen(server)
  await once(server, 'listening')
  const lines = async (count: number) => {
    while (text.split('\n').length <= count) await new Promise((resolve) => setTimeout(resolve, 2))
    return text.split('\n').filter(Boolean)
  }
  return { server, sockets, lines }
}

const record = (id = randomIds.uuid()) => testRecord(systemClock.now(), id)
const portOf = (server: Server) => (server.address() as AddressInfo).port

test('socket device: lines arrive over TCP in order, on one connection', async () => {
  const { server, sockets, lines } = await collector((it) => it.listen(0, '127.0.0.1'))
  const device = await openSocket({ address: `127.0.0.1:${portOf(server)}` })
  const ids = Array.from({ length: 50 }, () => randomIds.uuid())
  await Promise.all(ids.map((id) => device.write(record(id)).promise()))
  expect((await lines(50)).map((line) => JSON.parse(line).request.id)).toEqual(ids)
  expect(sockets).toHaveLength(1)
})

test('socket device: Unix sockets and UDP work too', async () => {
  const directory = ownFolder()
  const path = join(directory, 'audit.sock')
  const { lines } = await collector((it) => it.listen(path))
  await (await openSocket({ address: path, socket_type: 'unix' })).write(record('by-unix')).promise()
  expect(JSON.parse((await lines(1))[0] ?? '')).toMatchObject({ request: { id: 'by-unix' } })

  const receiver = createSocket('udp4')
  closers.push(() => receiver.close())
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve))
  const received = once(receiver, 'message')
  const device = await openSocket({ address: `127.0.0.1:${receiver.address().port}`, socket_type: 'udp' })
  await device.write(record('by-udp')).promise()
  expect(JSON.parse(String((await received)[0]))).toMatchObject({ request: { id: 'by-udp' }, seq: 1 })
})

test('socket device: UDP datagrams are sent even if nobody listens', async () => {
  const receiver = createSocket('udp4')
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve))
  const { port } = receiver.address()
  await new Promise<void>((resolve) => receiver.close(resolve))
  const device = await openSocket({ address: `127.0.0.1:${port}`, socket_type: 'udp' })
  for (let n = 0; n < 5; n++)
    await Promise.all([record(), record(), record()].map((each) => device.write(each).promise()))
  const late = createSocket('udp4')
  closers.push(() => late.close())
  await new Promise<void>((resolve) => late.bind(port, '127.0.0.1', resolve))
  const received = once(late, 'message')
  await device.write(record('heard')).promise()
  expect(JSON.parse(String((await received)[0]))).toMatchObject({ request: { id: 'heard' }, seq: 16 })
})

test('socket device: after the collector restarts the device reconnects, and the chain has no gap', async () => {
  const first = await collector((it) => it.listen(0, '127.0.0.1'))
  const port = portOf(first.server)
  const device = await openSocket({ address: `127.0.0.1:${port}` })
  await device.write(record()).promise()
  await first.lines(1)
  for (const socket of first.sockets) socket.destroy()
  first.server.close()
  await once(first.server, 'close')
  await expect(device.write(record()).promise()).rejects.toMatchObject({ code: 'outbound.unreachable' })
  const second = await collector((it) => it.listen(port, '127.0.0.1'))
  await device.write(record('again')).promise()
  // The record that could not be sent left no gap in the chain.
  expect(JSON.parse((await second.lines(1)).at(-1) ?? '')).toMatchObject({ request: { id: 'again' }, seq: 2 })
})

test('socket device: a collector that does not read makes a record fail after write_timeout', async () => {
  const deaf = await collector(
    (it) => it.listen(0, '127.0.0.1'),
    () => undefined,
  )
  const device = await openSocket({ address: `127.0.0.1:${portOf(deaf.server)}`, write_timeout: '1s' })
  const began = performance.now()
  const big = () => device.write(record('x'.repeat(8 * 1024 * 1024))).promise()
  const first = big()
  const behind = new Promise((resolve) => setTimeout(resolve, 30)).then(() => device.write(record()).promise())
  await expect(first).rejects.toMatchObject({ code: 'audit.blocked' })
  await Promise.allSettled([behind])
  expect(performance.now() - began).toBeLessThan(6_000)
})

test('socket device: an unreachable host and a denied address fail with their codes', async () => {
  const dead = await openSocket({ address: '127.0.0.1:1' })
  await expect(dead.write(record()).promise()).rejects.toMatchObject({ code: 'outbound.unreachable' })
  const denied = await openSocket({ address: '169.254.169.254:80' })
  await expect(denied.write(record()).promise()).rejects.toMatchObject({ code: 'outbound.denied-address' })
})

test.each([
  [{}, "'address'"],
  [{ address: 'nowhere' }, 'host:port'],
  [{ address: 'host:99999' }, 'host:port'],
  [{ address: 'host:1', socket_type: 'sctp' }, 'socket_type'],
  [{ address: 'host:1', write_timeout: 'soon' }, 'write_timeout'],
  [{ address: 'host:1', write_timeout: '0s' }, 'write_timeout'],
  [{ address: 'host:1', log_raw: 'maybe' }, 'log_raw'],
  [{ address: 'host:1', format: 'jsonx' }, 'json'],
  [{ address: 'host:1', prefix: 'a\nb' }, 'prefix'],
] as const)('socket device: the options %j are refused with an error about %s', async (options, word) => {
  await expect(openSocket(options)).rejects.toThrow(word)
})
