import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { createConnection, type NetConnectOpts, type Socket } from 'node:net'
import { type Deadline, startBudget } from './budget.ts'
import { problem, toFailure } from './problems.ts'
import { type GuardedResolver, pinnedLookup, resolveChecked } from './resolve.ts'

/** Plain sockets, for protocols other than HTTP. */
export type Sockets = {
  /** A TCP connection to a host that passed the guard. */
  connect(host: string, port: number, deadline: Deadline): Promise<Socket>
  /** A connection to a socket in the file system. */
  connectUnix(path: string, deadline: Deadline): Promise<Socket>
  /** A UDP socket tied to a host that passed the guard. */
  datagram(host: string, port: number, deadline: Deadline): Promise<DatagramSocket>
}

/** Builds the openers of plain sockets. */
export function createSockets(names: GuardedResolver): Sockets {
  return {
    connect: (host, port, deadline) =>
      underDeadline(deadline, `${host}:${port}`, async (signal) => {
        const lookup = pinnedLookup(await resolveChecked(names, host))
        return openSocket({ host, port, lookup }, signal)
      }),
    connectUnix: (path, deadline) => underDeadline(deadline, path, (signal) => openSocket({ path }, signal)),
    datagram: (host, port, deadline) =>
      underDeadline(deadline, `${host}:${port}`, async (signal) => {
        const [target] = await resolveChecked(names, host)
        signal.throwIfAborted()
        if (!target) throw problem('unresolved', `The host ${host} has no address.`)
        return connectDatagram(createSocket(target.family === 6 ? 'udp6' : 'udp4'), port, target.address)
      }),
  }
}

async function underDeadline<T>(
  deadline: Deadline,
  where: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const budget = startBudget(deadline, where)
  try {
    return await budget.within(work(budget.signal))
  } catch (thrown) {
    throw toFailure(thrown, where, budget.signal)
  } finally {
    budget.end()
  }
}

async function openSocket(options: NetConnectOpts, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const socket = createConnection(options)
  const giveUp = () => socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

async function connectDatagram(socket: DatagramSocket, port: number, address: string): Promise<DatagramSocket> {
  try {
    // A callback of `connect` would receive the error as well, so the event is awaited instead.
    const connected = once(socket, 'connect')
    socket.connect(port, address)
    await connected
    return socket
  } catch (thrown) {
    socket.close()
    throw thrown
  }
}
