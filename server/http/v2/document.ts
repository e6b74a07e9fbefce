import { hash } from 'node:crypto'
import { apiHeaders, jsonApiType } from '../../compat/names.ts'
import { failure } from '../../kernel/failure.ts'
import type { RateState } from '../../kit/access.ts'
import type { Exchange, Step } from '../exchange.ts'
import type { Wire } from '../send.ts'

/** Headers that every answer of `/api/v2` carries, failures included. */
export const v2Headers = (exchange: Exchange): Record<string, string> => ({
  ...apiHeaders,
  ...rateHeaders(exchange.rate),
  'X-Request-Id': exchange.facts.id,
})

/** Clients set their own pace from these, so they are there even when nothing is limited. */
function rateHeaders(rate: RateState | undefined): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(rate?.limit ?? 0),
    'X-RateLimit-Remaining': String(rate?.remaining ?? 0),
    'X-RateLimit-Reset': (rate?.resetSeconds ?? 0).toFixed(3),
  }
}

const acceptable = /(^|,)\s*(\*\/\*|application\/(\*|json|vnd\.api\+json))\s*(;|,|$)/i

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
export const takeRate: Step = (exchange) => {
  const rate = exchange.deps.hooks.takeRate(exchange.caller, exchange.facts)
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
export function renderV2(exchange: Exchange): Wire {
  const { reply, status } = exchange
  const common = { ...v2Headers(exchange), ...(reply?.headers ?? {}) }
  switch (reply?.kind) {
    case 'document':
      return withTag(
        exchange,
        status,
        { 'Content-Type': jsonApiType, ...common },
        reply.text ?? JSON.stringify(reply.document),
      )
    case 'bare':
      return {
        status,
        headers: { 'Content-Type': jsonApiType, 'Cache-Control': 'no-store', ...common },
        body: JSON.stringify(reply.body),
      }
    case 'bytes':
      return {
        status,
        headers: { 'Cache-Control': 'no-store', 'Content-Type': reply.contentType, ...common },
        body: reply.body,
      }
    default:
      return { status, headers: common }
  }
}

function withTag(exchange: Exchange, status: number, headers: Record<string, string>, body: string): Wire {
  const caching: Record<string, string> = { ...headers, 'Cache-Control': 'private, no-cache' }
  if (exchange.operation !== 'read' || status !== 200)
    return { status, headers: { ...caching, 'Cache-Control': 'no-store' }, body }
  const tag = headers.ETag ?? `W/"${hash('sha1', body, 'base64url')}"`
  const asked = exchange.facts.headers['if-none-match']
  const known = asked !== undefined && (asked === '*' || asked.split(',').some((each) => each.trim() === tag))
  const { 'Content-Type': _type, ...bare } = caching
  return known ? { status: 304, headers: { ...bare, ETag: tag } } : { status, headers: { ...caching, ETag: tag }, body }
}
