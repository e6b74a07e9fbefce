import type { Server as HttpServer, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { closeSoon } from './client-errors.ts'
import type { Limits } from './limits.ts'
import { parserOf, responseInFlight } from './node-internals.ts'

/** The limits Node enforces when told at creation. */
export function httpOptions(limits: Limits): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // Node does not start if the head may take longer than the whole.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.max(10, Math.min(2_000, limits.headersTimeoutMs / 4)),
    // Checked on admission, where the answer has a body.
    requireHostHeader: false,
    noDelay: true,
  }
}

/** The limits Node takes as properties of the server, and those it leaves to us. */
export function applyLimits(server: HttpServer, limits: Limits, isSecure: boolean): void {
  server.maxConnections = limits.maxConnections
  // Without this a worker at its limit hands the connection back, and workers that are all full pass it round for ever.
  Object.assign(server, { dropMaxConnection: true })
  // The parser drops headers above its count without a word; one more than allowed shows that there were too many.
  server.maxHeadersCount = limits.maxHeaders + 1
  server.timeout = limits.stallTimeoutMs
  server.on('timeout', (socket: Socket) => {
    const isHandlerBusy = responseInFlight(socket) !== undefined && socket.writableLength === 0
    if (!isHandlerBusy) socket.destroy()
  })
  server.on(isSecure ? 'secureConnection' : 'connection', (socket) => lingerOverUnreadBody(socket, limits.lingerMs))
}

/** An answer given before the body was read (401, 413) would be lost if the connection closed over the unread rest. */
function lingerOverUnreadBody(socket: Socket, lingerMs: number): void {
  const destroySoon = socket.destroySoon
  socket.destroySoon = () => {
    if (parserOf(socket)?.incoming?.complete !== false) return destroySoon.call(socket)
    socket.end()
    closeSoon(socket, lingerMs)
  }
}
