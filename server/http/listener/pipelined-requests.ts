import type { IncomingMessage, ServerResponse } from 'node:http'
import { countAsUnsent } from './node-internals.ts'

/** Handles a request that passed the checks of the transport. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** About what a request that waits takes in memory. */
const waitingBytes = 1024

/**
 * Handles the requests of one connection one after the other. A client may send many before it reads the first answer
 * (RFC 9112 §9.3.2): handled at once, each answer would lie in memory until the client reads those before it, and a
 * change could overtake the request it follows. Requests that wait count as answers that pile up: the server stops
 * reading when there are many.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
  if (response.socket !== null) {
    handle(request, response)
    return
  }
  countAsUnsent(response, waitingBytes)
  response.once('socket', () => {
    // The connection is still being handed over; what is sent now would be sent in the middle of that.
    process.nextTick(() => {
      countAsUnsent(response, -waitingBytes)
      if (!request.socket.destroyed) handle(request, response)
    })
  })
}
