import { type TSchema, Type } from 'typebox'
import type { Fault } from '../../kernel/failure.ts'
import { addFault, type Place } from './faults.ts'

/** The wire spelling of a declared name: `autoApply` is `auto-apply`. */
export const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Folds the spellings clients use for one key (`auto-apply`, `auto_apply`, `autoApply`) into the first. */
export const foldKey = (key: string): string =>
  key
    .replaceAll('_', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

/** A key in the words of an error: `agent-pool-id` is "Agent pool id". */
const labelOf = (key: string): string => {
  const words = key.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

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

/** What an attribute reads into. */
export type ValueOf<A> = A extends Attribute<infer T> ? T : never
/** The members of a shape that have to be sent. */
export type RequiredKeys<S extends AttributeShape> = {
  [K in keyof S]: S[K]['required'] extends true ? K : never
}[keyof S]

/** What a shape reads into: required members present, all others maybe. */
export type Values<S extends AttributeShape> = { readonly [K in RequiredKeys<S>]: ValueOf<S[K]> } & {
  readonly [K in Exclude<keyof S, RequiredKeys<S>>]?: ValueOf<S[K]>
}

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

/** Reads the declared members of an object and passes over all others; faulty ones are left out of the result. */
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
  const members = Object.entries(shape).map(([name, { schema, required, aliases }]) => {
    const named = aliases.length === 0 ? schema : { ...schema, 'x-aliases': aliases }
    return [toKebab(name), required ? named : Type.Optional(named)]
  })
  return Type.Object(Object.fromEntries(members))
}
