import { type TSchema, Type } from 'typebox'
import type { Fault } from '../../kernel/failure.ts'
import { toModelName } from '../model.ts'
import { type Attribute, type AttributeShape, asObject, readMembers, schemaOf, type Values } from './attributes.ts'
import { addFault, type Place } from './faults.ts'

/** An item of a list that may bring attributes: an existing resource by id, or a new one described. */
export type Item<S extends AttributeShape = Record<never, never>> = {
  readonly id: string | undefined
  readonly attributes: Values<S>
}

/** What the items of a list must bring. */
export type ItemRules<S extends AttributeShape> = {
  readonly attributes?: S
  /** `optional`: no type at all is taken for the one there can be; generated clients leave it out. */
  readonly type?: 'required' | 'optional'
  /**
   * `required`, as without attributes: each item names an existing resource. `optional`, as with them: an id says nothing.
   * `instead`: an item that names an existing resource need not describe it.
   */
  readonly id?: 'required' | 'optional' | 'instead'
}

/** The schema of `{ type, id }`. */
const identifierSchema = (types: readonly string[]): TSchema =>
  Type.Object(
    { type: typeSchema(types), id: Type.String({ description: 'Identifier of the related resource.' }) },
    { title: `${nameOf(types)}Identifier` },
  )

const nameOf = (types: readonly string[]): string => types.map(toModelName).join('Or')

/** The schema of `type`, one of few. */
export const typeSchema = (types: readonly string[]): TSchema =>
  types.length === 1
    ? Type.Literal(types[0] as string)
    : Type.Union(
        types.map((type) => Type.Literal(type)),
        { description: 'Kind of the resource.' },
      )

/** Checks `data.type`; the fault points at it. */
export function readType(types: readonly string[], raw: unknown, pointer: string, faults: Fault[]): string | undefined {
  const at = { pointer: `${pointer}/type`, label: 'Type' }
  if (isBlank(raw)) return addFault(faults, at, `can't be blank; send ${quoted(types)}`)
  return types.find((type) => type === raw) ?? addFault(faults, at, `must be ${quoted(types)}`)
}

/** True for what stands for nothing in an identifier: it is absent, null or empty. */
export const isBlank = (raw: unknown): boolean => raw === undefined || raw === null || raw === ''

const quoted = (types: readonly string[]): string => types.map((type) => `"${type}"`).join(' or ')

/** Reads an identifier; blank counts as absent. */
export function readId(raw: unknown, pointer: string, faults: Fault[]): string | undefined {
  if (isBlank(raw)) return undefined
  if (typeof raw === 'string' && !raw.includes('\u0000')) return raw
  return addFault(faults, { pointer: `${pointer}/id`, label: 'Id' }, 'must be a string')
}

/** Reads one item of a list; its pointer ends in its index. */
export function readItem<S extends AttributeShape>(
  types: readonly string[],
  rules: ItemRules<S>,
  raw: unknown,
  pointer: string,
  faults: Fault[],
): Item<S> | undefined {
  const found = asObject(raw)
  if (!found) return addFault(faults, { pointer, label: 'The entry' }, 'must be an object with type and id')
  const before = faults.length
  if (rules.type !== 'optional' || !isBlank(found.type)) readType(types, found.type, pointer, faults)
  const id = readId(found.id, pointer, faults)
  const idRequired = (rules.id ?? (rules.attributes ? 'optional' : 'required')) === 'required'
  if (idRequired && id === undefined && faults.length === before) {
    addFault(faults, { pointer: `${pointer}/id`, label: 'Id' }, "can't be blank")
  }
  const attributes = readItemAttributes(rules, found.attributes, id, pointer, faults)
  return faults.length > before ? undefined : { id, attributes }
}

function readItemAttributes<S extends AttributeShape>(
  rules: ItemRules<S>,
  raw: unknown,
  id: string | undefined,
  pointer: string,
  faults: Fault[],
): Values<S> {
  const isNamed = rules.id === 'instead' && id !== undefined
  if (!rules.attributes || isNamed) return {} as Values<S>
  const found = raw === undefined ? {} : asObject(raw)
  const at = `${pointer}/attributes`
  if (!found) return addFault(faults, { pointer: at, label: 'Attributes' }, 'must be an object') as never
  return readMembers(rules.attributes, found, at, faults) as Values<S>
}

type RelationOptions<N extends boolean, R extends boolean> = { readonly nullable?: N; readonly required?: R }

const dataSchema = (schema: TSchema, title: string, description: string): TSchema =>
  Type.Object({ data: schema }, { title, description })

/** `data` of a relationship; undefined when the member is not there, which leaves things as they are. */
function dataOf(raw: unknown, at: Place, faults: Fault[]): { readonly data: unknown } | undefined {
  const found = asObject(raw)
  if (!found) return addFault(faults, at, 'must be an object with data')
  return 'data' in found ? { data: found.data } : undefined
}

function one<const N extends boolean = false, const R extends boolean = false>(
  type: string,
  description: string,
  options: RelationOptions<N, R> = {},
): Attribute<N extends true ? string | null : string, R> {
  type Value = N extends true ? string | null : string
  const read = (raw: unknown, at: Place, faults: Fault[]): Value | undefined => {
    const found = dataOf(raw, at, faults)
    if (!found) return undefined
    const pointer = `${at.pointer}/data`
    if (found.data === null && options.nullable) return null as Value
    if (found.data === null) return addFault(faults, { ...at, pointer }, "can't be blank")
    // `{ id: null }` names nothing, as clients write it who fill in a form of the identifier.
    const named = options.nullable && asObject(found.data)?.id === null ? 'optional' : 'required'
    const item = readItem([type], { type: 'optional', id: named }, found.data, pointer, faults)
    return item && ((item.id ?? null) as Value)
  }
  const identifier = identifierSchema([type])
  const named = `${toModelName(type)}${options.nullable ? 'OrNothing' : ''}`
  const data = options.nullable ? Type.Union([identifier, Type.Null()]) : identifier
  const schema = dataSchema(data, `RelatedTo${named}`, description)
  return { schema, required: (options.required ?? false) as R, aliases: [], read }
}

/** What a relationship to one of several kinds of resources names. */
export type Related<T extends string> = { readonly type: T; readonly id: string }

function either<const T extends string>(types: readonly T[], description: string): Attribute<Related<T>, false> {
  const read = (raw: unknown, at: Place, faults: Fault[]): Related<T> | undefined => {
    const found = dataOf(raw, at, faults)
    if (!found) return undefined
    const pointer = `${at.pointer}/data`
    const named = asObject(found.data)
    const item = readItem(types, {}, found.data, pointer, faults)
    return item && { type: named?.type as T, id: item.id as string }
  }
  const schema = dataSchema(identifierSchema(types), `RelatedTo${nameOf(types)}`, description)
  return { schema, required: false, aliases: [], read }
}

function items<S extends AttributeShape = Record<never, never>, R extends boolean = false>(
  type: string,
  description: string,
  options: ItemRules<S> & { readonly required?: R } = {},
): Attribute<readonly Item<S>[], R> {
  const read = (raw: unknown, at: Place, faults: Fault[]): readonly Item<S>[] | undefined => {
    const found = dataOf(raw, at, faults)
    if (!found) return undefined
    const pointer = `${at.pointer}/data`
    if (!Array.isArray(found.data)) return addFault(faults, { ...at, pointer }, 'must be a list')
    const before = faults.length
    const entries = found.data.map((each, index) => readItem([type], options, each, `${pointer}/${index}`, faults))
    return faults.length > before ? undefined : (entries as Item<S>[])
  }
  const schema = dataSchema(Type.Array(itemSchema([type], options)), `RelatedTo${toModelName(type)}s`, description)
  return { schema, required: (options.required ?? false) as R, aliases: [], read }
}

/** The schema of one item of a list. */
export const itemSchema = (types: readonly string[], rules: ItemRules<AttributeShape>): TSchema =>
  rules.attributes
    ? Type.Object({
        type: typeSchema(types),
        id: Type.Optional(Type.String({ description: 'Identifier of an existing resource.' })),
        attributes: Type.Optional(schemaOf(rules.attributes)),
      })
    : identifierSchema(types)

/**
 * The kinds of relationships a document may carry: `one` reads into an id, `either` into a type and an id, `items` into a
 * list of items.
 */
export const relation = { one, either, items } as const
