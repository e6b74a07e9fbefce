import { Readable } from 'node:stream'
import { failure } from '../../kernel/failure.ts'
import { ignoredFields } from '../../kit/bodies.ts'
import { querySchema, Type } from '../../kit/endpoint.ts'
import { envelopeOf } from '../../kit/envelope.ts'
import { parseFields } from '../../kit/fields.ts'
import { type Reply, streamOf } from '../../kit/reply.ts'
import type { Exchange, Step } from '../exchange.ts'
import type { WireResponse } from '../send.ts'

type DataReply = Extract<Reply, { kind: 'data' }>

/** The envelope of an answer; some endpoints show their data beside it as well. */
function renderedEnvelope({ facts, warnings, endpoint }: Exchange, reply: DataReply): Record<string, unknown> {
  const envelope = envelopeOf(facts, reply, warnings)
  return endpoint?.doubleRendered ? { ...reply.data, ...envelope } : envelope
}

/** Nothing at all, unless its handler says otherwise with a status, or a list without entries. */
function isNothingFound(reply: Reply): boolean {
  if (reply.kind === 'nothing') return reply.status === undefined
  return reply.kind === 'data' && Array.isArray(reply.data?.keys) && reply.data.keys.length === 0
}

/** Settles what an answer without content means: 404 for reads and lists, 200 when there is a warning, else 204. */
export const settleReply: Step = (exchange) => {
  const reply = exchange.reply ?? { kind: 'nothing' }
  const isRead = exchange.operation === 'read' || exchange.operation === 'list'
  const hasWarnings = exchange.warnings.length > 0
  if (isRead && !hasWarnings && isNothingFound(reply)) {
    throw failure('missing', 'nothing-found', 'nothing found', { withoutErrors: true })
  }
  const settled = reply.kind === 'nothing' && hasWarnings ? { kind: 'data' as const, headers: reply.headers } : reply
  exchange.reply = settled
  const isEnvelope = settled.kind === 'data' || settled.kind === 'list'
  if (isRead && isEnvelope && exchange.facts.query.size > 0) nameIgnored(exchange)
  exchange.status = settled.status ?? (settled.kind === 'nothing' ? 204 : 200)
}

/** A client that reads a list by pages, for instance, has to know when it has been given the whole list. */
function nameIgnored({ facts, endpoint, warnings }: Exchange): void {
  const sent = Object.fromEntries([...facts.query].filter(([name]) => name !== 'list' && name !== 'help'))
  const { unknown } = parseFields((endpoint && querySchema(endpoint)) ?? noFields, sent)
  if (unknown.length > 0) warnings.push(ignoredFields(unknown))
}

const noFields = Type.Object({})

/**
 * Puts a finished answer behind a one-use token when the caller asked for that. Only envelopes are wrapped. An answer
 * without one that is sent whole ignores the header: it is either open to everyone, like health or the seal status, or
 * contains no secrets, like the metrics. (The one with secrets is that of `sys/init`, before there are any policies.)
 */
export const wrapReply: Step = (exchange) => {
  const { reply, facts } = exchange
  const { wrapTtl } = facts
  if (!wrapTtl) return
  if (reply?.kind === 'data' && !reply.wrapInfo) return wrap(exchange, reply, wrapTtl)
  if (streamOf(reply)) throw unwrappable()
}

/** A stream holds what a policy may want wrapped: an archive, or a long list in its envelope. So it is not sent openly. */
const unwrappable = () =>
  failure(
    'invalid',
    'wrap.stream',
    'This answer is sent as a stream, which cannot be wrapped; send the request without the wrap header.',
  )

async function wrap(exchange: Exchange, reply: DataReply, wrapTtl: number): Promise<void> {
  const { facts, deps } = exchange
  const terms = { ttl: wrapTtl, creationPath: facts.path, request: facts }
  const wrapInfo = await deps.tokens.wrapAnswer(renderedEnvelope(exchange, reply), terms)
  exchange.warnings = []
  const { auth, recordedAuth } = reply
  exchange.reply = { kind: 'data', wrapInfo, wrapped: { auth, recordedAuth } }
  exchange.status = 200
}

/** The answer as it goes over the wire. */
export function renderV1(exchange: Exchange): WireResponse {
  const { reply, status } = exchange
  switch (reply?.kind) {
    case 'data': {
      const envelope = renderedEnvelope(exchange, reply)
      if (reply.wrapInfo) envelope.request_id = ''
      return { status, headers: headersOf(exchange, 'application/json'), body: JSON.stringify(envelope) }
    }
    case 'list': {
      const envelope = envelopeOf(exchange.facts, {}, exchange.warnings)
      return { status, headers: headersOf(exchange, 'application/json'), body: inEnvelope(envelope, reply.list.data) }
    }
    case 'bare':
      return { status, headers: headersOf(exchange, 'application/json'), body: JSON.stringify(reply.body) }
    case 'document':
      return { status, headers: headersOf(exchange, 'application/json'), body: JSON.stringify(reply.document) }
    case 'bytes':
      return { status, headers: headersOf(exchange, reply.contentType), body: reply.body }
    default:
      return {
        status,
        headers: withReplyHeaders(exchange, { 'Cache-Control': 'no-store', 'X-Request-Id': exchange.facts.id }),
      }
  }
}

/** A long list in its envelope, a piece at a time. */
function inEnvelope(envelope: Record<string, unknown>, list: Readable): Readable {
  // With the list at its end, so that cutting off a closing brace leaves room for it.
  const { data: _empty, ...facts } = envelope
  const body = Readable.from(around(`${JSON.stringify(facts).slice(0, -1)},"data":`, list, '}'), { objectMode: false })
  return body.once('close', () => list.destroy())
}

async function* around(before: string, stream: Readable, after: string): AsyncGenerator<Buffer> {
  yield Buffer.from(before)
  yield* stream
  yield Buffer.from(after)
}

const headersOf = (exchange: Exchange, contentType: string): Record<string, string> =>
  withReplyHeaders(exchange, {
    'Content-Type': contentType,
    'Cache-Control': 'no-store',
    'X-Request-Id': exchange.facts.id,
  })

/** What a handler sets itself comes last and wins. */
const withReplyHeaders = ({ reply }: Exchange, headers: Record<string, string>): Record<string, string> =>
  reply?.headers ? Object.assign(headers, reply.headers) : headers
