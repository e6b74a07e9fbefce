import { type TObject, type TSchema, Type } from 'typebox'
import type { FailureKind } from '../kernel/failure.ts'
import { Failure } from '../kernel/failure.ts'
import { type Endpoint, querySchema } from '../kit/endpoint.ts'
import { acceptingText } from '../kit/fields.ts'
import { failuresOf, failuresOfAll, failureWords } from './openapi-failures.ts'
import { sharedSchemas } from './openapi-schemas.ts'
import { renderV1Failure } from './v1/errors.ts'
import { renderV2Failure } from './v2/errors.ts'

type Json = Record<string, unknown>

/** Where mounts are by default; the document shows those addresses. */
const defaultMounts: Readonly<Record<string, string>> = {
  system: '/v1/sys',
  identity: '/v1/identity',
  cubbyhole: '/v1/cubbyhole',
  token: '/v1/auth/token',
  cert: '/v1/auth/cert',
}

const prefixOf = (endpoint: Endpoint): string =>
  endpoint.mountType ? (defaultMounts[endpoint.mountType] ?? '/v1') : endpoint.api === 'api/v2' ? '/api/v2' : ''

/** The address of an endpoint as OpenAPI writes it: `/v1/auth/cert/certs/{name}`. */
export const openApiPath = (endpoint: Endpoint): string =>
  `${prefixOf(endpoint)}${endpoint.path}`.replace(/[:*](\w+)/g, '{$1}').replace(/(.)\/$/, '$1')

/** OpenAPI does not know the verb LIST; it is documented as the `GET ?list=true` that means the same. */
const methodOf = (endpoint: Endpoint): string => (endpoint.verb === 'LIST' ? 'get' : endpoint.verb.toLowerCase())

/** Describes endpoints as an OpenAPI 3.1 document. The order is fixed, so that a change shows as itself in a diff. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  const ordered = [...endpoints].sort((a, b) => compare(openApiPath(a), openApiPath(b)) || compare(a.verb, b.verb))
  for (const endpoint of ordered) addOperation(paths, endpoint)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description: `Certificate login and tokens under /v1, workspaces under /api/v2, automated snapshots under /v1/sys/storage. ${failuresOfAll}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    components: { securitySchemes: securitySchemes(), schemas: sharedSchemas },
    paths,
  }
}

/** The same for endpoints of one kind of mount, with addresses relative to it, since it may be anywhere. */
export function openApiOfMount(endpoints: readonly Endpoint[], version: string): Json {
  const { paths, ...document } = openApiDocument(endpoints, version)
  const [any] = endpoints
  const prefix = any ? prefixOf(any).length : 0
  const relative = Object.entries(paths as Json).map(([path, operations]) => [path.slice(prefix) || '/', operations])
  return { ...document, paths: Object.fromEntries(relative) }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const refTo = (name: keyof typeof sharedSchemas): Json => ({ $ref: `#/components/schemas/${name}` })

/** A read and a list at one path share GET; the list then has its own path with a trailing slash. */
function addOperation(paths: Record<string, Json>, endpoint: Endpoint): void {
  const path = openApiPath(endpoint)
  const method = methodOf(endpoint)
  const taken = paths[path]?.[method] !== undefined
  const place = taken ? `${path}/` : path
  paths[place] = { ...paths[place], [method]: operationOf(endpoint) }
}

const securitySchemes = (): Json => ({
  serviceToken: { type: 'apiKey', in: 'header', name: 'X-Service-Token', description: 'A token of the /v1 API.' },
  apiToken: { type: 'http', scheme: 'bearer', description: 'A user, team or organization token of the /api/v2 API.' },
})

function operationOf(endpoint: Endpoint): Json {
  const { access, body } = endpoint
  const open = access.kind === 'open' || access.kind === 'optional'
  const scheme = endpoint.api === 'api/v2' ? 'apiToken' : 'serviceToken'
  return {
    operationId: endpoint.id,
    tags: [endpoint.id.split('.')[0]],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    ...(endpoint.verb === 'LIST' ? { 'x-verb': 'LIST' } : {}),
    'x-access': access.kind === 'rule' ? access.name : access.kind === 'acl' && access.sudo ? 'sudo' : access.kind,
    security: open ? [] : [{ [scheme]: [] }],
    parameters: parametersOf(endpoint),
    ...(body ? { requestBody: requestBodyOf(endpoint) } : {}),
    responses: responsesOf(endpoint),
  }
}

function parametersOf(endpoint: Endpoint): Json[] {
  const inPath = [...endpoint.path.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: endpoint.params?.[name as string]?.description ?? `The ${name}.`,
    schema: { type: 'string' },
  }))
  const query = Object.entries(querySchema(endpoint)?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    description: (schema as { description?: string }).description ?? '',
    // Members of an object are sent as `fields[workspaces]=name`.
    ...((schema as { type?: string }).type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema,
  }))
  const list =
    endpoint.verb === 'LIST'
      ? [
          {
            name: 'list',
            in: 'query',
            schema: { type: 'string', const: 'true' },
            required: true,
            description: 'Set to `true` to list.',
          },
        ]
      : []
  const inHeader = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...list, ...query, ...inHeader]
}

const jsonOf = ({ api }: Endpoint): string => (api === 'api/v2' ? 'application/vnd.api+json' : 'application/json')

function requestBodyOf(endpoint: Endpoint): Json {
  const example = endpoint.example?.request === undefined ? {} : { example: endpoint.example.request }
  const type = endpoint.body?.kind === 'stream' ? endpoint.body.contentType : jsonOf(endpoint)
  const schema = bodySchemaOf(endpoint)
  const isRequired = ((schema as { required?: readonly string[] } | undefined)?.required?.length ?? 0) > 0
  return { ...(isRequired ? { required: true } : {}), content: { [type]: { schema, ...example } } }
}

function bodySchemaOf({ mountType, body }: Endpoint): unknown {
  const isFields = mountType !== undefined && body?.kind === 'json'
  return isFields && body.schema && 'properties' in body.schema ? acceptingText(body.schema as TObject) : body?.schema
}

const warningsAlone = Type.Object({ warnings: Type.Array(Type.String()) })

/** What an endpoint returns. A write under `/v1` that has no content answers 200 all the same if it has to warn. */
function returnsOf({ mountType, body, returns = { 200: null } }: Endpoint): Readonly<Record<string, TSchema | null>> {
  const mayWarn = mountType !== undefined && body?.kind === 'json' && !body.verbatim
  return mayWarn && 204 in returns ? { 200: warningsAlone, ...returns } : returns
}

/** True if the document has an answer of this endpoint with this status. */
export const declaresStatus = (endpoint: Endpoint, status: number): boolean => status in responsesOf(endpoint)

function responsesOf(endpoint: Endpoint): Json {
  const returns = Object.entries(returnsOf(endpoint))
  const good = returns.map(([status, schema]) => [status, successResponse(endpoint, status, schema)])
  const kinds = Map.groupBy(failuresOf(endpoint), (kind) => statusOf(endpoint, kind))
  const bad = [...kinds].map(([status, alike]) => [status, failureResponse(endpoint, alike)])
  // An endpoint that refuses in a format of its own describes it itself.
  return Object.fromEntries([...bad, ...good].sort(([a], [b]) => compare(String(a), String(b))))
}

function successResponse(endpoint: Endpoint, status: string, schema: TSchema | null): Json {
  if (schema === null) return { description: plainDescription(endpoint, status) }
  const type = endpoint.mediaType ?? jsonOf(endpoint)
  const sample = endpoint.example?.response
  const isWrapped = endpoint.mountType !== undefined && !endpoint.bareAnswer && endpoint.mediaType === undefined
  const answer = isWrapped ? { allOf: [refTo('Envelope'), { properties: inEnvelope(schema) }] } : schema
  const example = sample === undefined ? {} : { example: isWrapped ? inEnvelope(sample) : sample }
  const description = status >= '400' ? 'Refused; the body says why.' : endpoint.summary
  return { description, content: { [type]: { schema: answer, ...example } } }
}

/** Pages refuse with a page. */
function plainDescription({ summary }: Endpoint, status: string): string {
  if (status === '204') return 'Success; no content.'
  if (status === '307') return 'It has another name now; repeat the request at `Location`.'
  return status >= '400' ? 'Refused; the page says why.' : summary
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

function statusOf(endpoint: Endpoint, kind: FailureKind): string {
  const sample = new Failure(kind, kind, kind)
  return String((isV2(endpoint) ? renderV2Failure(sample) : renderV1Failure(sample)).status)
}

/** Several kinds of failures may have one status. */
function failureResponse(endpoint: Endpoint, kinds: readonly FailureKind[]): Json {
  const content = { [jsonOf(endpoint)]: { schema: refTo(isV2(endpoint) ? 'Errors' : 'Refusal') } }
  return { description: `Error: ${kinds.map((kind) => failureWords[kind]).join('; ')}.`, content }
}
