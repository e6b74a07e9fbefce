import { type TSchema, Type } from 'typebox'
import { nearestName } from '../../kernel/spelling.ts'
import { type Endpoint, querySchema } from '../endpoint.ts'
import { foldKey } from './attributes.ts'
import { foldName, nearestParameter } from './parameters.ts'

/**
 * Names that give no warning although they mean nothing here: parameters, and attributes by type of resource, with the
 * values for which that holds.
 */
export type SilentNames = {
  readonly attributes: Readonly<Record<string, SilentValues>>
  readonly parameters: readonly string[]
}

type SilentValues = Readonly<Record<string, readonly unknown[]>>

/** The names that a part of a document may have. */
type Known = {
  /** By folded name, what is known of the value; undefined for a value that may hold anything. */
  readonly members: Map<string, Known | undefined>
  /** Those that a request can set, as they are documented. */
  readonly settable: ReadonlySet<string>
  /** Values that give no warning, by a name that means nothing. */
  silent: SilentValues
}

/** The names that requests to an endpoint may use. */
type KnownNames = { readonly parameters: ReadonlySet<string>; readonly document: Known }

/** A name that nobody knows, what it names, where it was sent, and the names that could have been meant. */
type Unknown = {
  readonly what: 'attribute' | 'relationship' | 'member' | 'parameter'
  readonly name: string
  readonly place: string
  readonly meant: Iterable<string>
}

const nothing: readonly string[] = []

/** At most this many names are told; a request could be nothing but unknown names. */
const mostTold = 10

/**
 * Tells of every parameter and every member of the document that a request names and that its endpoint does not know: a
 * misspelt one would be ignored without a word. What answers of the endpoint show is known, so that a document may be
 * sent back as it was read.
 */
export function warningsOfUnknown(
  endpoint: Endpoint,
  { query, fields }: { readonly query: URLSearchParams; readonly fields: Readonly<Record<string, unknown>> },
  silent: SilentNames,
): readonly string[] {
  // Most requests are reads that say nothing but their address.
  if (query.size === 0 && Object.keys(fields).length === 0) return nothing
  const found = new Map<string, Unknown>()
  const known = knownOf(endpoint, silent)
  findParameters(query, known.parameters, found)
  findMembers(fields, known.document, '', found)
  if (found.size === 0) return nothing
  const fate = endpoint.exactNames ? 'refused' : 'ignored'
  const told = [...found.values()].slice(0, mostTold).map((each) => warningOf(each, fate))
  return found.size > mostTold ? [...told, `${found.size - mostTold} more names are unknown and ${fate}.`] : told
}

function warningOf({ what, name, place, meant }: Unknown, fate: string): string {
  const at = place.replace(/^(?:\/data)?(?:\/attributes|\/relationships)?$/, '')
  const nearest = what === 'parameter' ? nearestParameter(name, meant) : nearestName(foldKey(name), meant)
  const advice = nearest === undefined ? '' : ` Did you mean '${nearest}'?`
  return `Unknown ${what} '${name.slice(0, 100)}'${at === '' ? '' : ` at ${at}`} is ${fate}.${advice}`
}

function findParameters(query: URLSearchParams, known: ReadonlySet<string>, found: Map<string, Unknown>): void {
  for (const name of query.keys()) {
    const folded = foldName(name)
    if (known.has(folded) || known.has(familyOf(folded))) continue
    found.set(`?${folded}`, { what: 'parameter', name, place: '', meant: known })
  }
}

/** Groups are known by their first index, and `fields` by no type: `filter[tagged][7][key]`, `fields[workspaces]`. */
const familyOf = (name: string): string => (name.startsWith('fields[') ? anyFields : name.replace(/\[\d{1,6}\]/, '[0]'))

const anyFields = 'fields[]'

/** What any document, resource or relationship may have beside what its endpoint knows (JSON:API §5). */
const structural = new Set(['data', 'type', 'id', 'links', 'meta', 'jsonapi', 'included'])

function findMembers(value: unknown, known: Known, place: string, found: Map<string, Unknown>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const each of value) findMembers(each, known, `${place}/*`, found)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const spelling = known.members.has(name) ? name : foldKey(name)
    if (known.members.has(spelling)) {
      const inner = known.members.get(spelling)
      if (inner) findMembers(member, inner, `${place}/${name}`, found)
    } else if (!isExpected(name, member, place, known)) {
      const what = /\/attributes\b/.test(place)
        ? 'attribute'
        : /\/relationships$/.test(place)
          ? 'relationship'
          : 'member'
      found.set(`${place}/${name}`, { what, name, place, meant: known.settable })
    }
  }
}

/** Unknown names that say nothing about what is asked for. */
function isExpected(name: string, value: unknown, place: string, { settable, silent }: Known): boolean {
  if (Object.hasOwn(silent, name) && silent[name]?.includes(value)) return true
  if (/\/attributes\b/.test(place)) return false
  const isPart = name === 'attributes' || name === 'relationships'
  // Where a resource is only named, clients send all that they know of it.
  const isIdentifier = settable.has('id') && settable.size === 2
  return structural.has(name) || (isPart && (isIdentifier || isEmpty(value)))
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const compiled = new WeakMap<Endpoint, KnownNames>()

/** Put together once, at the first request. */
function knownOf(endpoint: Endpoint, silent: SilentNames): KnownNames {
  const ready = compiled.get(endpoint)
  if (ready) return ready
  const parameters = Object.keys(querySchema(endpoint)?.properties ?? {})
  const names = parameters.map((name) => (name === 'fields' ? anyFields : foldName(name)))
  const made = {
    parameters: new Set([...names, ...silent.parameters]),
    document: documentOf(endpoint, silent),
  }
  compiled.set(endpoint, made)
  return made
}

/** What is known of the document where none is wanted: nothing in any of its parts. */
const noDocument = Type.Object({
  data: Type.Object({ attributes: Type.Object({}), relationships: Type.Object({}) }),
})

function documentOf({ body, returns }: Endpoint, silent: SilentNames): Known {
  const sent = body?.kind === 'json' ? body.schema : noDocument
  const shown = Object.entries(returns ?? {}).flatMap(([status, schema]) => (status < '300' && schema ? [schema] : []))
  const document = knownIn([sent], shown) ?? emptyKnown()
  const data = document.members.get('data')
  const attributes = data?.members.get('attributes')
  if (attributes) attributes.silent = Object.assign({}, ...typesIn(sent).map((type) => silent.attributes[type]))
  return document
}

/** The types that a resource in these documents may have. */
function typesIn(document: Part): readonly string[] {
  const resources = membersIn([document])?.get('data') ?? []
  const types = membersIn(resources)?.get('type') ?? []
  return types
    .flatMap((type) => type.anyOf ?? [type])
    .flatMap(({ const: name }) => (typeof name === 'string' ? [name] : []))
}

const emptyKnown = (): Known => ({ members: new Map(), settable: new Set(), silent: {} })

type Part = TSchema & {
  readonly anyOf?: readonly Part[]
  readonly items?: Part
  readonly properties?: Readonly<Record<string, Part>>
  readonly const?: unknown
  readonly 'x-aliases'?: readonly string[]
}

/** Schemas of objects in a schema: a choice may have several, and those of a list are the ones of its entries. */
const objectsIn = (schema: Part): readonly Part[] =>
  schema.anyOf?.flatMap(objectsIn) ?? (schema.items ? objectsIn(schema.items) : schema.properties ? [schema] : [])

/** What is known of a value that is described by all of these schemas; undefined if none of them describes members. */
function knownIn(sent: readonly Part[], shown: readonly Part[]): Known | undefined {
  const [settable, readable] = [membersIn(sent), membersIn(shown)]
  const takesAnything = sent.length > 0 && !settable
  if (takesAnything || (!settable && !readable)) return undefined
  const names = new Set([...(settable?.keys() ?? []), ...(readable?.keys() ?? [])])
  const members = [...names].flatMap((name) => {
    const known = knownIn(settable?.get(name) ?? [], readable?.get(name) ?? [])
    const aliases = settable?.get(name)?.flatMap((part) => part['x-aliases'] ?? []) ?? []
    return [name, ...aliases].map((each) => [foldKey(each), known] as const)
  })
  return { members: new Map(members), settable: new Set(settable?.keys()), silent: {} }
}

/** The schemas of each member, if these describe any. */
function membersIn(schemas: readonly Part[]): ReadonlyMap<string, readonly Part[]> | undefined {
  const objects = schemas.flatMap(objectsIn)
  if (objects.length === 0) return undefined
  const members = new Map<string, Part[]>()
  for (const { properties = {} } of objects)
    for (const [name, member] of Object.entries(properties)) members.set(name, [...(members.get(name) ?? []), member])
  return members
}
