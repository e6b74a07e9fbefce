import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { type Failure, failure, textOf } from '../../kernel/failure.ts'
import { awaitContinue } from './body.ts'
import { registerConnection } from './client-connection.ts'
import { answerClientErrors, closeSoon, refusalBody } from './client-errors.ts'
import { announceClosing, drain, type OpenConnections, trackConnections } from './draining.ts'
import type { ListenerLimits } from './listener-limits.ts'
import { countAsUnsent, parserOf, responseInFlight, sendingProgress, tcpSocketOf } from './node-internals.ts'
import { captureCertificates, reloadTls, type TlsSettings, tlsOptions } from './tls.ts'

/** Where those who watch a server ask how it is. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/v1/sys/health'])

/** What is kept for probes when all other connections are taken. */
type Reserve = {
  /** True if the connection of this request is one of the reserve; each of them carries one request. */
  holds(request: IncomingMessage): boolean
}

/**
 * What a connection is for shows only once it was accepted. So a few more than allowed are, for a moment and one request
 * each: a server at its limit would otherwise be taken for dead and restarted.
 */
function keepReserve(
  server: HttpServer,
  connections: ReadonlySet<Socket>,
  limits: Pick<ListenerLimits, 'maxConnections' | 'probeConnections' | 'probeTimeoutMs'>,
): Reserve {
  const reserved = new Map<Socket, NodeJS.Timeout>()
  server.maxConnections = limits.maxConnections + limits.probeConnections
  server.on('connection', (socket: Socket) => {
    if (connections.size <= limits.maxConnections) return
    const tooLate = setTimeout(() => socket.destroy(), limits.probeTimeoutMs)
    reserved.set(socket, tooLate)
    socket.once('close', () => {
      clearTimeout(tooLate)
      reserved.delete(socket)
    })
  })
  return {
    holds: ({ socket }) => {
      if (reserved.size === 0) return false
      const timer = reserved.get(tcpSocketOf(socket) ?? socket)
      // From now on the limits of every request apply.
      clearTimeout(timer)
      return timer !== undefined
    },
  }
}

/** True if a request asks how the server is. */
const isProbe = ({ url = '', method }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && probes.has(url.split('?', 1)[0] ?? '')

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
function inTurn(request: IncomingMessage, response: ServerResponse, handle: RequestHandler): void {
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

/** The limits Node enforces when they are set at creation. */
function httpOptions(limits: ListenerLimits): ServerOptions {
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
function applyLimits(server: HttpServer, limits: ListenerLimits, open: OpenConnections): void {
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
  let before = new Map<Socket, { readonly progress: string; readonly polls: number }>()
  const poll = setInterval(() => {
    const now: typeof before = new Map()
    for (const socket of open.ready) {
      if (socket.writableLength === 0) continue
      const [progress, last] = [sendingProgress(socket), before.get(socket)]
      const polls = last?.progress === progress ? last.polls + 1 : 0
      if (polls < checksPerStall) now.set(socket, { progress, polls })
      else socket.destroy()
    }
    before = now
  }, stallMs / checksPerStall)
  poll.unref()
  server.once('close', () => clearInterval(poll))
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

/** What decides about requests; `refused` is told of those whose connection is one too many. */
type AdmissionParts = {
  readonly limits: Pick<ListenerLimits, 'maxHeaders'>
  readonly reserve: Reserve
  readonly refused: () => void
}

/** Refuses requests that are valid HTTP to the parser but not to us, and hands on the others. */
function admitRequests({ limits, reserve, refused }: AdmissionParts, handle: RequestHandler): RequestListener {
  const isHost = memoizeLast(namesHost)
  return (request, response) => {
    if (reserve.holds(request)) {
      response.setHeader('Connection', 'close')
      if (!isProbe(request)) {
        refused()
        response.setHeader('Retry-After', '1')
        return refuse(response, 503, 'The server has too many connections; try again.')
      }
    }
    if (request.rawHeaders.length > 2 * limits.maxHeaders) {
      return refuse(response, 431, `The request has more than ${limits.maxHeaders} headers.`)
    }
    if (!hasOneHost(request)) return refuse(response, 400, 'A request needs exactly one Host header.')
    if (!isHost(request.headers.host)) return refuse(response, 400, 'The Host header names no host.')
    if (!isReadableCoding(request.headers['transfer-encoding'])) {
      return refuse(response, 501, 'A body must be sent whole or in chunks; no other transfer coding is supported.')
    }
    // No other protocol is supported, and after an Upgrade the parser reports no errors: a LIST would wait for ever.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close')
    inTurn(request, response, handle)
  }
}

/** RFC 9112 §3.2: none is an error since HTTP/1.1, more than one is an error always. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** RFC 9112 §3.2: so is a value that names no host. Links are made of it. An empty one says that there is no name. */
const namesHost = (host: string): boolean =>
  host === '' || (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`))

/** RFC 9112 §6.1: under any further coding, such as gzip, the coded bytes would be taken for the body. */
const isReadableCoding = (coding = 'chunked'): boolean => coding.toLowerCase() === 'chunked'

/** Clients send the same one again and again. */
function memoizeLast(isGood: (text: string) => boolean): (text: string | undefined) => boolean {
  let known = ''
  return (text = '') => {
    if (text === known) return true
    if (!isGood(text)) return false
    known = text
    return true
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(refusalBody(text))
}

/** Where to listen. `host` is an IP address or a name of this machine; port 0 takes any free port. */
export type ListenerPlace = {
  name: string
  host: string
  port: number
  /** How people choose the address, for the sentence that asks them to. */
  setting?: string
}

/** Where to listen and how. */
export type ListenerOptions = ListenerPlace & {
  tls?: TlsSettings
  limits: ListenerLimits
  /** Told of each connection that is closed because there are too many. */
  refused?: () => void
  /** False if the parser of this Node cannot be made to read the verb LIST, which is then refused. */
  readsList?: boolean
}

/** An open port. */
export type Listener = {
  address: { host: string; port: number }
  /** How many connections are open, those in their TLS handshake included. */
  connections(): number
  /** Exchanges the certificate for connections yet to come; throws, and changes nothing, if it is not usable. */
  reloadTls(tls: TlsSettings): void
  /** Goes on as before, but ends each connection with its next answer. */
  announceClosing(): void
  /** Takes no more connections, lets requests in flight finish, and cuts off what is left after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Opens a port and hands every request on it to `handle`. */
export async function openListener(options: ListenerOptions, handle: RequestHandler): Promise<Listener> {
  const secure =
    options.tls && createHttpsServer({ ...httpOptions(options.limits), ...tlsOptions(options.tls, options.limits) })
  const server = secure ?? createServer(httpOptions(options.limits))
  const open = trackConnections(server, secure !== undefined)
  if (secure === undefined)
    server.prependListener('connection', (socket: Socket) => registerConnection(socket, plainConnection(options.name)))
  else captureCertificates(secure, options.name, options.limits)
  applyLimits(server, options.limits, open)
  answerClientErrors(server, options.limits, options.readsList ?? true)
  const { limits, refused = () => undefined } = options
  server.on('drop', refused)
  const connections = secure ? open.opened : open.ready
  const reserve = keepReserve(server, connections, limits)
  const admitted = admitRequests({ limits, reserve, refused }, handle)
  server.on('request', admitted)
  // Without a listener it would be answered 417 and nothing else; the pipeline says why.
  server.on('checkExpectation', admitted)
  server.on('checkContinue', (request, response) => {
    awaitContinue(request, response)
    admitted(request, response)
  })
  await listen(server, options)
  return {
    address: addressOf(server),
    connections: () => connections.size,
    reloadTls: (tls) => {
      if (secure === undefined) throw failure('invalid', 'listener.plain', `Listener '${options.name}' has no TLS.`)
      reloadTls(secure, tls)
    },
    announceClosing: () => announceClosing(server, open),
    close: (graceMs) => drain(server, open, graceMs),
  }
}

/** Opens a port and gives it back at once. If that fails, it throws what `openListener` would. */
export async function tryListening(place: ListenerPlace): Promise<void> {
  const server = createNetServer((socket) => void socket.destroy())
  await listen(server, place)
  await new Promise((resolve) => server.close(resolve))
}

const plainConnection = (listener: string) => ({ listener, tls: false, certificate: undefined })

async function listen(server: NetServer, place: ListenerPlace): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(listenFailure(error, place))
    server.once('error', onError)
    server.listen({ host: place.host, port: place.port, backlog: 1024 }, () => {
      server.off('error', onError)
      resolve()
    })
  })
}

function addressOf(server: NetServer): { host: string; port: number } {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return { host: address.address, port: address.port }
}

/** Says in one line why a port could not be opened. */
function listenFailure(cause: NodeJS.ErrnoException, { name, host, port, setting }: ListenerPlace): Failure {
  const where = setting ? `with ${setting}` : `for listener '${name}'`
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const texts: Record<string, string> = {
    EADDRINUSE: `${at} is already in use by another program. Stop that program or choose another address ${where}.`,
    EACCES: `${at} may not be opened by this user. Choose a port above 1023 ${where} or grant the right to use it.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another address ${where}.`,
    ENOTFOUND: `${host} is not a known host name. Choose another address ${where}.`,
  }
  const text = texts[cause.code ?? ''] ?? `${at} cannot be opened for listener '${name}': ${textOf(cause)}.`
  return failure('unavailable', `listener.${(cause.code ?? 'failed').toLowerCase()}`, text, { cause })
}
