import type { TObject } from 'typebox'
import { type Endpoint, querySchema } from '../kit/endpoint.ts'
import { acceptingText } from '../kit/fields.ts'
import { toPascal } from '../kit/model.ts'
import { isRehearsed, isRevalidated, jsonOf, responsesOf, sharedParts } from './openapi-answers.ts'
import { Components, failuresOfAll, type Json } from './openapi-components.ts'

/** Two operations of one path as one: what it does without `list=true`, and with it. */
function withListing(read: Json, list: Json): Json {
  const { description } = read
  const note = `With \`list=true\`: ${list.summary}`
  return {
    ...read,
    description: typeof description === 'string' ? `${description} ${note}` : note,
    'x-list': list.operationId,
    parameters: mergedParameters(read.parameters as Json[], list.parameters as Json[]),
    responses: mergedResponses(read.responses as Json, list.responses as Json),
  }
}

const keyOf = ({ name, in: place, $ref }: Json): string => `${place} ${name} ${$ref}`

function mergedParameters(read: readonly Json[], list: readonly Json[]): Json[] {
  const known = new Set(read.map(keyOf))
  const more = list.filter((each) => !known.has(keyOf(each)))
  return [...read, ...more.map(({ required: _, ...each }) => each)]
}

function mergedResponses(read: Json, list: Json): Json {
  const statuses = [...new Set([...Object.keys(read), ...Object.keys(list)])].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      mergedResponse(read[status] as Json | undefined, list[status] as Json | undefined),
    ]),
  )
}

function mergedResponse(read: Json | undefined, list: Json | undefined): Json | undefined {
  const one = contentOf(read)
  const other = contentOf(list)
  if (!read || !one || !other) return read ?? list
  const [[type, { schema, ...rest }]] = one
  const [[, { schema: listed }]] = other
  if (JSON.stringify(schema) === JSON.stringify(listed)) return read
  return { ...read, content: { [type]: { ...rest, schema: { anyOf: [schema, listed] } } } }
}

type Content = readonly [readonly [type: string, content: Json]]

function contentOf(response: Json | undefined): Content | undefined {
  const entries = Object.entries((response?.content ?? {}) as Record<string, Json>)
  return entries.length === 0 ? undefined : (entries as unknown as Content)
}

const prefixOf = (endpoint: Endpoint): string =>
  endpoint.mountType ? `/v1/${endpoint.usualMount}` : endpoint.api === 'site' ? '' : `/${endpoint.api}`

/** The address of an endpoint as OpenAPI writes it: `/v1/auth/cert/certs/{name}`. */
export const openApiPath = (endpoint: Endpoint): string =>
  `${prefixOf(endpoint)}${endpoint.path}`.replace(/[:*](\w+)/g, '{$1}').replace(/(.)\/$/, '$1')

/** OpenAPI does not know the verb LIST; it is documented as the `GET ?list=true` that means the same. */
const methodOf = (endpoint: Endpoint): string => (endpoint.verb === 'LIST' ? 'get' : endpoint.verb.toLowerCase())

/** Describes endpoints as an OpenAPI 3.1 document. The order is fixed, so that a change shows as itself in a diff. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  const components = new Components()
  const ordered = [...endpoints].sort((a, b) => compare(openApiPath(a), openApiPath(b)) || compare(a.verb, b.verb))
  for (const endpoint of ordered) addOperation(paths, endpoint, components)
  const shared = endpoints.some(({ api }) => api === 'api/v2') ? sharedParts : {}
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description: `Certificate login and tokens under /v1, workspaces under /api/v2, runners under /api/runner/v1, automated snapshots under /v1/sys/storage. ${failuresOfAll}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    components: { securitySchemes: securitySchemes(), ...shared, schemas: components.sorted() },
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

/** The area of an endpoint, by which readers find it. */
const tagOf = ({ id }: Endpoint): string => id.split('.')[0] as string

/** A read and a list at one path share GET. */
function addOperation(paths: Record<string, Json>, endpoint: Endpoint, components: Components): void {
  const path = openApiPath(endpoint)
  const method = methodOf(endpoint)
  const operation = operationOf(endpoint, components)
  const read = paths[path]?.[method]
  paths[path] = { ...paths[path], [method]: read ? withListing(read as Json, operation) : operation }
}

const securitySchemes = (): Json => ({
  serviceToken: { type: 'apiKey', in: 'header', name: 'X-Service-Token', description: 'A token of the /v1 API.' },
  apiToken: { type: 'http', scheme: 'bearer', description: 'A user, team or organization token of the /api/v2 API.' },
  runnerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of an agent pool, the session of a runner, or the token of a job, as each operation says.',
  },
})

const schemes: Readonly<Record<Endpoint['api'], string>> = {
  v1: 'serviceToken',
  'api/v2': 'apiToken',
  'api/runner/v1': 'runnerToken',
  site: 'serviceToken',
}

function operationOf(endpoint: Endpoint, components: Components): Json {
  const { access, body } = endpoint
  const open = access.kind === 'open' || access.kind === 'optional'
  const scheme = schemes[endpoint.api]
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    ...(endpoint.verb === 'LIST' ? { 'x-verb': 'LIST' } : {}),
    'x-access': access.kind === 'rule' ? access.name : access.kind === 'acl' && access.sudo ? 'sudo' : access.kind,
    security: open ? [] : [{ [scheme]: [] }],
    parameters: parametersOf(endpoint, components),
    ...(body ? { requestBody: requestBodyOf(endpoint, components) } : {}),
    responses: responsesOf(endpoint, components),
  }
}

function parametersOf(endpoint: Endpoint, components: Components): Json[] {
  const inPath = [...endpoint.path.matchAll(/([:*])(\w+)/g)].map(([, kind, name = '']) =>
    pathParameter(name, kind === '*', endpoint),
  )
  const query = Object.entries(querySchema(endpoint)?.properties ?? {}).map(([name, schema]) =>
    queryParameter(name, schema as Json, components),
  )
  const inHeader = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  const list = endpoint.verb === 'LIST' ? [listParameter] : []
  const unchanged = isRevalidated(endpoint) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []
  const tried = isRehearsed(endpoint) ? [{ $ref: '#/components/parameters/Prefer' }] : []
  return [...inPath, ...list, ...query, ...inHeader, ...unchanged, ...tried]
}

const listParameter: Json = {
  name: 'list',
  in: 'query',
  schema: { type: 'string', const: 'true' },
  required: true,
  description: 'Set to `true` to list.',
}

const slashText = 'May contain slashes; send them as they are, since `%2F` is refused.'

/** Before 3.2, OpenAPI has no word for parameters of several segments. */
function pathParameter(name: string, isSeveral: boolean, { params }: Endpoint): Json {
  const description = params?.[name]?.description ?? `The ${name}.`
  return {
    name,
    in: 'path',
    required: true,
    description: isSeveral ? `${description} ${slashText}` : description,
    ...(isSeveral ? { 'x-multi-segment': true } : {}),
    schema: { type: 'string' },
  }
}

function queryParameter(name: string, schema: Json, components: Components): Json {
  const { description = '', ...rest } = schema
  return {
    name,
    in: 'query',
    description,
    // Members of an object are sent as `fields[workspaces]=name`.
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: components.place(rest, ''),
  }
}

function requestBodyOf(endpoint: Endpoint, components: Components): Json {
  const example = endpoint.example?.request === undefined ? {} : { example: endpoint.example.request }
  const type = endpoint.body?.kind === 'stream' ? endpoint.body.contentType : jsonOf(endpoint)
  const declared = bodySchemaOf(endpoint)
  const isRequired = ((declared as { required?: readonly string[] } | undefined)?.required?.length ?? 0) > 0
  const schema = components.place(declared, `${toPascal(endpoint.id)}Body`)
  return { ...(isRequired ? { required: true } : {}), content: { [type]: { schema, ...example } } }
}

function bodySchemaOf({ mountType, body }: Endpoint): unknown {
  const isFields = mountType !== undefined && body?.kind === 'json'
  return isFields && body.schema && 'properties' in body.schema ? acceptingText(body.schema as TObject) : body?.schema
}
