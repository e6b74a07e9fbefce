import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type AddressRange, isInRanges, parseAddress, parseRanges } from '../kernel/address-range.ts'
import type { ClientCertificate } from '../kit/endpoint.ts'
import type { ForwardedForm, RequestFacts } from '../kit/request.ts'
import type { CertificateForm } from './forwarded/certificate-form.ts'
import { certificateFormOf } from './forwarded/forwarded-certificate.ts'
import { type Connection, connectionOf } from './listener/index.ts'

/** Who is at the other end of a request, as far as the connection and trusted proxies show. */
export type ClientIdentity = {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly tls: boolean
  readonly certificate: ClientCertificate | undefined
  /** What became of a client certificate that a proxy handed on; unreadable is only what a trusted one sent. */
  readonly forwarded: RequestFacts['forwardedCertificate']
  readonly forwardedForm: ForwardedForm
}

/** What a listener believes of the headers that proxies add. */
export type ProxyTrust = {
  readonly trustedProxies: readonly string[]
  readonly forwardedClientCertificate: ForwardedForm
  /** The header of the form `pem`. */
  readonly forwardedClientCertificateHeader: string
}

/** The same, made ready once for all requests of the listener. */
type Listener = {
  readonly proxies: readonly AddressRange[]
  readonly expected: ForwardedForm
  readonly form: CertificateForm
}

const toListener = (trust: ProxyTrust): Listener => ({
  proxies: parseRanges(trust.trustedProxies),
  expected: trust.forwardedClientCertificate,
  form: certificateFormOf(trust.forwardedClientCertificate, trust.forwardedClientCertificateHeader),
})

const trustingNobody = toListener({
  trustedProxies: [],
  forwardedClientCertificate: 'off',
  forwardedClientCertificateHeader: '',
})

const fromConnection = (
  connection: Connection,
  incoming: IncomingMessage,
  { expected, form }: Listener,
): ClientIdentity => ({
  remoteAddress: connection.remoteAddress,
  remotePort: connection.remotePort,
  tls: connection.tls,
  certificate: connection.certificate,
  forwarded: form.isPresent(incoming) ? 'ignored' : 'none',
  forwardedForm: expected,
})

/** Follows `X-Forwarded-For` and forwarded client certificates from listed proxies, and from nobody else. */
export function createClientIdentifier(
  listeners: ReadonlyMap<string, ProxyTrust>,
): (incoming: IncomingMessage) => ClientIdentity {
  const known = new Map([...listeners].map(([name, trust]) => [name, toListener(trust)]))
  return (incoming) => {
    const connection = connectionOf(incoming)
    const listener = known.get(connection.listener) ?? trustingNobody
    const direct = fromConnection(connection, incoming, listener)
    if (!isTrusted(direct.remoteAddress, listener.proxies)) return direct
    const remoteAddress = forwardedAddress(incoming, listener.proxies) ?? direct.remoteAddress
    return { ...direct, remoteAddress, ...forwardedCertificate(incoming, listener, direct) }
  }
}

/**
 * A peer that proves a certificate of its own in the handshake is the client, not a proxy: headers are ignored then. A
 * certificate that comes in a header means that the client reached the proxy over TLS.
 */
function forwardedCertificate(
  incoming: IncomingMessage,
  { expected, form }: Listener,
  direct: ClientIdentity,
): Partial<ClientIdentity> {
  if (direct.forwarded === 'none' || expected === 'off' || direct.certificate) return {}
  const certificate = form.read(incoming)
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
