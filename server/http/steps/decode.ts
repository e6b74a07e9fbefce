import type { TObject } from 'typebox'
import { silentNames } from '../../compat/silent-names.ts'
import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import { parseVerbatim } from '../../kernel/exact-json.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Endpoint, QueryShape } from '../../kit/endpoint.ts'
import { parseFields } from '../../kit/fields.ts'
import { warningsOfUnknown } from '../../kit/jsonapi/unknown-names.ts'
import type { AnonymousBodyMemory } from '../anonymous-body-memory.ts'
import type { Exchange, Step } from '../exchange.ts'
import { parseForm } from '../form-body.ts'
import { type JsonLimits, parseJson } from '../json-body.ts'
import { announcedLength, readBody } from '../listener/index.ts'
import { parseLongJson } from '../long-json.ts'
import { authenticateToken, presentsCredentials } from './authenticate.ts'

const withBody = new Set(['POST', 'PUT', 'PATCH'])

/** Reads the body's bytes. The mark that some editors put before UTF-8 is not part of a document (RFC 8259 §8.1). */
function readBytes(exchange: Exchange, maxBytes: number): Awaitable<Buffer> {
  const { incoming, limits } = exchange
  requirePlainBody(incoming.headers['content-encoding'])
  return andThen(readBody(incoming, { maxBytes, deadlineMs: limits.bodyDeadlineMs, place: exchange }), (bytes) => {
    const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    return isMarked ? bytes.subarray(3) : bytes
  })
}

/** A compressed body is refused as such, not as invalid JSON (RFC 9110 §15.5.16). */
function requirePlainBody(coding = 'identity'): void {
  if (['', 'identity'].includes(coding.trim().toLowerCase())) return
  throw failure('unsupported-media', 'body.coding', 'Send the body as it is: no Content-Encoding is supported here.')
}

/** What a body says it is, without parameters. Types have no case (RFC 9110 §8.3.1). */
const mediaTypeOf = ({ facts }: Exchange): string =>
  (facts.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const formType = 'application/x-www-form-urlencoded'

const isStream = (exchange: Exchange): boolean => exchange.endpoint?.body?.kind === 'stream'

function limitOf({ endpoint, deps }: Exchange, standard: number): number {
  const own = endpoint?.body?.kind === 'json' ? endpoint.body.maxBytes : undefined
  return (typeof own === 'function' ? own(deps.settings) : own) ?? standard
}

const isAnonymous = ({ caller }: Exchange): boolean => caller.kind === 'anonymous'

/** Bodies of up to this many bytes are parsed in no time, whatever they hold. */
const quicklyParsedBytes = 64 * 1024

/** What a caller may send under `/v1`: strangers may neither fill the memory nor keep others waiting. */
function v1BodyLimit(exchange: Exchange): number {
  const { v1BodyBytes, anonymousBodyBytes } = exchange.limits
  const own = limitOf(exchange, v1BodyBytes)
  const length = announcedLength(exchange.incoming)
  // A body that is too large for everybody is refused with that limit, not with the smaller one for strangers.
  if (!isAnonymous(exchange) || (length ?? 0) > own) return own
  return Math.min(own, v1BodyBytes, anonymousBodyBytes, length === undefined ? quicklyParsedBytes : own)
}

/** Whether to check the token before reading the body, since strangers may send less. Not if nobody may send so much. */
function needsToken(exchange: Exchange): boolean {
  const length = announcedLength(exchange.incoming)
  if (length === undefined) return presentsCredentials(exchange)
  if (length > limitOf(exchange, exchange.limits.v1BodyBytes)) return false
  return length > v1BodyLimit(exchange) || (length > quicklyParsedBytes && presentsCredentials(exchange))
}

/** How much of the strangers' memory a body takes: none if it is small, refused at once, or from a known caller. */
function bytesToReserve(exchange: Exchange): number {
  const length = announcedLength(exchange.incoming) ?? 0
  return isAnonymous(exchange) && length > quicklyParsedBytes && length <= v1BodyLimit(exchange) ? length : 0
}

/** Step 3 under `/v1`: the body of a write, or the query of anything else, as fields. */
export const decodeFields =
  (memory: AnonymousBodyMemory): Step =>
  (exchange) => {
    const { facts } = exchange
    if (withBody.has(facts.verb)) return isStream(exchange) ? undefined : readWithinMemory(exchange, memory)
    if (facts.query.size === 0) return
    facts.fields = Object.fromEntries([...facts.query].filter(([key]) => key !== 'list'))
  }

const readWithinMemory = (exchange: Exchange, memory: AnonymousBodyMemory): Awaitable<void> =>
  andThen(needsToken(exchange) ? authenticateToken(exchange) : undefined, () => {
    const bytes = bytesToReserve(exchange)
    return bytes > 0 ? memory.reserve(bytes, async () => readFields(exchange)) : readFields(exchange)
  })

const readFields = (exchange: Exchange): Awaitable<void> =>
  andThen(readBytes(exchange, v1BodyLimit(exchange)), (bytes) => setFields(exchange, bytes))

function setFields(exchange: Exchange, bytes: Buffer): Awaitable<void> {
  const { facts, limits } = exchange
  const type = mediaTypeOf(exchange)
  if (facts.verb === 'PATCH' && type !== 'application/merge-patch+json') {
    throw failure('unsupported-media', 'body.merge-patch', 'PATCH needs the content type application/merge-patch+json.')
  }
  const isLong = bytes.length > longBody && limitOf(exchange, 0) > limits.v1BodyBytes
  return andThen(isLong ? longFieldsOf(exchange, bytes) : fieldsOf(exchange, bytes, type), (fields) => {
    facts.fields = fields
  })
}

/** Where strings may be uncommonly long, bodies larger than this are parsed piece by piece. */
const longBody = 2 * 1024 * 1024

const longFieldsOf = async (exchange: Exchange, bytes: Buffer): Promise<Record<string, unknown>> =>
  asObject(exchange, await parseLongJson(bytes, jsonLimits(exchange, bytes.length)))

const blanks = new Set<number | undefined>([0x09, 0x0a, 0x0d, 0x20])

/** True for what JSON counts as white space; other control bytes are content, which a reader then refuses. */
const isBlank = (byte: number | undefined): boolean => blanks.has(byte)

/** Form bodies are taken too, but `curl -d` labels JSON as a form, so the first byte decides. */
function fieldsOf(exchange: Exchange, bytes: Buffer, type: string): Record<string, unknown> {
  let start = 0
  while (isBlank(bytes[start])) start++
  if (start === bytes.length) return {}
  const looksLikeJson = bytes[start] === 0x7b || bytes[start] === 0x5b
  if (type === formType && !looksLikeJson) {
    return parseForm(bytes, jsonLimits(exchange, bytes.length))
  }
  const fields = objectOf(exchange, bytes)
  if (isVerbatim(exchange)) exchange.verbatimBody = asObject(exchange, parseVerbatim(bytes.toString('utf8')))
  return fields
}

const isVerbatim = ({ endpoint }: Exchange): boolean =>
  endpoint?.body?.kind === 'json' && endpoint.body.verbatim === true

const objectOf = (exchange: Exchange, bytes: Buffer): Record<string, unknown> =>
  asObject(exchange, parseJson(bytes, jsonLimits(exchange, bytes.length)))

function jsonLimits(exchange: Exchange, size: number): JsonLimits {
  const { jsonDepth, jsonEntries, jsonString } = exchange.limits
  const maxTotalEntries = (isAnonymous(exchange) && size > quicklyParsedBytes ? 2 : 10) * jsonEntries
  // An endpoint with a limit of its own takes texts up to it, such as large revocation lists.
  const maxString = Math.max(jsonString, limitOf(exchange, 0))
  // Documents of `/api/v2` point at the text that has a NUL.
  const allowsNul = exchange.address.api === 'api/v2'
  return { maxDepth: jsonDepth, maxEntries: jsonEntries, maxTotalEntries, maxString, allowsNul }
}

function asObject({ address, endpoint }: Exchange, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  // Clients of both APIs send `null` when they have nothing to say; where a document is expected, it is not one.
  if (value === null && (address.api === 'v1' || !needsDocument(endpoint))) return {}
  throw failure('malformed', 'body.not-an-object', 'The body must be a JSON object.')
}

const needsDocument = (endpoint: Exchange['endpoint']): boolean =>
  endpoint?.body?.kind === 'json' && !endpoint.body.optional

/** Step 3 under `/api/v2` and on the site: a JSON document, whatever the verb; pages also send forms. An empty body is none. */
export const decodeDocument: Step = (exchange) => {
  const { verb } = exchange.facts
  if (verb !== 'GET' && verb !== 'HEAD' && !isStream(exchange)) return readDocument(exchange)
}

function readDocument(exchange: Exchange): Awaitable<void> {
  const isSite = exchange.address.api === 'site'
  // Pages send a few fields, and anybody may send them.
  const most = limitOf(exchange, isSite ? quicklyParsedBytes : exchange.limits.v2BodyBytes)
  return andThen(readBytes(exchange, most), (bytes) => {
    if (bytes.length === 0) return
    const type = mediaTypeOf(exchange)
    const form = isSite && type === formType
    if (!form) requireJsonType(type)
    exchange.facts.fields = form ? fieldsOf(exchange, bytes, type) : objectOf(exchange, bytes)
  })
}

function requireJsonType(type: string): void {
  if (type === 'application/json' || type === 'application/vnd.api+json') return
  const text = 'Send the body with the content type application/vnd.api+json or application/json.'
  throw failure('unsupported-media', 'body.media-type', text)
}

const noQuery: Readonly<Record<string, unknown>> = Object.freeze({})

/** Step 5: query and body into the types the endpoint declares. */
export const validate: Step = (exchange) => {
  const { endpoint, facts } = exchange
  if (!endpoint) return
  const unknown = endpoint.api === 'api/v2' ? warningsOfUnknown(endpoint, facts, silentNames) : []
  // Before anything is refused: a misspelt name may be why another one is missing.
  if (!endpoint.exactNames) exchange.warnings.push(...unknown)
  exchange.query = readQuery(endpoint.query, facts.query)
  if (endpoint.exactNames && unknown.length > 0) throw unknownNames(unknown)
  if (endpoint.body?.kind !== 'json') return
  exchange.body = endpoint.body.parse(exchange.verbatimBody ?? (facts.fields as Record<string, unknown>), {
    warn: (text) => void exchange.warnings.push(text),
    params: exchange.match?.params ?? {},
  })
}

const unknownNames = (texts: readonly string[]): Failure =>
  failure('malformed', 'document.unknown-names', `${texts.join(' ')} Nothing was changed.`, {
    faults: texts.map((text) => ({ detail: `${text} Nothing was changed.` })),
  })

function readQuery(declared: Endpoint['query'], sent: URLSearchParams): unknown {
  if (!declared) return noQuery
  if ('parse' in declared) return (declared as QueryShape<unknown>).parse(sent)
  return parseFields(declared as TObject, Object.fromEntries(sent)).value
}
