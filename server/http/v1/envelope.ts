import { failure } from '../../kernel/failure.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Exchange, Step } from '../exchange.ts'
import type { Wire } from '../send.ts'

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } as const

/** The envelope of every answer: all keys always present, `data` an object even when it is empty. */
export function envelopeOf(exchange: Exchange, reply: Extract<Reply, { kind: 'data' }>): Record<string, unknown> {
  const { facts, warnings, endpoint } = exchange
  const top = endpoint?.doubleRendered ? reply.data : undefined
  return {
    ...top,
    request_id: facts.id,
    lease_id: reply.lease?.id ?? '',
    renewable: reply.lease?.renewable ?? false,
    lease_duration: reply.lease?.seconds ?? 0,
    data: reply.data ?? {},
    wrap_info: reply.wrapInfo ?? null,
    warnings: warnings.length > 0 ? warnings : null,
    auth: reply.auth ?? null,
    mount_type: facts.mount?.type ?? '',
  }
}

const isEmptyList = (reply: Reply): boolean =>
  reply.kind === 'data' && Array.isArray(reply.data?.keys) && reply.data.keys.length === 0

/** Settles what an answer without content means: 404 for reads and lists, 200 when there is a warning to tell, else 204. */
export const settleReply: Step = (exchange) => {
  const reply = exchange.reply ?? { kind: 'nothing' }
  const looking = exchange.operation === 'read' || exchange.operation === 'list'
  const warned = exchange.warnings.length > 0
  if (looking && !warned && ((reply.kind === 'nothing' && reply.status === undefined) || isEmptyList(reply))) {
    throw failure('missing', 'nothing-found', 'nothing found', { bare: true })
  }
  const speaking = reply.kind === 'nothing' && warned ? { kind: 'data' as const, headers: reply.headers } : reply
  exchange.reply = speaking
  exchange.status = speaking.status ?? (speaking.kind === 'nothing' ? 204 : 200)
}

/** Puts a finished answer behind a one-use token when the caller asked for that. */
export const wrapReply: Step = async (exchange) => {
  const { reply, wrapTtl, facts, deps } = exchange
  if (!wrapTtl || reply?.kind !== 'data' || reply.wrapInfo) return
  const terms = { ttl: wrapTtl, creationPath: facts.path, request: facts }
  const wrapInfo = await deps.hooks.wrapAnswer(envelopeOf(exchange, reply), terms)
  exchange.warnings = []
  exchange.reply = { kind: 'data', wrapInfo }
  exchange.status = 200
}

/** The answer as it goes over the wire. */
export function renderV1(exchange: Exchange): Wire {
  const { reply, status, facts } = exchange
  const extra = { 'X-Request-Id': facts.id, ...(reply?.headers ?? {}) }
  switch (reply?.kind) {
    case 'data': {
      const envelope = envelopeOf(exchange, reply)
      const body = JSON.stringify(reply.wrapInfo ? { ...envelope, request_id: '' } : envelope)
      return { status, headers: { ...headers, ...extra }, body }
    }
    case 'bare':
      return { status, headers: { ...headers, ...extra }, body: JSON.stringify(reply.body) }
    case 'document':
      return { status, headers: { ...headers, ...extra }, body: JSON.stringify(reply.document) }
    case 'bytes':
      return {
        status,
        headers: { 'Cache-Control': 'no-store', 'Content-Type': reply.contentType, ...extra },
        body: reply.body,
      }
    default:
      return { status, headers: { 'Cache-Control': 'no-store', ...extra } }
  }
}
