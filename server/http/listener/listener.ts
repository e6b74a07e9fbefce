import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { type Failure, failure, textOf } from '../../kernel/failure.ts'
import { admitRequests } from './admission.ts'
import { awaitContinue } from './body.ts'
import { answerClientErrors } from './client-errors.ts'
import { registerConnection } from './connection.ts'
import { announceClosing, drain, trackConnections } from './draining.ts'
import type { ListenerLimits } from './limits.ts'
import type { RequestHandler } from './pipelined-requests.ts'
import { keepReserve } from './reserve.ts'
import { applyLimits, httpOptions } from './server-limits.ts'
import { captureCertificates, reloadTls, type TlsSettings, tlsOptions } from './tls.ts'

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
  // Not through the process that holds the ports for others: it would keep this one for a while.
  await listen(server, place, { exclusive: true })
  await new Promise((resolve) => server.close(resolve))
}

const plainConnection = (listener: string) => ({ listener, tls: false, certificate: undefined })

async function listen(server: NetServer, place: ListenerPlace, how: { exclusive?: boolean } = {}): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(listenFailure(error, place))
    server.once('error', onError)
    server.listen({ host: place.host, port: place.port, backlog: 1024, ...how }, () => {
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
