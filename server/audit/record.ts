import type { Instant } from '../kernel/clock.ts'
import { anonymous } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'

/** Request headers that are written down, by lower-case name. */
export type AuditedHeaders = ReadonlyMap<string, { hmac: boolean }>

/**
 * What devices write down: the request, its answer, or both as two lines. It holds tokens and values in clear and must
 * reach no log.
 */
export type AuditRecord = {
  readonly event: AuditEvent
  readonly headers: AuditedHeaders
  /** The time of the request's line, if there is to be one. */
  readonly requestAt: Instant | undefined
  /** The time of the answer's line, if there is to be one. */
  readonly responseAt: Instant | undefined
}

/** The record a new device must take before it is enabled. */
export function testRecord(at: Instant, id: string): AuditRecord {
  const event: AuditEvent = {
    request: {
      id,
      verb: 'POST',
      path: 'sys/audit/test',
      query: new URLSearchParams(),
      headers: {},
      receivedAt: at,
      remoteAddress: '',
      remotePort: 0,
      certificate: undefined,
      forwardedCertificate: 'none',
      mount: undefined,
      presentedToken: '',
      fields: {},
    },
    endpoint: { api: 'v1', path: '/audit/test' },
    operation: 'update',
    caller: anonymous,
    verdict: undefined,
    wrapTtl: 0,
    memo: {},
  }
  return { event, headers: new Map(), requestAt: at, responseAt: undefined }
}
