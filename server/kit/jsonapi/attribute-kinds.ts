import { type TSchema, Type } from 'typebox'
import { type Instant, parseInstant } from '../../kernel/clock.ts'
import type { Fault } from '../../kernel/failure.ts'
import { type Attribute, type AttributeShape, asObject, readMembers, schemaOf, type Values } from './attributes.ts'
import { addFault, type Place } from './faults.ts'

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
