import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The few parts of `node:http` and `node:tls` that we use although they are not documented, gathered so that a new Node is
 * checked in one place. They are as Node 18 introduced them or older.
 */

/** The HTTP/1.1 parser of one connection. */
export type Parser = {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number, connections: object): void
  /** Takes the parser off the lists the header and request time-outs work on. */
  remove(): void
  execute(bytes: Buffer): number | ParseError
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number
  /** The request being received, or received last. */
  incoming: IncomingMessage | null
  constructor: { REQUEST: number; kOnExecute: number; kLenientNone: number }
} & { [slot: number]: (result: number | ParseError) => void }

/** What the parser says of bytes that are not HTTP. */
export type ParseError = Error & { code?: string; bytesParsed?: number; rawPacket?: Buffer }

type InnerSocket = Socket & {
  parser?: Parser | null
  _httpMessage?: ServerResponse | null
  _paused?: boolean
  _parent?: Socket | null
  _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}

type InnerResponse = ServerResponse & { _onPendingData?: (bytes: number) => void }

/** The parser of a connection, if it still has one of the shape we know. */
export function parserOf(socket: Socket): Parser | undefined {
  const parser = (socket as InnerSocket).parser
  if (parser == null || typeof parser.initialize !== 'function' || typeof parser.execute !== 'function')
    return undefined
  return typeof parser.constructor.kOnExecute === 'number' ? parser : undefined
}

/** The response that owns the connection now: the oldest one not yet finished. */
export const responseInFlight = (socket: Socket): ServerResponse | undefined =>
  (socket as InnerSocket)._httpMessage ?? undefined

/** True while the server does not read from a connection because its answers pile up. */
export const isPausedByServer = (socket: Socket): boolean => (socket as InnerSocket)._paused === true

/** Counts bytes among the answers that wait to be sent; at the high-water mark, the server stops reading. */
export const countAsUnsent = (response: ServerResponse, bytes: number): void =>
  (response as InnerResponse)._onPendingData?.(bytes)

/** The TCP connection beneath a TLS connection. */
export const tcpSocketOf = (socket: Socket): Socket | undefined => (socket as InnerSocket)._parent ?? undefined

/**
 * How far a connection has come with what it was given to send; two readings differ when the system took anything in between.
 * What waits behind it, beside the handle, does not count.
 */
export function sendingProgress(socket: Socket): string {
  const own = (socket as InnerSocket)._handle
  const carrier = (tcpSocketOf(socket) as InnerSocket | undefined)?._handle ?? own
  return `${own?.bytesWritten} ${carrier?.writeQueueSize}`
}

/** The list of connections the time-outs of a server work on; it exists once the server listens. */
export function connectionsListOf(server: HttpServer): object | undefined {
  const symbol = Object.getOwnPropertySymbols(server).find((each) => each.description === 'http.server.connections')
  if (symbol === undefined) return undefined
  const list: unknown = Reflect.get(server, symbol)
  return typeof list === 'object' && list !== null ? list : undefined
}
