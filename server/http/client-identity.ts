import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type AddressRange, isInRanges, parseAddress, parseRanges } from '../kernel/address-range.ts'
import type { ClientCertificate } from '../kit/endpoint.ts'
import { type ForwardedUse, hasForwardedCertificate, readForwardedCertificate } from './forwarded-certificate.ts'
import { type Connection, connectionOf } from './listener/index.ts'

/** Who is at the other end of a request, as far as the connection and trusted proxies show. */
export type ClientIdentity = {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly tls: boolean
  readonly certificate: ClientCertificate | undefined
  readonly forwarded: ForwardedUse
}

/** What a listener believes of the headers that proxies add. */
export type ProxyTrust = {
  readonly trustedProxies: readonly string[]
  readonly forwardedClientCertificate: 'off' | 'rfc9440'
}

const fromConnection = (connection: Connection, incoming: IncomingMessage): ClientIdentity => ({
  remoteAddress: connection.remoteAddress,
  remotePort: connection.remotePort,
  tls: connection.tls,
  certificate: connection.certificate,
  forwarded: hasForwardedCertificate(incoming) ? 'ignored' : 'none',
})

/** Follows `X-Forwarded-For` and forwarded client certificates from listed proxies, and from nobody else. */
export function createClientIdentifier(
  listeners: ReadonlyMap<string, ProxyTrust>,
): (incoming: IncomingMessage) => ClientIdentity {
  const proxies = new Map([...listeners].map(([name, trust]) => [name, parseRanges(trust.trustedProxies)]))
  return (incoming) => {
    const connection = connectionOf(incoming)
    const direct = fromConnection(connection, incoming)
    const trust = listeners.get(connection.listener)
    const ranges = proxies.get(connection.listener) ?? []
    if (!trust || !isTrusted(direct.remoteAddress, ranges)) return direct
    const remoteAddress = forwardedAddress(incoming, ranges) ?? direct.remoteAddress
    return { ...direct, remoteAddress, ...forwardedCertificate(incoming, trust, direct) }
  }
}

/**
 * A peer that proves a certificate of its own in the handshake is the client, not a proxy: headers are ignored then. A
 * certificate that comes in a header means that the client reached the proxy over TLS.
 */
function forwardedCertificate(
  incoming: IncomingMessage,
  trust: ProxyTrust,
  direct: ClientIdentity,
): Partial<ClientIdentity> {
  if (direct.forwarded === 'none' || trust.forwardedClientCertificate === 'off' || direct.certificate) return {}
  const certificate = readForwardedCertificate(incoming)
  return certificate ? { certificate, tls: true, forwarded: 'used' } : { forwarded: 'unreadable' }
}

/** The nearest address, read from the right, that is not itself a trusted proxy: what lies left of it may be forged. */
function forwardedAddress(incoming: IncomingMessage, ranges: readonly AddressRange[]): string | undefined {
  const header = incoming.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  for (const hop of hops.map(withoutPort).toReversed()) {
    if (isIP(hop) === 0) return undefined
    if (!isTrusted(hop, ranges)) return hop
  }
  return undefined
}

/** Some proxies name the port as well, and put brackets around IPv6 then. */
const withoutPort = (hop: string): string => {
  const { bracketed, plain } = /^(?:\[(?<bracketed>.+)\]|(?<plain>[\d.]+))(?::\d+)?$/.exec(hop.trim())?.groups ?? {}
  return bracketed ?? plain ?? hop.trim()
}

/** Most listeners trust no proxy, and for those nothing is parsed. */
function isTrusted(text: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0) return false
  const address = parseAddress(text)
  return address !== undefined && isInRanges(address, ranges)
}
