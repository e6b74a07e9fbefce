import type { RequestFacts } from '../endpoint.ts'
import { document as documentReply, type Reply } from '../reply.ts'
import { type PageRequest, type Pagination, pageLinks, paginationOf } from './paging.ts'
import type { SparseFields } from './parameters.ts'
import { type Identifier, keyOf, type Relationship, type Resource } from './schemas.ts'

type Walk = {
  readonly known: ReadonlyMap<string, Resource>
  readonly onPath: Set<string>
  readonly done: Map<string, Resource>
}

/**
 * Included resources whose links among each other form no cycle. Clients follow linkage from one included resource to
 * the next, and common ones never come back from a cycle: an organization whose default project names its organization.
 * The link that would close a cycle loses its linkage and keeps its address.
 */
export function withoutCycles(included: readonly Resource[]): readonly Resource[] {
  if (included.length < 2) return included
  const known = new Map(included.map((resource) => [keyOf(resource), resource]))
  const walk: Walk = { known, onPath: new Set(), done: new Map() }
  for (const resource of included) visit(resource, walk)
  return included.map((resource) => walk.done.get(keyOf(resource)) ?? resource)
}

function visit(resource: Resource, walk: Walk): void {
  const key = keyOf(resource)
  if (walk.done.has(key)) return
  walk.onPath.add(key)
  let relationships = resource.relationships
  for (const [name, relationship] of Object.entries(relationships ?? {})) {
    const kept = withoutBackLinks(relationship, walk)
    if (kept !== relationship) relationships = { ...relationships, [name]: kept }
  }
  walk.onPath.delete(key)
  walk.done.set(key, relationships === resource.relationships ? resource : { ...resource, relationships })
}

/** Goes where a relationship leads; what leads back to the path that is being walked is left out. */
function withoutBackLinks(relationship: Relationship, walk: Walk): Relationship {
  const { data } = relationship
  if (!data) return relationship
  const targets = 'type' in data ? [data] : data
  const open = targets.filter((target) => !walk.onPath.has(keyOf(target)))
  for (const target of open) {
    const resource = walk.known.get(keyOf(target))
    if (resource) visit(resource, walk)
  }
  if (open.length === targets.length) return relationship
  const { data: _closing, ...rest } = relationship
  return 'type' in data ? rest : { ...rest, data: open }
}

export type { Identifier, Relationship, Resource } from './schemas.ts'

/** Linkage to one resource or none; with an address where there is one to read it from. */
export const toOne = (type: string, id: string | null | undefined, related?: string): Relationship => ({
  data: id ? { type, id } : null,
  ...(related ? { links: { related } } : {}),
})

/** Linkage to several resources. */
export const toMany = (type: string, ids: readonly string[], related?: string): Relationship => ({
  data: ids.map((id) => ({ type, id })),
  ...(related ? { links: { related } } : {}),
})

/** A relationship that only says where to read it. */
export const toLink = (related: string): Relationship => ({ links: { related } })

/** The parts of a call that shape an answer. */
export type AnswerContext = {
  readonly request: Pick<RequestFacts, 'origin' | 'path' | 'query'>
  readonly query: {
    readonly fields?: SparseFields
    readonly include?: ReadonlySet<string>
    readonly page?: PageRequest
  }
}

/** What an answer contains besides its resources. */
export type AnswerExtras = {
  readonly included?: readonly Resource[]
  readonly links?: Readonly<Record<string, string>>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers with one resource. */
export function answerOne(context: AnswerContext, resource: Resource, extras: AnswerExtras = {}): Reply {
  const body = {
    data: withFields(context, resource),
    ...withIncluded(context, [resource], extras),
    ...(extras.links ? { links: extras.links } : {}),
  }
  return documentReply(body, extras.status ?? 200, extras.headers)
}

/** Answers with a resource that was just made: 201, and its address. */
export function answerCreated(context: AnswerContext, resource: Resource, extras: AnswerExtras = {}): Reply {
  const self = resource.links?.self
  const headers = { ...(self ? { Location: `${context.request.origin}${self}` } : {}), ...extras.headers }
  return answerOne(context, resource, { ...extras, status: extras.status ?? 201, headers })
}

/** Answers with all resources there are, without pages. */
export function answerAll(context: AnswerContext, resources: readonly Resource[], extras: AnswerExtras = {}): Reply {
  const body = {
    data: resources.map((resource) => withFields(context, resource)),
    ...withIncluded(context, resources, extras),
    ...(extras.links ? { links: extras.links } : {}),
  }
  return documentReply(body, extras.status ?? 200, extras.headers)
}

/** One page of a list of `total` resources. `pages` is how many there are at least, where that is known. */
type FoundPage = {
  readonly resources: readonly Resource[]
  readonly total: number
  readonly pages?: number
}

/** A page as it is sent. */
export type PageDocument = {
  readonly data: readonly Resource[]
  readonly included?: readonly Resource[]
  readonly links: Readonly<Record<string, string | null>>
  readonly meta: { readonly pagination: Pagination }
}

type PageContext = AnswerContext & { readonly query: { readonly page: PageRequest } }

/** The document of one page of a list. */
export function pageDocument(context: PageContext, found: FoundPage, extras: AnswerExtras = {}): PageDocument {
  const { request, query } = context
  const pagination = paginationOf(query.page, found.total, found.pages)
  return {
    data: found.resources.map((resource) => withFields(context, resource)),
    ...withIncluded(context, found.resources, extras),
    links: { ...pageLinks(addressOf(request), request.query, pagination), ...extras.links },
    meta: { pagination },
  }
}

/** Answers with one page of a list. */
export const answerPage = (context: PageContext, found: FoundPage, extras: AnswerExtras = {}): Reply =>
  documentReply(pageDocument(context, found, extras), extras.status ?? 200, extras.headers)

/** The absolute address of a request, without its query. */
const addressOf = ({ origin, path }: AnswerContext['request']): string =>
  `${origin}/api/v2/${path.split('/').map(encodeURIComponent).join('/')}`

/** `included` is sent if requested, or if an endpoint adds resources by itself. */
function withIncluded(
  context: AnswerContext,
  primary: readonly Resource[],
  { included = [] }: AnswerExtras,
): { readonly included?: readonly Resource[] } {
  if (included.length === 0 && !context.query.include?.size) return {}
  return { included: includedOnce(context, primary, included) }
}

/** Each included resource once, in order of first reference, and never the primary ones again. */
function includedOnce(
  context: AnswerContext,
  primary: readonly Resource[],
  included: readonly Resource[],
): readonly Resource[] {
  const seen = new Set(primary.map(keyOf))
  const once: Resource[] = []
  for (const resource of included) {
    const key = keyOf(resource)
    if (seen.has(key)) continue
    seen.add(key)
    once.push(withFields(context, resource))
  }
  return withoutCycles(inOrderOfReference(primary, once))
}

/** What the primary resources do not refer to themselves comes last, in the order given. */
function inOrderOfReference(primary: readonly Resource[], included: readonly Resource[]): readonly Resource[] {
  if (included.length < 2) return included
  const places = new Map<string, number>()
  for (const target of primary.flatMap(targetsOf)) {
    const key = keyOf(target)
    if (!places.has(key)) places.set(key, places.size)
  }
  const placed = included.map((resource) => ({ resource, place: places.get(keyOf(resource)) ?? places.size }))
  return placed.sort((one, other) => one.place - other.place).map(({ resource }) => resource)
}

const targetsOf = ({ relationships }: Resource): readonly Identifier[] =>
  Object.values(relationships ?? {}).flatMap(({ data }) => data ?? [])

/** Keeps the fields that were asked for. Relationships count as fields; type, id and `links.self` always stay. */
function withFields({ query }: AnswerContext, resource: Resource): Resource {
  const wanted = query.fields?.get(resource.type)
  if (!wanted) return resource
  const { type, id, attributes = {}, relationships = {}, links } = resource
  return {
    type,
    id,
    attributes: pick(attributes, wanted),
    relationships: pick(relationships, wanted),
    ...(links?.self ? { links: { self: links.self } } : {}),
  }
}

const pick = <T>(members: Readonly<Record<string, T>>, wanted: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => wanted.has(name)))
