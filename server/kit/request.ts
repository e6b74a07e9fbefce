import type { IncomingMessage } from 'node:http'
import type { Instant } from '../kernel/clock.ts'
import { failure } from '../kernel/failure.ts'
import type { FieldNotes } from './field-notes.ts'
import type { Mount } from './mount.ts'

/** The families of addresses: each has its own error shape and its own order of checks. */
export type Api = 'v1' | 'api/v2' | 'api/runner/v1' | 'site'

/** The verbs a route can be declared for. Under `/v1`, POST also answers PUT, and LIST also `GET ?list=true`. */
export type Verb = 'GET' | 'LIST' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The leaf and intermediates a client presented in its TLS handshake, as DER in wire order. */
export type ClientCertificate = { readonly leaf: Buffer; readonly intermediates: readonly Buffer[] }

/** How a listener expects proxies to forward the certificates of their clients. */
export type ForwardedForm = 'off' | 'rfc9440' | 'xfcc' | 'pem'

/** What is known about a request before anybody looks at its content. */
export type RequestFacts = {
  readonly id: string
  readonly verb: Verb | 'HEAD' | 'OPTIONS'
  /** Decoded path without the API prefix and without a leading slash, as policies see it. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly receivedAt: Instant
  readonly remoteAddress: string
  readonly remotePort: number
  readonly tls: boolean
  readonly certificate: ClientCertificate | undefined
  /** Whether a proxy's header named a certificate, and whether it was believed; unreadable from a trusted proxy only. */
  readonly forwardedCertificate: 'none' | 'used' | 'ignored' | 'unreadable'
  readonly forwardedForm: ForwardedForm
  /** Scheme and authority the caller used, for absolute links. */
  readonly origin: string
  readonly mount: Mount | undefined
  /** The token as presented, for endpoints that act on it (look up, renew, revoke itself). */
  readonly presentedToken: string
  /** Seconds for which the caller wants the answer wrapped; undefined for not at all. */
  readonly wrapTtl: number | undefined
  /** Fields as the caller sent them, before they were read into types. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What the endpoint says about its fields, for policies. */
  readonly fieldNotes?: FieldNotes | undefined
}

/** The mount a request came through; the endpoints of a mount answer nowhere else. */
export function mountOf({ mount }: Pick<RequestFacts, 'mount'>): Mount {
  if (mount) return mount
  throw failure('internal', 'mount.none', 'The request came through no mount.')
}

/** What the audit trail needs to know of the endpoint a request found. */
export type AddressedEndpoint = { readonly api: Api; readonly path: string; readonly secretPath?: boolean }
