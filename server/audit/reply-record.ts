import type { AuditEvent } from '../kit/audit-trail.ts'
import type { Reply } from '../kit/reply.ts'

/** The `response` part of a record, and whether its `data` stands in clear. */
export type ReplyRecord = { fields: Record<string, unknown>; clear: boolean }

/** Describes an answer. Files and archives leave no data behind, documents only what they are about. */
export function describeReply({ reply, warnings, errorData }: AuditEvent): ReplyRecord {
  if (errorData) return { fields: { data: errorData, warnings }, clear: true }
  if (!reply) return { fields: { warnings }, clear: false }
  if (reply.kind === 'document') return { fields: { data: summaryOf(reply.document), warnings }, clear: true }
  return { fields: { ...partsOf(reply), warnings }, clear: false }
}

function partsOf(reply: Exclude<Reply, { kind: 'document' }>): Record<string, unknown> {
  if (reply.kind === 'bare') return { data: reply.body }
  if (reply.kind !== 'data') return {}
  return {
    auth: reply.recordedAuth ? { ...reply.auth, ...reply.recordedAuth } : reply.auth,
    data: reply.data,
    secret: reply.lease?.id ? { lease_id: reply.lease.id } : undefined,
    wrap_info: reply.wrapInfo,
  }
}

/**
 * Type and id of a JSON:API resource, or the number of resources of a page: their attributes can be read again by id,
 * and hashing a page of them would cost more than making it.
 */
function summaryOf(document: object): Record<string, unknown> {
  const primary: unknown = 'data' in document ? document.data : undefined
  if (Array.isArray(primary)) return { ...identify(primary[0]), id: undefined, count: primary.length }
  return identify(primary)
}

function identify(resource: unknown): Record<string, unknown> {
  if (typeof resource !== 'object' || resource === null) return {}
  const { type, id }: { type?: unknown; id?: unknown } = resource
  return { type, id }
}
