import { type TSchema, Type } from 'typebox'
import { type Instant, parseInstant } from '../../kernel/clock.ts'
import type { Fault } from '../../kernel/failure.ts'
import { addFault, type Place } from './faults.ts'
import { foldKey, labelOf, toKebab } from './key-spelling.ts'

/**
 * A member of a document that callers may send: how it is described, and how its JSON is read. Names are declared in
 * camel case (`autoApply`) and are in kebab case on the wire (`auto-apply`). Omitted members are absent from what is
 * read; null is kept apart from omitted where a member is `nullable`, and is a fault elsewhere.
 */
export type Attribute<T, R extends boolean = boolean> = {
  readonly schema: TSchema
  /** Absent, null and blank are faults. */
  readonly required: R
  /** Further names on the wire, such as those other products chose. */
  readonly aliases: readonly string[]
  /** The members of an object. */
  readonly members?: AttributeShape
  /** The value, or undefined after noting faults. */
  readonly read: (raw: unknown, at: Place, faults: Fault[]) => T | undefined
}

/** Attributes by their names in code. */
export type AttributeShape = Readonly<Record<string, Attribute<unknown>>>

type ValueOf<A> = A extends Attribute<infer T> ? T : never
type RequiredKeys<S> = { [K in keyof S]: S[K] extends Attribute<unknown, true> ? K : never }[keyof S]

/** What a shape reads into: required members present, all others maybe. */
export type Values<S extends AttributeShape> = { readonly [K in RequiredKeys<S>]: ValueOf<S[K]> } & {
  readonly [K in Exclude<keyof S, RequiredKeys<S>>]?: ValueOf<S[K]>
}

/** Options common to all attributes. */
type AttributeOptions<T, N extends boolean, R extends boolean> = {
  readonly nullable?: N
  readonly required?: R
  readonly aliases?: readonly string[]
  readonly example?: unknown
  readonly default?: unknown
  /** What is wrong with a value of the right type, as "may contain only …"; undefined when it is fine. */
  readonly check?: (value: T) => string | undefined
}

type Nullable<T, N extends boolean> = N extends true ? T | null : T
type Kind<T> = { readonly schema: TSchema; readonly expected: string; readonly read: (raw: unknown) => T | undefined }

function define<T, N extends boolean, R extends boolean>(
  kind: Kind<T>,
  description: string,
  options: AttributeOptions<T, N, R>,
): Attribute<Nullable<T, N>, R> {
  const { nullable, required, aliases = [], check } = options
  const read = (raw: unknown, at: Place, faults: Fault[]): Nullable<T, N> | undefined => {
    if (raw === null && nullable) return null as Nullable<T, N>
    if (required && (raw === null || raw === '')) return addFault(faults, at, "can't be blank")
    const value = kind.read(raw)
    if (value === undefined) return addFault(faults, at, nullable ? `${kind.expected}, or null` : kind.expected)
    const wrong = check?.(value)
    return wrong === undefined ? (value as Nullable<T, N>) : addFault(faults, at, wrong)
  }
  return { schema: describe(kind.schema, description, options), required: (required ?? false) as R, aliases, read }
}

function describe(schema: TSchema, description: string, options: AttributeOptions<never, boolean, boolean>): TSchema {
  const extras = {
    description,
    ...(options.example === undefined ? {} : { examples: [options.example] }),
    ...(options.default === undefined ? {} : { default: options.default }),
  }
  return options.nullable ? Type.Union([schema, Type.Null()], extras) : { ...schema, ...extras }
}

type TextOptions<N extends boolean, R extends boolean> = AttributeOptions<string, N, R> & {
  readonly maxLength?: number
}

const readText = (raw: unknown): string | undefined => (typeof raw === 'string' ? raw : undefined)

/** Characters, not code units, as JSON Schema counts: a character outside the basic plane takes two units. */
const isLonger = (value: string, max: number): boolean =>
  value.length > max && (value.length > 2 * max || Array.from(value).length > max)

const checkText =
  (maxLength: number | undefined, check: ((value: string) => string | undefined) | undefined) =>
  (value: string): string | undefined => {
    // PostgreSQL cannot store it.
    if (value.includes('\u0000')) return 'must not contain NUL characters'
    const isTooLong = maxLength !== undefined && isLonger(value, maxLength)
    return isTooLong ? `is too long, the maximum is ${maxLength} characters` : check?.(value)
  }

const text = <const N extends boolean = false, const R extends boolean = false>(
  description: string,
  options: TextOptions<N, R> = {},
): Attribute<Nullable<string, N>, R> => {
  const { maxLength } = options
  const schema = Type.String(maxLength === undefined ? {} : { maxLength })
  const check = checkText(maxLength, options.check)
  return define({ schema, expected: 'must be a string', read: readText }, description, { ...options, check })
}

const flag = <const N extends boolean = false, const R extends boolean = false>(
  description: string,
  options: AttributeOptions<boolean, N, R> = {},
): Attribute<Nullable<boolean, N>, R> => {
  const read = (raw: unknown) => (typeof raw === 'boolean' ? raw : undefined)
  return define({ schema: Type.Boolean(), expected: 'must be true or false', read }, description, options)
}

type WholeOptions<N extends boolean, R extends boolean> = AttributeOptions<number, N, R> & {
  readonly minimum?: number
  readonly maximum?: number
}

const whole = <const N extends boolean = false, const R extends boolean = false>(
  description: string,
  options: WholeOptions<N, R> = {},
): Attribute<Nullable<number, N>, R> => {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = options
  const check = (value: number) => {
    if (value < minimum) return `must be at least ${minimum}`
    return value > maximum ? `must be at most ${maximum}` : options.check?.(value)
  }
  const read = (raw: unknown) => (Number.isInteger(raw) ? (raw as number) : undefined)
  const kind = { schema: Type.Integer({ minimum, maximum }), expected: 'must be a whole number', read }
  return define(kind, description, { ...options, check })
}

const choice = <const V extends string, const N extends boolean = false, const R extends boolean = false>(
  description: string,
  values: readonly V[],
  options: AttributeOptions<V, N, R> = {},
): Attribute<Nullable<V, N>, R> => {
  const schema = Type.Union(values.map((value) => Type.Literal(value)))
  const read = (raw: unknown) => values.find((value) => value === raw)
  return define({ schema, expected: `must be ${listOf(values)}`, read }, description, options)
}

const listOf = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const time = <const N extends boolean = false, const R extends boolean = false>(
  description: string,
  options: AttributeOptions<Instant, N, R> = {},
): Attribute<Nullable<Instant, N>, R> => {
  const schema = Type.String({ format: 'date-time' })
  const read = (raw: unknown) => (typeof raw === 'string' ? parseInstant(raw) : undefined)
  return define({ schema, expected: 'must be an ISO 8601 timestamp', read }, description, options)
}

const object = <S extends AttributeShape, const N extends boolean = false, const R extends boolean = false>(
  description: string,
  shape: S,
  options: AttributeOptions<Values<S>, N, R> = {},
): Attribute<Nullable<Values<S>, N>, R> => {
  const kind = { schema: schemaOf(shape), expected: 'must be an object', read: asObject }
  const outer = define(kind, description, { ...options, check: undefined })
  const read = (raw: unknown, at: Place, faults: Fault[]) => {
    const found = outer.read(raw, at, faults)
    if (found === undefined || found === null) return found as Nullable<Values<S>, N> | undefined
    const before = faults.length
    const values = readMembers(shape, found as Record<string, unknown>, at.pointer, faults) as Values<S>
    if (faults.length > before) return undefined
    const wrong = options.check?.(values)
    return wrong === undefined ? (values as Nullable<Values<S>, N>) : addFault(faults, at, wrong)
  }
  return { schema: outer.schema, required: outer.required, aliases: outer.aliases, members: shape, read }
}

const list = <T, const N extends boolean = false, const R extends boolean = false>(
  description: string,
  item: Attribute<T>,
  options: AttributeOptions<readonly T[], N, R> & { readonly maxItems?: number } = {},
): Attribute<Nullable<readonly T[], N>, R> => {
  const { maxItems = 10_000 } = options
  const read = (raw: unknown) => (Array.isArray(raw) ? (raw as readonly unknown[]) : undefined)
  const kind = { schema: Type.Array(item.schema, { maxItems }), expected: 'must be a list', read }
  const outer = define(kind, description, { ...options, check: undefined })
  const readItems = (raw: unknown, at: Place, faults: Fault[]) => {
    const found = outer.read(raw, at, faults)
    if (found === undefined || found === null) return found as Nullable<readonly T[], N> | undefined
    if (found.length > maxItems) return addFault(faults, at, `may have at most ${maxItems} entries`)
    const before = faults.length
    const items = found.map((each, index) => item.read(each, entryPlace(at, index), faults) as T)
    if (faults.length > before) return undefined
    const wrong = options.check?.(items)
    return wrong === undefined ? (items as unknown as Nullable<readonly T[], N>) : addFault(faults, at, wrong)
  }
  return { schema: outer.schema, required: outer.required, aliases: outer.aliases, read: readItems }
}

const entryPlace = (at: Place, index: number): Place => ({
  pointer: `${at.pointer}/${index}`,
  label: `${at.label}, entry ${index + 1},`,
})

/** The kinds of attributes. */
export const attribute = { text, flag, whole, choice, time, object, list } as const

/** The value if it is an object; lists and null are none. */
export const asObject = (raw: unknown): Record<string, unknown> | undefined =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : undefined

type Member = {
  readonly name: string
  readonly key: string
  readonly label: string
  /** Every spelling it is known by, folded. */
  readonly spellings: readonly string[]
  readonly attribute: Attribute<unknown>
}

const known = new WeakMap<AttributeShape, readonly Member[]>()

/** The members of a shape with their names in every form: made once, since every write reads some shape. */
export function membersOf(shape: AttributeShape): readonly Member[] {
  const found = known.get(shape)
  if (found) return found
  const members = Object.entries(shape).map(([name, attribute]) => {
    const key = toKebab(name)
    return { name, key, label: labelOf(key), spellings: [key, ...attribute.aliases].map(foldKey), attribute }
  })
  known.set(shape, members)
  return members
}

/** Reads the declared members of an object and ignores all others; faulty ones are left out of the result. */
export function readMembers<S extends AttributeShape>(
  shape: S,
  raw: Record<string, unknown>,
  pointer: string,
  faults: Fault[],
): Partial<Values<S>> {
  const sent = new Map<string, unknown[]>()
  for (const [key, value] of Object.entries(raw)) {
    const folded = foldKey(key)
    const spellings = sent.get(folded)
    if (spellings) spellings.push(value)
    else sent.set(folded, [value])
  }
  const values: Record<string, unknown> = {}
  for (const { name, key, label, spellings, attribute } of membersOf(shape)) {
    const given = spellings.flatMap((spelling) => sent.get(spelling) ?? [])
    const value = readGiven(attribute, given, { pointer: `${pointer}/${key}`, label }, faults)
    if (value !== undefined) values[name] = value
  }
  return values as Partial<Values<S>>
}

function readGiven(member: Attribute<unknown>, given: readonly unknown[], at: Place, faults: Fault[]): unknown {
  if (given.length === 0) return member.required ? addFault(faults, at, "can't be blank") : undefined
  if (given.length > 1 && !areEqual(given)) {
    return addFault(faults, at, 'is given twice, under different spellings and with different values')
  }
  const before = faults.length
  const value = member.read(given[0], at, faults)
  // A relationship without `data` says nothing: right for a change, but no answer to what has to be said.
  const isUnsaid = value === undefined && faults.length === before
  return member.required && isUnsaid ? addFault(faults, at, "can't be blank") : value
}

const areEqual = (values: readonly unknown[]): boolean =>
  new Set(values.map((value) => JSON.stringify(value))).size === 1

/** The schema of an object with these members, for the OpenAPI document. */
export function schemaOf(shape: AttributeShape): TSchema {
  const members = Object.entries(shape).map(([name, { schema, required }]) => [
    toKebab(name),
    required ? schema : Type.Optional(schema),
  ])
  return Type.Object(Object.fromEntries(members))
}
