import { constants, randomBytes } from 'node:crypto'
import type { Server as HttpsServer, ServerOptions } from 'node:https'
import { createSecureContext, DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { failure, textOf } from '../../kernel/failure.ts'
import { ClientChains, isLarge, takeSentChain } from './client-chains.ts'
import { registerConnection } from './client-connection.ts'
import type { ListenerLimits } from './listener-limits.ts'

/** Certificate and key of a TLS listener as PEM, and whether it asks clients for a certificate. */
export type TlsSettings = {
  cert: string
  key: string
  clientCertificate: 'request' | 'off'
  /** The oldest version that is accepted; 1.2 by default. */
  minVersion?: '1.2' | '1.3'
}

/**
 * Options of the HTTPS server. A client certificate is asked for but not judged here: that happens at login. No `ca` is
 * given, for clients that are sent a list of names keep their certificate back when none matches.
 */
export function tlsOptions(tls: TlsSettings, limits: Pick<ListenerLimits, 'handshakeTimeoutMs'>): ServerOptions {
  return {
    ...contextOptions(tls),
    requestCert: tls.clientCertificate === 'request',
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeTimeoutMs,
    ALPNProtocols: ['http/1.1'],
  }
}

/** Exchanges certificate and key for connections yet to come; the old ones stay if the new ones are not usable. */
export const reloadTls = (server: HttpsServer, tls: TlsSettings): void => server.setSecureContext(contextOptions(tls))

/** Captures the client's certificates as each handshake ends, before the first request is read. */
export function captureCertificates(
  server: HttpsServer,
  listener: string,
  { maxLargeChains }: Pick<ListenerLimits, 'maxLargeChains'>,
): void {
  const newTicketKeys = (): void => server.setTicketKeys(randomBytes(ticketKeyBytes))
  const chains = new ClientChains(newTicketKeys)
  let largeChains = 0
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const sent = takeSentChain(socket)
    if (sent && isLarge(sent)) {
      if (largeChains >= maxLargeChains) return void socket.destroy()
      largeChains += 1
      socket.once('close', () => {
        largeChains -= 1
      })
    }
    const certificate = sent && chains.certificateOf(sent, socket.isSessionReused())
    if (certificate === 'forgotten') return void socket.destroy()
    registerConnection(socket, { listener, tls: true, certificate })
  })
}

const ticketKeyBytes = 48

/**
 * Node's own list with AES-128 and SHA-256 first: as sound as its longer sisters, and a handshake spends much of its time on
 * hashes, which processors have instructions for in this length only.
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  ...DEFAULT_CIPHERS.split(':').filter((name) => name !== 'TLS_AES_128_GCM_SHA256'),
].join(':')

function contextOptions(tls: TlsSettings) {
  const options = {
    cert: tls.cert,
    key: tls.key,
    minVersion: `TLSv${tls.minVersion ?? '1.2'}`,
    // A renegotiation could change the client's certificate in the middle of a connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ciphers,
  } as const
  try {
    createSecureContext(options)
  } catch (cause) {
    const text = `The TLS certificate and key of the listener cannot be used: ${textOf(cause)}.`
    throw failure('invalid', 'listener.bad-certificate', text, { cause })
  }
  return options
}
