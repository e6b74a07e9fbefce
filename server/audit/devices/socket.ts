import type { Socket as DatagramSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import { type LineGroup, linesOf } from '../../crypto/line-chains/line-chain.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import { shownAddress } from '../../kernel/hidden-credentials.ts'
import type { Outbound } from '../../outbound/fetch.ts'
import type { WaitingSink } from './sink.ts'

/** Where a socket device sends its lines. `address` is `host:port`, or a path for `unix`. */
export type SocketTarget = { type: 'tcp' | 'udp' | 'unix'; address: string }

/** What sending needs. */
type SocketDeps = {
  outbound: Pick<Outbound, 'connect' | 'connectUnix' | 'datagram'>
  clock: Pick<Clock, 'monotonic'>
}

/** An open connection: it sends lines or fails, and knows when it is of no more use. */
type Connection = { send(group: LineGroup): Promise<void>; readonly alive: boolean; end(): void }

/** A device that sends lines over a connection, opened when first needed and again after it broke. */
export function createSocketSink(deps: SocketDeps, target: SocketTarget): WaitingSink {
  let connection: Connection | undefined

  const drop = (): void => {
    connection?.end()
    connection = undefined
  }

  async function attempt(group: LineGroup, withinMs: number, leaving: () => void): Promise<void> {
    const until = deps.clock.monotonic() + withinMs
    if (!connection?.alive) drop()
    connection ??= await connect(deps, target, withinMs)
    leaving()
    await withTimeout(connection.send(group), Math.max(1, until - deps.clock.monotonic()), target)
  }

  async function write(group: LineGroup, withinMs: number, leaving: () => void): Promise<void> {
    const until = deps.clock.monotonic() + withinMs
    const reused = connection !== undefined
    try {
      await attempt(group, withinMs, leaving)
    } catch (problem) {
      drop()
      const left = until - deps.clock.monotonic()
      if (!reused || left <= 1) throw problem
      // A kept connection may have died unnoticed; a new one deserves the rest of the time.
      await write(group, left, leaving)
    }
  }

  // What is sent late, after the time was over, must still be what was meant, so the bytes are copied.
  const writeCopy: WaitingSink['write'] = (group, withinMs, leaving) =>
    write({ ...group, room: Buffer.from(group.room.subarray(0, group.length)) }, withinMs, leaving)

  return { write: writeCopy, reopen: async () => drop(), close: async () => drop() }
}

/** Fails unless a connection can be opened. Nothing is sent, so a datagram socket tells about its address alone. */
export async function requireReachable(deps: SocketDeps, target: SocketTarget, withinMs: number): Promise<void> {
  const connection = await connect(deps, target, withinMs)
  connection.end()
}

async function connect(
  { outbound }: SocketDeps,
  { type, address }: SocketTarget,
  withinMs: number,
): Promise<Connection> {
  if (type === 'unix') return streamConnection(await outbound.connectUnix(address, withinMs))
  const { host, port } = splitAddress(address)
  if (type === 'tcp') return streamConnection(await outbound.connect(host, port, withinMs))
  return datagramConnection(await outbound.datagram(host, port, withinMs))
}

/** Reads `host:port` or `[address]:port`; a host holds no user, as nobody would be logged in. */
export function splitAddress(address: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:@]+)):(\d{1,5})$/.exec(address) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw failure(
      'invalid',
      'audit.bad-address',
      `The address '${shownAddress(address)}' is not of the form host:port.`,
    )
  }
  return { host, port: Number(port) }
}

function streamConnection(socket: Socket): Connection {
  let alive = true
  const die = (): void => {
    alive = false
  }
  socket.setNoDelay(true)
  socket.unref()
  socket.on('error', die).on('end', die).on('close', die).resume()
  return {
    get alive() {
      return alive
    },
    send: ({ room }) =>
      new Promise((resolve, reject) => {
        socket.write(room, (problem) => (problem ? reject(problem) : resolve()))
      }),
    end: () => socket.destroy(),
  }
}

function datagramConnection(socket: DatagramSocket): Connection {
  let alive = true
  socket.unref()
  socket.on('error', () => {
    alive = false
  })
  const sendOne = (line: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(line, (problem) => (problem ? reject(problem) : resolve()))
    })
  return {
    get alive() {
      return alive
    },
    send: async (group) => {
      for (const line of linesOf(group)) {
        // A refusal is about an earlier datagram, which nobody received; this one has not left yet.
        await sendOne(line).catch((problem) => (isRefusal(problem) ? sendOne(line) : Promise.reject(problem)))
      }
    },
    end: () => socket.close(),
  }
}

const isRefusal = (problem: unknown): boolean =>
  problem instanceof Error && 'code' in problem && problem.code === 'ECONNREFUSED'

async function withTimeout(sending: Promise<void>, milliseconds: number, { address }: SocketTarget): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(failure('unavailable', 'audit.blocked', `The audit socket '${address}' did not accept the record in time.`))
  }, milliseconds)
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}
