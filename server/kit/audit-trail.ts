import { Acceptance } from '../kernel/acceptance.ts'
import type { Principal } from '../kernel/principal.ts'
import type { AclVerdict, Operation } from './access.ts'
import type { Reply } from './reply.ts'
import type { AddressedEndpoint, RequestFacts } from './request.ts'

/** What the audit trail says about a request. */
type AuditedRequest = Pick<
  RequestFacts,
  | 'id'
  | 'verb'
  | 'path'
  | 'query'
  | 'headers'
  | 'receivedAt'
  | 'remoteAddress'
  | 'remotePort'
  | 'certificate'
  | 'forwardedCertificate'
  | 'mount'
  | 'presentedToken'
  | 'fields'
>

/** One request as the audit trail sees it: before it is carried out, and again with its answer. */
export type AuditEvent = {
  readonly request: AuditedRequest
  readonly endpoint: AddressedEndpoint | undefined
  readonly operation: Operation
  readonly caller: Principal
  readonly verdict: AclVerdict | undefined
  /** Seconds asked for by the wrap header; 0 for none. */
  readonly wrapTtl: number
  readonly reply?: Reply
  readonly warnings?: readonly string[]
  readonly error?: string
  /** What the trail wants to remember from the first record of a request to the second; empty at first. */
  readonly memo: { value?: unknown }
  /** Facts about a failed request whose values are recorded in clear. */
  readonly errorData?: Readonly<Record<string, unknown>>
}

/**
 * Writes down what is asked and what is answered. If a record is required and no device accepts it, the request fails.
 */
export type AuditTrail = {
  readonly active: boolean
  request(event: AuditEvent): Acceptance
  response(event: AuditEvent): Acceptance
  /** Both at once, for a request that nobody had to know of before its answer. */
  both(event: AuditEvent): Acceptance
  /** False while no device takes records, so that every request would be refused; it tries them before it says so. */
  canRecord(): Promise<boolean>
}

const alreadyAccepted = (): Acceptance => Acceptance.of(Promise.resolve())

/** The trail of a server without audit devices. */
export const noAuditTrail: AuditTrail = {
  active: false,
  request: alreadyAccepted,
  response: alreadyAccepted,
  both: alreadyAccepted,
  canRecord: async () => true,
}
