import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { responseInFlight } from './node-internals.ts'

/** The connections of a server: those in their TLS handshake, and those that can carry requests. */
export type OpenConnections = { shaking: ReadonlyMap<string, Socket>; ready: ReadonlySet<Socket> }

/** Follows the connections of a server from now on. */
export function followConnections(server: HttpServer, tls: boolean): OpenConnections {
  const shaking = new Map<string, Socket>()
  const ready = new Set<Socket>()
  const follow = (socket: Socket): void => {
    ready.add(socket)
    socket.once('close', () => ready.delete(socket))
  }
  if (!tls) server.on('connection', follow)
  else {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket)
      shaking.set(peer, socket)
      socket.once('close', () => shaking.get(peer) === socket && shaking.delete(peer))
    })
    server.on('secureConnection', (socket: TLSSocket) => {
      shaking.delete(peerOf(socket))
      follow(socket)
    })
  }
  return { shaking, ready }
}

const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`

/** Takes no more connections, lets the requests in flight finish, and cuts off what is left after `graceMs`. */
export async function drain(server: HttpServer, open: OpenConnections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.prependListener('request', (_request, response) => announceClose(response))
  for (const socket of open.ready) announceClose(responseInFlight(socket))
  for (const socket of open.shaking.values()) socket.destroy()
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
