import { type TSchema, Type } from 'typebox'
import { type Fault, failure } from '../../kernel/failure.ts'
import type { JsonShape } from '../endpoint.ts'
import { type AttributeShape, asObject, foldKey, membersOf, readMembers, schemaOf, type Values } from './attributes.ts'
import { addFault, requireNoFaults } from './faults.ts'
import {
  type Item,
  type ItemRules,
  isBlank,
  itemSchema,
  readId,
  readItem,
  readType,
  typeSchema,
} from './relationships.ts'

type Shapes = { readonly attributes?: AttributeShape; readonly relationships?: AttributeShape }

/**
 * A pointer into a document by the names its sender chose: faults name members as we spell them, and one that was sent
 * as `terraform-version` or `auto_apply` would not be found at `tool-version` or `auto-apply`.
 */
export const sentPointerIn =
  (shapes: Shapes = {}) =>
  (raw: unknown, pointer: string): string => {
    const [data, part, ...path] = pointer.split('/').slice(1)
    const shape = data === 'data' && (part === 'attributes' || part === 'relationships') ? shapes[part] : undefined
    if (!shape) return respell(raw, pointer.split('/').slice(1), shapes.attributes)
    return `/data/${part}${respell(memberOf(memberOf(raw, 'data'), part), path, shape)}`
  }

function respell(raw: unknown, path: readonly string[], shape: AttributeShape | undefined): string {
  const [key, ...rest] = path
  if (key === undefined) return ''
  const member = shape && membersOf(shape).find((each) => each.key === key)
  const sent = spellingOf(raw, key, member?.spellings ?? [foldKey(key)])
  return `/${sent}${respell(memberOf(raw, sent), rest, member?.attribute.members)}`
}

function spellingOf(raw: unknown, key: string, spellings: readonly string[]): string {
  if (typeof raw !== 'object' || raw === null || Object.hasOwn(raw, key)) return key
  return Object.keys(raw).find((sent) => spellings.includes(foldKey(sent))) ?? key
}

const memberOf = (raw: unknown, key: string | undefined): unknown =>
  typeof raw === 'object' && raw !== null && key !== undefined && Object.hasOwn(raw, key)
    ? (raw as Record<string, unknown>)[key]
    : undefined

type NoMembers = Record<never, never>

/** What a document may carry. */
type DocumentShape<A extends AttributeShape, R extends AttributeShape> = {
  readonly attributes?: A
  readonly relationships?: R
  /** Rules over several members, asked also when single members are faulty: those are absent then. */
  readonly check?: (read: ReadMembers<A, R>) => readonly Fault[]
  /** Whether a document without a type is refused; otherwise it has the first one. Current clients leave it out. */
  readonly type?: 'required'
  readonly maxBytes?: number
}

/** The members that could be read. */
export type ReadMembers<A extends AttributeShape, R extends AttributeShape> = {
  readonly attributes: Partial<Values<A>>
  readonly relationships: Partial<Values<R>>
}

/** A document as its endpoint receives it. */
type ResourceBody<T extends string, A extends AttributeShape, R extends AttributeShape> = {
  readonly type: T
  readonly id: string | undefined
  readonly attributes: Values<A>
  readonly relationships: Values<R>
}

/** A document whose faults are not yet thrown, so that those only the database knows can join them. */
type Draft<T extends string, A extends AttributeShape, R extends AttributeShape> = {
  /** What could be read; faulty members are absent. */
  readonly read: ReadMembers<A, R>
  /**
   * Throws all faults together, those given and those of the document; else the document. A fault that is told of a faulty
   * member, or was judged by one, is left out: the member was absent to whoever found it.
   */
  readonly requireNoFaults: (faults?: readonly Fault[]) => ResourceBody<T, A, R>
}

/**
 * The body `{ data: { type, id?, attributes, relationships } }`. Every fault of the document is found before any is
 * thrown. Unknown and read-only members are ignored.
 */
export function resourceBody<
  const T extends string,
  A extends AttributeShape = NoMembers,
  R extends AttributeShape = NoMembers,
>(type: T | readonly T[], shape: DocumentShape<A, R> = {}): JsonShape<ResourceBody<T, A, R>> {
  const draft = draftBody(type, shape)
  return { ...draft, parse: (raw, notes) => draft.parse(raw, notes).requireNoFaults() }
}

/** As `resourceBody`, but the handler has the faults thrown together with its own. */
export function draftBody<
  const T extends string,
  A extends AttributeShape = NoMembers,
  R extends AttributeShape = NoMembers,
>(type: T | readonly T[], shape: DocumentShape<A, R> = {}): JsonShape<Draft<T, A, R>> {
  const types = typeof type === 'string' ? [type] : type
  return {
    kind: 'json',
    schema: documentSchema(types, shape),
    ...(shape.maxBytes ? { maxBytes: shape.maxBytes } : {}),
    parse: (raw) => readDocument(types, shape, raw),
    sentPointer: sentPointerIn(shape),
  }
}

function readDocument<T extends string, A extends AttributeShape, R extends AttributeShape>(
  types: readonly T[],
  shape: DocumentShape<A, R>,
  raw: Record<string, unknown>,
): Draft<T, A, R> {
  const faults: Fault[] = []
  const data = asObject(raw.data)
  if (!data) addFault(faults, { pointer: '/data', label: 'Data' }, expectedData(raw.data))
  const type = data && (isTypeless(shape, data.type) ? types[0] : readType(types, data.type, '/data', faults))
  const id = data && readId(data.id, '/data', faults)
  const attributes = readPart(shape.attributes, data, 'attributes', faults)
  const relationships = readPart(shape.relationships, data, 'relationships', faults)
  const read: ReadMembers<A, R> = { attributes, relationships }
  const sound = (found: readonly Fault[]) =>
    found.filter((fault) => !faults.some((known) => concernsSameMember(fault, known)))
  const checked = data ? sound(shape.check?.(read) ?? []) : []
  const requireNone = (more: readonly Fault[] = []) => {
    requireNoFaults([...faults, ...checked, ...sound(more)])
    return { type, id, attributes, relationships } as ResourceBody<T, A, R>
  }
  return { read, requireNoFaults: requireNone }
}

const isTypeless = ({ type }: Declared, sent: unknown): boolean => type !== 'required' && isBlank(sent)

/** True if a fault concerns the member at the other's place, something in it, or something around it. */
function concernsSameMember({ pointer, dependsOn = [] }: Fault, { pointer: refused = '' }: Fault): boolean {
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`)
  return [pointer ?? '', ...dependsOn].some((place) => isWithin(place, refused) || isWithin(refused, place))
}

const expectedData = (data: unknown): string =>
  Array.isArray(data) ? 'must be one object, not a list' : data === undefined ? 'is missing' : 'must be an object'

/** `relationships: null` names none: libraries with typed models send it where nothing is related. */
function readPart<S extends AttributeShape>(
  shape: S | undefined,
  data: Record<string, unknown> | undefined,
  name: 'attributes' | 'relationships',
  faults: Fault[],
): Partial<Values<S>> {
  if (!data) return {}
  const pointer = `/data/${name}`
  const isAbsent = data[name] === undefined || (name === 'relationships' && data[name] === null)
  const raw = isAbsent ? {} : asObject(data[name])
  if (raw) return shape ? readMembers(shape, raw, pointer, faults) : {}
  addFault(faults, { pointer, label: name === 'attributes' ? 'Attributes' : 'Relationships' }, 'must be an object')
  return {}
}

type Declared = Shapes & { readonly type?: 'required' }

function documentSchema(types: readonly string[], shape: Declared): TSchema {
  const parts: Record<string, TSchema> = {
    type: shape.type === 'required' ? typeSchema(types) : Type.Optional(typeSchema(types)),
    id: Type.Optional(Type.String({ description: 'If given, must match the addressed resource.' })),
  }
  if (shape.attributes) parts.attributes = Type.Optional(schemaOf(shape.attributes))
  if (shape.relationships) parts.relationships = Type.Optional(schemaOf(shape.relationships))
  return Type.Object({ data: Type.Object(parts) })
}

/** What a list of items may be. */
type ListShape<S extends AttributeShape> = ItemRules<S> & {
  /** Refuses `data: []`, with this predicate. */
  readonly emptyRefused?: string
}

/** The body `{ data: [ { type, id }, … ] }` of a relationship; faults point at the entry. */
export function listBody<S extends AttributeShape = NoMembers>(
  type: string | readonly string[],
  shape: ListShape<S> = {},
): JsonShape<readonly Item<S>[]> {
  const types = typeof type === 'string' ? [type] : type
  return {
    kind: 'json',
    schema: Type.Object({ data: Type.Array(itemSchema(types, shape)) }),
    parse: (raw) => {
      const faults: Fault[] = []
      const at = { pointer: '/data', label: 'Data' }
      const data = Array.isArray(raw.data) ? raw.data : addFault(faults, at, 'must be a list')
      if (data?.length === 0 && shape.emptyRefused) addFault(faults, at, shape.emptyRefused)
      const items = data?.map((each, index) => readItem(types, shape, each, `/data/${index}`, faults))
      requireNoFaults(faults)
      return items as Item<S>[]
    },
    sentPointer: sentPointerIn(),
  }
}

/** What was read from a body of few attributes, and where they were in it: faults that are found later point there. */
export type LooseBody<A extends AttributeShape> = {
  readonly attributes: Values<A>
  readonly pointer: '' | '/data/attributes'
}

/**
 * A body of few attributes in any of three shapes: plain (`{ "reason": … }`), as a document with or without a type, or
 * empty. Clients send all three to actions such as lock.
 */
export function looseBody<A extends AttributeShape>(attributes: A): JsonShape<LooseBody<A>> {
  const plain = schemaOf(attributes)
  const wrapped = Type.Object({ data: Type.Object({ attributes: plain }) })
  return {
    kind: 'json',
    schema: Type.Union([plain, wrapped]),
    optional: true,
    parse: (raw) => {
      const faults: Fault[] = []
      const isPlain = raw.data === undefined
      const read = isPlain ? readMembers(attributes, raw, '', faults) : readWrapped(attributes, raw, faults)
      requireNoFaults(faults)
      return { attributes: read as Values<A>, pointer: isPlain ? '' : '/data/attributes' }
    },
    sentPointer: sentPointerIn({ attributes }),
  }
}

function readWrapped<A extends AttributeShape>(
  attributes: A,
  raw: Record<string, unknown>,
  faults: Fault[],
): Partial<Values<A>> {
  const data = raw.data === null ? {} : asObject(raw.data)
  if (!data) {
    addFault(faults, { pointer: '/data', label: 'Data' }, 'must be an object')
    return {}
  }
  return readPart(attributes, data, 'attributes', faults)
}

/** Refuses a document whose `data.id` names another resource than the address does. */
export function requireSameId(body: { readonly id: string | undefined }, ...ids: readonly string[]): void {
  if (body.id === undefined || ids.includes(body.id)) return
  const detail = 'The id in the document is not that of the addressed resource.'
  throw failure('conflict', 'document.id-mismatch', detail, { faults: [{ detail, pointer: '/data/id' }] })
}
