import { type TSchema, Type } from 'typebox'
import { Failure, type FailureKind } from '../kernel/failure.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { TokenAuth, WarningsAlone, WrapInfo } from '../kit/envelope.ts'
import { metaSchema } from '../kit/jsonapi/index.ts'
import { toPascal } from '../kit/model.ts'
import { type Components, failuresOf, failureWords, type Json } from './openapi-components.ts'
import { RunnerRefusal, renderRunnerFailure } from './runner.ts'
import { renderV1Failure } from './v1/errors.ts'
import { renderV2Failure } from './v2/errors.ts'

const text = (description: string) => Type.String({ description })

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })

/** What is in an envelope that its endpoint says nothing about. */
const usual = {
  request_id: text('Identifies the request in log and audit records.'),
  lease_id: text('The lease of the returned secret; empty if there is none.'),
  renewable: Type.Boolean({ description: 'Whether the lease can be renewed.' }),
  lease_duration: Type.Integer({ description: 'Duration of the lease in seconds; 0 if there is none.' }),
  data: Type.Object({}, { description: 'Empty: the result is in another member.' }),
  wrap_info: orNull(WrapInfo, 'The wrapping token, if the response is wrapped; the other members are empty then.'),
  warnings: orNull(Type.Array(Type.String()), 'Warnings for the caller.'),
  auth: orNull(TokenAuth, 'The token that a login or a token request returns.'),
  mount_type: text('Type of the mount that responded.'),
}

/** The envelope of a `/v1` response with these members; all others are as usual. */
const envelopeSchema = (members: Readonly<Record<string, TSchema>>): TSchema => Type.Object({ ...usual, ...members })

/** An example of an envelope with these members. */
const envelopeExample = (members: Readonly<Record<string, unknown>>): object => ({
  request_id: '3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data: {},
  wrap_info: null,
  warnings: null,
  auth: null,
  mount_type: 'system',
  ...members,
})

/** The body of `/v1` errors. */
const Refusal = Type.Object(
  {
    errors: Type.Array(Type.String(), { description: 'Error messages; empty if nothing was found.' }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Details of a refused certificate, if enabled.' }),
    ),
  },
  { title: 'Refusal' },
)

const ErrorSource = Type.Object(
  {
    pointer: Type.Optional(text('A JSON pointer into the document.')),
    parameter: Type.Optional(text('The name of a query parameter.')),
  },
  { title: 'ErrorSource', description: 'Location of the error.' },
)

const ErrorObject = Type.Object(
  {
    status: text('HTTP status of the response.'),
    title: text('Kind of error; stable text.'),
    detail: text('Human-readable description of the error.'),
    code: Type.Optional(text('Machine-readable error code.')),
    source: Type.Optional(ErrorSource),
  },
  { title: 'ErrorObject' },
)

/** The body of `/api/v2` errors: lists all errors of a document at once. */
const ErrorDocument = Type.Object({ errors: Type.Array(ErrorObject), meta: metaSchema }, { title: 'ErrorDocument' })

/** The media type of the JSON of an endpoint's API. */
export const jsonOf = ({ api }: Endpoint): string =>
  api === 'api/v2' ? 'application/vnd.api+json' : 'application/json'

/** What an endpoint returns. A write under `/v1` that has no content answers 200 all the same if it has to warn. */
function returnsOf({ mountType, body, returns = { 200: null } }: Endpoint): Readonly<Record<string, TSchema | null>> {
  const mayWarn = mountType !== undefined && body?.kind === 'json' && !body.verbatim
  return mayWarn && 204 in returns ? { 200: WarningsAlone, ...returns } : returns
}

/** True if the document has an answer of this endpoint with this status. */
export const declaresStatus = (endpoint: Endpoint, status: number): boolean =>
  status in returnsOf(endpoint) || failuresByStatus(endpoint).has(String(status))

/** True for reads whose answers have an `ETag`, so that callers may ask whether theirs is still current. */
export const isRevalidated = ({ api, verb, returns, mediaType }: Endpoint): boolean =>
  api === 'api/v2' && verb === 'GET' && mediaType === undefined && Boolean(returns?.[200])

/** True for writes of which callers may ask what they would do. */
export const isRehearsed = ({ api, verb, body, notRehearsed }: Endpoint): boolean =>
  api === 'api/v2' && verb !== 'GET' && body?.kind !== 'stream' && notRehearsed === undefined

/** What operations refer to besides schemas. */
export const sharedParts = {
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of an earlier response: if it is still current, the response is 304 without a body.',
      schema: { type: 'string' },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description: 'With `handling=validate`, the response is that of the call, but nothing is changed.',
      schema: { type: 'string' },
    },
  },
  headers: {
    ETag: { description: 'Changes whenever the body does; for `If-None-Match`.', schema: { type: 'string' } },
    Warning: {
      description:
        'Unknown parameters and members of the request: `299 - "text"` for each, separated by commas. A document has the texts in `meta.warnings`.',
      schema: { type: 'string' },
    },
  },
  responses: {
    NotModified: {
      description: 'Unchanged since the response whose `ETag` was sent.',
      headers: { ETag: { $ref: '#/components/headers/ETag' } },
    },
  },
} as const

/** All answers of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, components: Components): Json {
  const returns = Object.entries(returnsOf(endpoint))
  const good = returns.map(([status, schema]) => [status, successResponse(endpoint, status, schema, components)])
  const bad = [...failuresByStatus(endpoint)].map(([status, kinds]) => [
    status,
    failureResponse(endpoint, kinds, components),
  ])
  const unchanged = isRevalidated(endpoint) ? [['304', { $ref: '#/components/responses/NotModified' }]] : []
  // An endpoint that refuses in a format of its own describes it itself.
  const all = [...bad, ...good, ...unchanged].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return Object.fromEntries(all)
}

function successResponse(endpoint: Endpoint, status: string, schema: TSchema | null, components: Components): Json {
  const headers = headersOf(endpoint, status)
  if (schema === null) return { description: plainDescription(endpoint, status), ...headers }
  const type = endpoint.mediaType ?? jsonOf(endpoint)
  const isWrapped = endpoint.mountType !== undefined && !endpoint.bareAnswer && endpoint.mediaType === undefined
  const answer = isWrapped
    ? envelopeOf(endpoint, schema, components)
    : components.place(schema, `${toPascal(endpoint.id)}${status < '400' ? 'Answer' : 'Refusal'}`)
  const sample = status < '400' ? endpoint.example?.response : undefined
  const example = sample === undefined ? {} : { example: isWrapped ? envelopeExample(inEnvelope(sample)) : sample }
  const description = status >= '400' ? 'Refused; the body says why.' : endpoint.summary
  return { description, ...headers, content: { [type]: { schema: answer, ...example } } }
}

/** What answers have in headers besides what any answer has. Refusals warn as well, which is said once for all of them. */
function headersOf(endpoint: Endpoint, status: string): Json {
  if (endpoint.api !== 'api/v2' || status >= '300') return {}
  const names = status === '200' && isRevalidated(endpoint) ? ['ETag', 'Warning'] : ['Warning']
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

/** Pages refuse with a page. */
function plainDescription({ summary }: Endpoint, status: string): string {
  if (status === '204') return 'Success; no content.'
  if (status === '304') return 'Unchanged since the response whose `ETag` was sent.'
  if (status === '302') return 'The content is at `Location`, without a token and for a minute.'
  if (status === '307') return 'It has another name now; repeat the request at `Location`.'
  return status >= '400' ? 'Refused; the page says why.' : summary
}

/** The envelope is named after what is in it. */
function envelopeOf(endpoint: Endpoint, schema: TSchema, components: Components): Json {
  const members = inEnvelope(schema) as Record<string, TSchema & { title?: string }>
  const [first = ['', undefined]] = Object.entries(members)
  const [key, content] = first
  const name = content?.title ?? (key === 'warnings' ? 'Warnings' : toPascal(endpoint.id))
  const placed = Object.entries(members).map(([member, each]) => [
    member,
    components.place(each, `${name}${toPascal(member)}`),
  ])
  return components.place(envelopeSchema(Object.fromEntries(placed)), `${name}Envelope`)
}

/** Endpoints of `/v1` declare what is in `data`; those with nothing in it name the member that they fill. */
function inEnvelope(schemaOrExample: unknown): Json {
  const { properties = schemaOrExample } = schemaOrExample as { properties?: unknown }
  return areEnvelopeMembers(Object.keys(properties as object)) ? (properties as Json) : { data: schemaOrExample }
}

/** True if these are members of the envelope itself and not of its `data`. */
export const areEnvelopeMembers = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => ['auth', 'wrap_info', 'warnings'].includes(name))

const isV2 = ({ api, path }: Endpoint): boolean => api === 'api/v2' || path.startsWith('/api/')

/** Several kinds of failures may have one status. */
const failuresByStatus = (endpoint: Endpoint): ReadonlyMap<string, readonly FailureKind[]> =>
  Map.groupBy(failuresOf(endpoint), (kind) => statusOf(endpoint, kind))

function statusOf(endpoint: Endpoint, kind: FailureKind): string {
  const sample = new Failure(kind, kind, kind)
  const render = isRunner(endpoint) ? renderRunnerFailure : isV2(endpoint) ? renderV2Failure : renderV1Failure
  return String(render(sample).status)
}

const isRunner = ({ api }: Endpoint): boolean => api === 'api/runner/v1'

function failureResponse(endpoint: Endpoint, kinds: readonly FailureKind[], components: Components): Json {
  const schema = components.place(isRunner(endpoint) ? RunnerRefusal : isV2(endpoint) ? ErrorDocument : Refusal, '')
  const description = `Error: ${kinds.map((kind) => failureWords[kind]).join('; ')}.`
  return { description, content: { [jsonOf(endpoint)]: { schema } } }
}
