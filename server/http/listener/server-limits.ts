import type { Server as HttpServer, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { closeSoon } from './client-errors.ts'
import type { OpenConnections } from './draining.ts'
import type { ListenerLimits } from './limits.ts'
import { parserOf, responseInFlight, sendingProgress } from './node-internals.ts'

/** The limits Node enforces when they are set at creation. */
export function httpOptions(limits: ListenerLimits): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    // Node does not start if the head may take longer than the whole.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    keepAliveTimeoutBuffer: limits.keepAliveSlackMs,
    connectionsCheckingInterval: Math.max(10, Math.min(2_000, limits.headersTimeoutMs / 4)),
    // Checked on admission, where the answer has a body.
    requireHostHeader: false,
    noDelay: true,
  }
}

/** The limits Node takes as properties of the server, and those it leaves to us. */
export function applyLimits(server: HttpServer, limits: ListenerLimits, open: OpenConnections): void {
  // The parser drops headers above its count without a word; one more than allowed shows that there were too many.
  server.maxHeadersCount = limits.maxHeaders + 1
  server.on('timeout', (socket: Socket) => {
    const isHandlerBusy = responseInFlight(socket) !== undefined && socket.writableLength === 0
    if (!isHandlerBusy) socket.destroy()
  })
  watchStalled(server, open, limits.stallTimeoutMs)
  const ready = server instanceof TlsServer ? 'secureConnection' : 'connection'
  server.on(ready, (socket) => lingerOverUnreadBody(socket, limits.lingerMs))
}

/** How often an answer is looked at within the time that its client may leave it unread. */
const checksPerStall = 6

/**
 * A time-out on every connection would be set again with every byte that moves, and would take a write that was begun for
 * one that was read. Few answers do not leave at once: now and then those are looked at, whether they got any further.
 */
function watchStalled(server: HttpServer, open: OpenConnections, stallMs: number): void {
  let before = new Map<Socket, { readonly progress: string; readonly looks: number }>()
  const look = setInterval(() => {
    const now: typeof before = new Map()
    for (const socket of open.ready) {
      if (socket.writableLength === 0) continue
      const [progress, last] = [sendingProgress(socket), before.get(socket)]
      const looks = last?.progress === progress ? last.looks + 1 : 0
      if (looks < checksPerStall) now.set(socket, { progress, looks })
      else socket.destroy()
    }
    before = now
  }, stallMs / checksPerStall)
  look.unref()
  server.once('close', () => clearInterval(look))
}

/** An answer given before the body was read (401, 413) would be lost if the connection closed over the unread rest. */
function lingerOverUnreadBody(socket: Socket, lingerMs: number): void {
  const destroySoon = socket.destroySoon
  const destroyWhenRead = (): void => {
    if (parserOf(socket)?.incoming?.complete !== false) return void destroySoon.call(socket)
    socket.end()
    closeSoon(socket, lingerMs)
  }
  // Not written as one assignment: see docs/decisions/0012.
  socket.destroySoon = destroyWhenRead
}
