import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { systemClock } from '../kernel/clock.ts'
import { createOutbound } from './fetch.ts'

const outbound = createOutbound({ clock: systemClock })
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server that sends back what it gets. */
async function echo(listen: (server: Server) => void): Promise<Server> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.pipe(socket)
  })
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  listen(server)
  await once(server, 'listening')
  return server
}

async function answerOf(socket: Socket): Promise<string> {
  closers.push(() => socket.destroy())
  socket.write('ping')
  const [bytes] = await once(socket, 'data')
  return String(bytes)
}

test('connect: connects to an allowed host', async () => {
  const server = await echo((it) => it.listen(0, '127.0.0.1'))
  const { port } = server.address() as AddressInfo
  expect(await answerOf(await outbound.connect('localhost', port, '2s'))).toBe('ping')
})

test('connect: denied, unreachable and slow hosts have different error codes', async () => {
  const slow = createOutbound({ clock: systemClock, resolver: () => new Promise(() => undefined) })
  await expect(outbound.connect('169.254.169.254', 80, '1s')).rejects.toMatchObject({ code: 'outbound.denied-address' })
  await expect(outbound.connect('127.0.0.1', 1, '1s')).rejects.toMatchObject({ code: 'outbound.unreachable' })
  await expect(slow.connect('slow.test', 80, 30)).rejects.toMatchObject({ code: 'outbound.deadline' })
})

test('connect: a Unix socket is reached, and a missing one fails with outbound.unreachable', async () => {
  const directory = ownFolder()
  const path = join(directory, 'it.sock')
  await echo((it) => it.listen(path))
  expect(await answerOf(await outbound.connectUnix(path, '1s'))).toBe('ping')
  await expect(outbound.connectUnix(join(directory, 'none'), '1s')).rejects.toMatchObject({
    code: 'outbound.unreachable',
  })
})

test('datagram: sends to its host; a denied address is refused', async () => {
  const receiver = createSocket('udp4')
  closers.push(() => receiver.close())
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve))
  const received = once(receiver, 'message')
  const socket = await outbound.datagram('127.0.0.1', receiver.address().port, '1s')
  closers.push(() => socket.close())
  socket.send('ping')
  expect(String((await received)[0])).toBe('ping')
  await expect(outbound.datagram('224.0.0.1', 80, '1s')).rejects.toMatchObject({ code: 'outbound.denied-address' })
})

test('datagram: a socket that cannot connect to its host fails and is closed', async () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap')
  const mistaken = createOutbound({ clock: systemClock, resolver: async () => [{ address: '::1', family: 4 }] })
  await expect(mistaken.datagram('logs.test', 514, '1s')).rejects.toMatchObject({ kind: 'upstream' })
  await expect.poll(open).toEqual([])
})
