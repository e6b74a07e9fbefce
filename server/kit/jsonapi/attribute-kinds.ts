import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import { type Instant, parseInstant } from '../../kernel/clock.ts'
import type { Fault } from '../../kernel/failure.ts'
import {
  type Codec,
  flagCodec,
  listCodec,
  maybeFlagCodec,
  maybeListCodec,
  maybeTimeCodec,
  plainCodec,
  timeCodec,
} from '../codecs.ts'
import type { DescribedField } from '../field-set.ts'
import { type Attribute, type AttributeShape, asObject, readMembers, schemaOf, type Values } from './attributes.ts'
import { addFault, type Place } from './faults.ts'

/** Options common to all attributes. */
type AttributeOptions<T> = {
  readonly nullable?: boolean
  readonly required?: boolean
  readonly aliases?: readonly string[]
  readonly example?: unknown
  /** The value unless another is sent. Where null may be sent, it sets back to this. */
  readonly default?: T
  /** What is wrong with a value of the right type, as "may contain only …"; undefined when it is fine. */
  readonly check?: (value: T) => string | undefined
  /** What answers say about it, if not the same; false if they do not show it. */
  readonly shown?: string | false
  /** Its column, if that has another name. */
  readonly column?: string
}

type OrNull<O> = O extends { readonly nullable: true } ? null : never
type IsRequired<O> = O extends { readonly required: true } ? true : false
type HasDefault = { readonly default: unknown }

/** An attribute that is stored and shown; its options `O` decide whether it can be null, and what it is at first. */
export interface Field<T, Column, O> extends Attribute<T | OrNull<O>, IsRequired<O>>, DescribedField {
  readonly codec: Codec<O extends HasDefault ? T : T | OrNull<O>, O extends HasDefault ? Column : Column | OrNull<O>>
  readonly initial: O extends HasDefault ? T : O extends { readonly nullable: true } ? null : undefined
  readonly column: O extends { readonly column: infer C extends string } ? C : undefined
}

/** How the values of a kind are described and read. */
type SentKind<T> = {
  readonly schema: TSchema
  readonly expected: string
  readonly read: (raw: unknown) => T | null | undefined
}

/** How a kind is sent, stored and shown. */
type Kind<T> = SentKind<T> & {
  readonly shown: TSchema
  readonly codec: Codec<unknown, unknown>
  /** The codec of values that may be null. */
  readonly maybeCodec: Codec<unknown, unknown>
}

function attributeOf<T, const O extends AttributeOptions<T>>(
  kind: SentKind<T>,
  description: string,
  options: O,
): Attribute<T | OrNull<O>, IsRequired<O>> {
  const { nullable = false, required = false, aliases = [], check } = options
  const read = (raw: unknown, at: Place, faults: Fault[]): T | null | undefined => {
    if (raw === null && nullable) return null
    if (required && (raw === null || raw === '')) return addFault(faults, at, "can't be blank")
    const value = kind.read(raw)
    if (value === undefined) return addFault(faults, at, nullable ? `${kind.expected}, or null` : kind.expected)
    const wrong = value === null ? undefined : check?.(value)
    return wrong === undefined ? value : addFault(faults, at, wrong)
  }
  const extras = {
    ...(options.example === undefined ? {} : { examples: [options.example] }),
    ...(options.default === undefined ? {} : { default: options.default }),
  }
  const schema = describe(kind.schema, nullable, { description, ...extras })
  return { schema, required, aliases, read } as Attribute<T | OrNull<O>, IsRequired<O>>
}

const describe = (schema: TSchema, nullable: boolean, about: TSchemaOptions): TSchema =>
  nullable ? Type.Union([schema, Type.Null()], about) : { ...schema, ...about }

function fieldOf<T, Column, const O extends AttributeOptions<T>>(
  kind: Kind<T>,
  description: string,
  options: O,
): Field<T, Column, O> {
  const { shown = description, column } = options
  const holdsNull = options.nullable === true && options.default === undefined
  return {
    ...attributeOf(kind, description, options),
    codec: holdsNull ? kind.maybeCodec : kind.codec,
    shown: shown === false ? undefined : describe(kind.shown, holdsNull, { description: shown }),
    initial: holdsNull ? null : options.default,
    column,
  } as DescribedField as Field<T, Column, O>
}

const plain = { codec: plainCodec, maybeCodec: plainCodec }

type TextOptions = AttributeOptions<string> & {
  readonly maxLength?: number
  /** True if an empty text is taken for null. */
  readonly emptyIsNull?: boolean
}

/** Characters, not code units, as JSON Schema counts: a character outside the basic plane takes two units. */
const isLonger = (value: string, max: number): boolean =>
  value.length > max && (value.length > 2 * max || Array.from(value).length > max)

const checkText =
  ({ maxLength, check }: TextOptions) =>
  (value: string): string | undefined => {
    // PostgreSQL cannot store it.
    if (value.includes('\u0000')) return 'must not contain NUL characters'
    const isTooLong = maxLength !== undefined && isLonger(value, maxLength)
    return isTooLong ? `is too long, the maximum is ${maxLength} characters` : check?.(value)
  }

function text<const O extends TextOptions>(description: string, options?: O): Field<string, string, O> {
  const { maxLength, emptyIsNull }: TextOptions = options ?? {}
  const read = (raw: unknown) => (raw === '' && emptyIsNull ? null : typeof raw === 'string' ? raw : undefined)
  const schema = Type.String(maxLength === undefined ? {} : { maxLength })
  const kind = { schema, expected: 'must be a string', read, shown: Type.String(), ...plain }
  return fieldOf(kind, description, { ...options, check: checkText(options ?? {}) } as O)
}

function flag<const O extends AttributeOptions<boolean>>(description: string, options?: O): Field<boolean, number, O> {
  const read = (raw: unknown) => (typeof raw === 'boolean' ? raw : undefined)
  const codecs = { codec: flagCodec, maybeCodec: maybeFlagCodec }
  const kind = { schema: Type.Boolean(), expected: 'must be true or false', read, shown: Type.Boolean(), ...codecs }
  return fieldOf(kind, description, options ?? ({} as O))
}

type WholeOptions = AttributeOptions<number> & { readonly minimum?: number; readonly maximum?: number }

function whole<const O extends WholeOptions>(description: string, options?: O): Field<number, number, O> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: WholeOptions = options ?? {}
  const check = (value: number) => {
    if (value < minimum) return `must be at least ${minimum}`
    return value > maximum ? `must be at most ${maximum}` : options?.check?.(value)
  }
  const read = (raw: unknown) => (Number.isInteger(raw) ? (raw as number) : undefined)
  const schema = Type.Integer({ minimum, maximum })
  const kind = { schema, expected: 'must be a whole number', read, shown: Type.Integer(), ...plain }
  return fieldOf(kind, description, { ...options, check } as O)
}

function choice<const V extends string, const O extends AttributeOptions<V>>(
  description: string,
  values: readonly V[],
  options?: O,
): Field<V, string, O> {
  const schema = Type.Union(values.map((value) => Type.Literal(value)))
  const read = (raw: unknown) => values.find((value) => value === raw)
  const kind = { schema, expected: `must be ${listOf(values)}`, read, shown: Type.String(), ...plain }
  return fieldOf(kind, description, options ?? ({} as O))
}

const listOf = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

function time<const O extends AttributeOptions<Instant>>(description: string, options?: O): Field<Instant, number, O> {
  const schema = Type.String({ format: 'date-time' })
  const read = (raw: unknown) => (typeof raw === 'string' ? parseInstant(raw) : undefined)
  const codecs = { codec: timeCodec, maybeCodec: maybeTimeCodec }
  const kind = { schema, expected: 'must be an ISO 8601 timestamp', read, shown: schema, ...codecs }
  return fieldOf(kind, description, options ?? ({} as O))
}

function object<S extends AttributeShape, const O extends AttributeOptions<Values<S>>>(
  description: string,
  shape: S,
  options?: O,
): Attribute<Values<S> | OrNull<O>, IsRequired<O>> {
  const kind = { schema: schemaOf(shape), expected: 'must be an object', read: asObject }
  const outer = attributeOf(kind, description, { ...options, default: undefined, check: undefined })
  const read = (raw: unknown, at: Place, faults: Fault[]) => {
    const found = outer.read(raw, at, faults)
    if (found === undefined || found === null) return found
    const before = faults.length
    const values = readMembers(shape, found as Record<string, unknown>, at.pointer, faults) as Values<S>
    if (faults.length > before) return undefined
    const wrong = options?.check?.(values)
    return wrong === undefined ? values : addFault(faults, at, wrong)
  }
  return { ...outer, members: shape, read } as Attribute<unknown> as Attribute<Values<S> | OrNull<O>, IsRequired<O>>
}

type ListOptions<T> = AttributeOptions<readonly T[]> & { readonly maxItems?: number }

function list<T, const O extends ListOptions<T>>(
  description: string,
  item: Attribute<T>,
  options?: O,
): Field<readonly T[], string, O> {
  const { maxItems = 10_000, check }: ListOptions<T> = options ?? {}
  const kind = {
    schema: Type.Array(item.schema, { maxItems }),
    expected: 'must be a list',
    read: (raw: unknown) => (Array.isArray(raw) ? (raw as readonly T[]) : undefined),
    shown: Type.Array('type' in item.schema && item.schema.type === 'string' ? Type.String() : item.schema),
    codec: listCodec,
    maybeCodec: maybeListCodec,
  }
  const outer = fieldOf<readonly T[], string, O>(kind, description, { ...options, check: undefined } as O)
  const read = (raw: unknown, at: Place, faults: Fault[]) => {
    const found = outer.read(raw, at, faults)
    if (found === undefined || found === null) return found
    if (found.length > maxItems) return addFault(faults, at, `may have at most ${maxItems} entries`)
    const before = faults.length
    const items = found.map((each, index) => item.read(each, entryPlace(at, index), faults) as T)
    if (faults.length > before) return undefined
    const wrong = check?.(items)
    return wrong === undefined ? items : addFault(faults, at, wrong)
  }
  return { ...outer, read } as Field<readonly T[], string, O>
}

const entryPlace = (at: Place, index: number): Place => ({
  pointer: `${at.pointer}/${index}`,
  label: `${at.label}, entry ${index + 1},`,
})

/** The kinds of attributes. All but objects can be stored: then their options say how. */
export const attribute = { text, flag, whole, choice, time, object, list } as const

/** A choice whose values have other names outside: `names` says what each that is sent and shown is called here. */
export function spelled<Theirs extends string, Ours extends string, O extends object>(
  field: Field<Theirs, string, O>,
  names: Readonly<Record<Theirs, Ours>>,
): Field<Ours, string, O> {
  const theirs = new Map(Object.entries(names).map(([name, ours]) => [ours, name]))
  const ours = (value: unknown) => (names as Readonly<Record<string, unknown>>)[String(value)] ?? value
  const read = (raw: unknown, at: Place, faults: Fault[]) => ours(field.read(raw, at, faults))
  const toDocument = (value: unknown) => theirs.get(value) ?? value
  const spelledField: unknown = { ...field, read, initial: ours(field.initial), codec: { ...field.codec, toDocument } }
  return spelledField as Field<Ours, string, O>
}
