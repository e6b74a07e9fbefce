import { type Server as HttpServer, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { version } from '../../version.ts'
import { strictTransport } from '../strict-transport.ts'
import { isStreamed } from './body.ts'
import { listVerbOf, type ResumeAsList } from './list-verb.ts'
import type { ListenerLimits } from './listener-limits.ts'
import { isPausedByServer, type ParseError, parserOf, responseInFlight, tcpSocketOf } from './node-internals.ts'

/** Keeps bytes that came while the server was not reading, and has them parsed when it reads again. */
type HoldInput = (socket: Socket, bytes: Buffer) => void

/**
 * When answers pile up the server stops reading. A TLS connection may all the same hand over what it has already
 * decrypted, the parser reports that as the error HPE_PAUSED, and a client that pipelines some hundred requests would be
 * answered with 400. TLS decrypts no more than one read of the connection ahead, so what is held stays small.
 */
function holdInput(onError: (error: ParseError, socket: Socket) => void): HoldInput {
  const held = new WeakMap<Socket, Buffer[]>()
  return (socket, bytes) => {
    const waiting = held.get(socket)
    if (waiting !== undefined) {
      waiting.push(bytes)
      return
    }
    const packets = [bytes]
    held.set(socket, packets)
    const onResume = (): void => {
      // Somebody who reads a body may resume a connection that the server still holds.
      if (isPausedByServer(socket)) return
      socket.off('resume', onResume)
      held.delete(socket)
      parse(socket, Buffer.concat(packets), onError)
    }
    socket.on('resume', onResume)
  }
}

function parse(socket: Socket, bytes: Buffer, onError: (error: ParseError, socket: Socket) => void): void {
  const parser = parserOf(socket)
  if (parser === undefined || socket.destroyed) return
  const result = parser.execute(bytes)
  if (result instanceof Error) onError(Object.assign(result, { rawPacket: bytes }), socket)
  else parser[parser.constructor.kOnExecute]?.(result)
}

/** Answers what is not HTTP, too large or too slow, before there is a request anybody could handle. */
export function answerClientErrors(server: HttpServer, limits: ListenerLimits, readsList: boolean): void {
  const refused = new WeakSet<Socket>()
  const resumeAsList: ResumeAsList = readsList ? listVerbOf(server, limits) : (error) => error
  const onError = (error: ParseError, socket: Socket): void => {
    // A failed parser fails again on every further packet, and its offsets then mean nothing.
    if (refused.has(socket) || isStreamTimeout(error, socket)) return
    if (error.code === 'ERR_SSL_HTTP_REQUEST') return void refusePlain(socket, limits.lingerMs)
    if (error.code === 'HPE_PAUSED' && error.rawPacket !== undefined) {
      hold(socket, error.rawPacket)
      return
    }
    const failed = resumeAsList(error, socket)
    if (failed === undefined) return
    refused.add(socket)
    refuse(socket, failed, limits.lingerMs)
  }
  const hold = holdInput(onError)
  server.on('clientError', (error: ParseError, stream) => onError(error, stream as Socket))
  server.on('connect', (_request, stream) => refuseTunnel(stream as Socket, limits.lingerMs))
}

/** CONNECT would close the connection without a word. The server has let go of it by now, and of its errors. */
function refuseTunnel(socket: Socket, lingerMs: number): void {
  socket.on('error', () => socket.destroy())
  answerInTurn(socket, rawAnswer(socket, ...unsupportedVerb), lingerMs)
}

/** Plain HTTP where TLS is spoken: the handshake has failed, but what carries it can still take an answer in clear. */
function refusePlain(socket: Socket, lingerMs: number): void {
  const carrier = tcpSocketOf(socket)
  if (!carrier?.writable) return void socket.destroy()
  carrier.on('error', () => carrier.destroy())
  carrier.end(rawAnswer(carrier, 400, 'This listener speaks TLS: the address begins with https://, not with http://.'))
  closeSoon(carrier, lingerMs)
}

const unsupportedVerb = [405, 'unsupported operation'] as const
const unreadableList = [400, 'The server cannot read the verb LIST; send GET with ?list=true instead.'] as const

function refuse(socket: Socket, error: ParseError, lingerMs: number): void {
  const isAboutHttp = error.code?.startsWith('HPE_') === true || error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (!isAboutHttp || !socket.writable) return void socket.destroy()
  const parser = parserOf(socket)
  // A request that was told 408 must not be carried out when the rest of it arrives after all.
  if (parser !== undefined) parser.onIncoming = () => 0
  answerInTurn(socket, rawAnswer(socket, ...statusOf(error)), lingerMs)
}

/** A streamed body has its own time limits (see `streamBody`). */
function isStreamTimeout(error: ParseError, socket: Socket): boolean {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return false
  const request = parserOf(socket)?.incoming
  return request != null && isStreamed(request)
}

/** An answer for requests refused below the pipeline, where no path has chosen an error shape yet. */
export const refusalBody = (text: string): string => `${JSON.stringify({ errors: [text] })}\n`

function statusOf(error: ParseError): readonly [status: number, text: string] {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The request headers are too large.']
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions of the request are too large.']
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request took too long to arrive.']
    case 'HPE_INVALID_METHOD':
      return refusalOfVerb(error)
    default:
      return [400, 'The request is not valid HTTP/1.1.']
  }
}

const requestLine = /^([\w!#$%&'*+.^`|~-]{1,24}) \/\S* HTTP\/1\.[01]\r\n/

/** The parser stopped at a verb it does not know, perhaps in a request that is otherwise one (RFC 9112 §3). */
function refusalOfVerb({ rawPacket, bytesParsed = 0 }: ParseError): readonly [status: number, text: string] {
  const start = bytesParsed === 0 ? 0 : (rawPacket?.lastIndexOf('\n', bytesParsed - 1) ?? 0) + 1
  const verb = requestLine.exec(rawPacket?.toString('latin1', start, start + 4_096) ?? '')?.[1]
  if (verb === 'LIST') return unreadableList
  return verb ? unsupportedVerb : [400, 'The request method is not known.']
}

/** With the headers that every answer of the pipeline has. */
function rawAnswer(socket: Socket, status: number, text: string): string {
  const body = refusalBody(text)
  const isTls = 'encrypted' in socket && socket.encrypted === true
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
    `Server: Holdfast/${version}\r\n${isTls ? `Strict-Transport-Security: ${strictTransport}\r\n` : ''}` +
    'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

/**
 * The faulty bytes may follow good requests still being answered: those answers go first, else the client would take the
 * refusal for the answer to another request. Only a request that is itself cut short is answered by the refusal.
 */
function answerInTurn(socket: Socket, answer: string, lingerMs: number): void {
  const response = responseInFlight(socket)
  const isOfBrokenRequest = response !== undefined && isBroken(socket, response.req)
  if (isOfBrokenRequest && response.headersSent) socket.destroy()
  else if (response === undefined || isOfBrokenRequest) {
    socket.end(answer)
    closeSoon(socket, lingerMs)
  } else {
    response.once('close', () => {
      if (!socket.destroyed) answerInTurn(socket, answer, lingerMs)
    })
  }
}

const isBroken = (socket: Socket, request: { complete: boolean }): boolean =>
  parserOf(socket)?.incoming === request && !request.complete

/** Closes a connection once the client had time to read: closing over unread input makes TCP drop the answer (RFC 9112 §9.6). */
export function closeSoon(socket: Socket, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
