import type { IncomingMessage } from 'node:http'
import type { ClientCertificate } from '../kit/endpoint.ts'
import { connectionOf } from './listener/connection.ts'

/** Who is at the other end of a request, as far as the connection tells. */
export type ClientIdentity = {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly tls: boolean
  readonly certificate: ClientCertificate | undefined
}

/** The peer of the socket itself; forwarded headers are not looked at. */
export function directIdentity(incoming: IncomingMessage): ClientIdentity {
  const { remoteAddress, remotePort, tls, certificate } = connectionOf(incoming)
  return { remoteAddress, remotePort, tls, certificate }
}
