import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { responseInFlight } from './node-internals.ts'

/** The connections of a server: all as TCP sees them, and those that can carry requests. */
export type OpenConnections = { opened: ReadonlySet<Socket>; ready: ReadonlySet<Socket> }

/** Follows the connections of a server from now on. */
export function trackConnections(server: HttpServer, tls: boolean): OpenConnections {
  const opened = new Set<Socket>()
  const ready = new Set<Socket>()
  const follow = (set: Set<Socket>) => (socket: Socket) => {
    set.add(socket)
    socket.once('close', () => set.delete(socket))
  }
  server.on('connection', follow(tls ? opened : ready))
  if (tls) server.on('secureConnection', follow(ready))
  return { opened, ready }
}

/** Those still in their TLS handshake. It ends in another socket object, so the two are matched by their peer. */
function inHandshake({ opened, ready }: OpenConnections): Socket[] {
  const readyPeers = new Set([...ready].map(peerOf))
  return [...opened].filter((socket) => !readyPeers.has(peerOf(socket)))
}

const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`

/** Asks the client of each request, those in flight included, to make a new connection for its next one. */
export function announceClosing(server: HttpServer, open: OpenConnections): void {
  server.prependListener('request', (_request, response) => announceClose(response))
  for (const socket of open.ready) announceClose(responseInFlight(socket))
}

/** Takes no more connections, lets the requests in flight finish, and cuts off what is left after `graceMs`. */
export async function drain(server: HttpServer, open: OpenConnections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  announceClosing(server, open)
  for (const socket of inHandshake(open)) socket.destroy()
  const cutOff = setTimeout(() => {
    for (const socket of open.ready) socket.destroy()
  }, graceMs)
  let sweep = setTimeout(function closeQuiet() {
    // Also closes connections that never sent a request, which Node does not count as idle.
    for (const socket of open.ready) if (responseInFlight(socket) === undefined) socket.destroy()
    sweep = setTimeout(closeQuiet, sweepMs)
  }, sweepMs)
  await closed
  clearTimeout(cutOff)
  clearTimeout(sweep)
}

const sweepMs = 25

function announceClose(response: ServerResponse | undefined): void {
  if (response !== undefined && !response.headersSent) response.setHeader('Connection', 'close')
}
