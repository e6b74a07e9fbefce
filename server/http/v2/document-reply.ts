import { apiHeaders, jsonApiType } from '../../compat/vendor-names.ts'
import { failure } from '../../kernel/failure.ts'
import { namesTag, weakTagOf } from '../../kit/entity-tag.ts'
import type { Exchange, Step } from '../exchange.ts'
import type { WireResponse } from '../send.ts'

/**
 * Headers that every answer of `/api/v2` carries, failures included. Clients set their own pace from the rate, so it is
 * there even when nothing is limited.
 */
export const v2Headers = ({ rate, facts, warnings }: Exchange): Record<string, string> => ({
  ...apiHeaders,
  'X-RateLimit-Limit': String(rate?.limit ?? 0),
  'X-RateLimit-Remaining': String(rate?.remaining ?? 0),
  'X-RateLimit-Reset': secondsText(rate?.resetSeconds ?? 0),
  'X-Request-Id': facts.id,
  ...(warnings.length === 0 ? {} : { Warning: warnings.map(warningHeader).join(', ') }),
})

/** A warning of no fixed kind, from nobody in particular (RFC 7234 §5.5); headers hold visible ASCII alone. */
const warningHeader = (text: string): string =>
  `299 - "${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, String.raw`\$&`)}"`

/** A document that tells of these warnings; answers without a document have them in the header alone. */
export const withWarnings = (document: { readonly meta?: object }, warnings: readonly string[]): object =>
  warnings.length === 0 ? document : { ...document, meta: { ...document.meta, warnings } }

const secondsText = (seconds: number): string => (seconds === 0 ? '0.000' : seconds.toFixed(3))

/** A range that covers our type, unless its weight of zero excludes it (RFC 9110 §12.4.2). */
const acceptable = /(^|,)\s*(\*\/\*|application\/(\*|json|vnd\.api\+json))\s*(;(?![^,]*\bq=0(\.0*)?\s*(,|;|$))|,|$)/i

/** Refuses callers that accept none of what we send. Downloads answer with other types, so streams are let through. */
export const negotiate: Step = ({ facts }) => {
  const accept = facts.headers.accept
  if (accept === undefined || accept === '' || acceptable.test(accept) || /text\/event-stream/i.test(accept)) return
  throw failure(
    'not-acceptable',
    'accept.unknown',
    'Answers come as application/vnd.api+json; the Accept header excludes that.',
  )
}

/** Counts the request against its caller's allowance. */
export const enforceRateLimit: Step = (exchange) => {
  const rate = exchange.deps.callers.takeFromRateLimit(exchange.caller, exchange.facts)
  exchange.rate = rate
  if (rate.allowed) return
  throw failure(
    'rate-limited',
    'rate.exceeded',
    'You sent too many requests. Wait as long as X-RateLimit-Reset says.',
    {
      retryAfter: Math.max(1, Math.ceil(rate.resetSeconds)),
    },
  )
}

/** What an answer without a status of its own means. */
export const settleDocument: Step = (exchange) => {
  const { reply } = exchange
  exchange.status = reply?.status ?? (reply === undefined || reply.kind === 'nothing' ? 204 : 200)
}

/** The answer as it goes over the wire; a read that the caller already has is 304. */
export function renderV2(exchange: Exchange): WireResponse {
  const { reply, status, warnings } = exchange
  const headers = v2Headers(exchange)
  switch (reply?.kind) {
    case 'document': {
      const written = warnings.length === 0 ? reply.text : undefined
      const body = written ?? JSON.stringify(withWarnings(reply.document, warnings))
      headers['Content-Type'] = jsonApiType
      if (exchange.operation === 'read' && status === 200) return renderTagged(exchange, headers, body)
      return { status, headers: withReplyHeaders(exchange, headers, 'no-store'), body }
    }
    case 'bare':
      headers['Content-Type'] = jsonApiType
      return { status, headers: withReplyHeaders(exchange, headers, 'no-store'), body: JSON.stringify(reply.body) }
    case 'bytes':
      headers['Content-Type'] = reply.contentType
      return { status, headers: withReplyHeaders(exchange, headers, 'no-store'), body: reply.body }
    default:
      return { status, headers: withReplyHeaders(exchange, headers) }
  }
}

/** What a handler sets itself comes last and wins. */
function withReplyHeaders(
  { reply }: Exchange,
  headers: Record<string, string>,
  caching?: string,
): Record<string, string> {
  if (caching !== undefined) headers['Cache-Control'] = caching
  return reply?.headers ? Object.assign(headers, reply.headers) : headers
}

/** A document that was read may be kept, but is checked again each time, unless its handler says otherwise. */
function renderTagged(exchange: Exchange, common: Record<string, string>, body: string): WireResponse {
  const headers = withReplyHeaders(exchange, common)
  headers['Cache-Control'] ??= 'private, no-cache'
  headers.ETag ??= weakTagOf(body)
  const ifNoneMatch = exchange.facts.headers['if-none-match']
  if (ifNoneMatch === undefined || (ifNoneMatch !== '*' && !namesTag(ifNoneMatch, headers.ETag)))
    return { status: 200, headers, body }
  delete headers['Content-Type']
  return { status: 304, headers }
}
