import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What the client proved to own, as DER: its certificate, and what it sent beside it in the order of the wire. */
export type PeerCertificate = { leaf: Buffer; intermediates: readonly Buffer[]; resumed: boolean }

/** The facts of a connection that no header can change. */
export type Connection = {
  tls: boolean
  remoteAddress: string
  remotePort: number
  certificate: PeerCertificate | undefined
  /** Name of the listener that accepted it. */
  listener: string
}

const connections = new WeakMap<Socket, Connection>()

/** Notes the facts of a new connection; called once, before its first request is read. */
export function registerConnection(
  socket: Socket,
  known: { listener: string; tls: boolean; certificate: PeerCertificate | undefined },
): void {
  connections.set(socket, {
    tls: known.tls,
    remoteAddress: plainAddress(socket.remoteAddress),
    remotePort: socket.remotePort ?? 0,
    certificate: known.certificate,
    listener: known.listener,
  })
}

/** The connection a request came on. */
export function connectionOf(request: IncomingMessage): Connection {
  const connection = connections.get(request.socket)
  if (connection === undefined) throw new Error('This request did not come through a listener.')
  return connection
}

/** An IPv4 peer of a dual-stack socket shows as `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2); address rules want the IPv4 part. */
const plainAddress = (address: string | undefined): string =>
  address === undefined ? '' : address.replace(mappedPrefix, '')

const mappedPrefix = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i
