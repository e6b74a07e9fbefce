import { type Instant, maybeIso, toIso } from '../kernel/clock.ts'
import { bit, maybeBit } from '../storage/bits.ts'

/**
 * How a column and a document hold the value of a field. These are methods, since the parameters of methods are compared
 * both ways: fields of different types then fit one shape.
 */
export interface Codec<T, Column> {
  fromColumn(column: Column): T
  toColumn(value: T): Column
  toDocument(value: T): unknown
}

/** The conversion of what is the same on both sides. */
export const asIs = <T>(value: T): T => value

/** Texts, numbers, and whatever else is the same everywhere. */
export const plainCodec: Codec<unknown, unknown> = { fromColumn: asIs, toColumn: asIs, toDocument: asIs }

/** Flags are 0 or 1 in columns. */
export const flagCodec: Codec<boolean, number> = {
  fromColumn: (column) => column === 1,
  toColumn: bit,
  toDocument: asIs,
}

/** The same for a flag that may be unset. */
export const maybeFlagCodec: Codec<boolean | null, number | null> = {
  fromColumn: (column) => (column === null ? null : column === 1),
  toColumn: maybeBit,
  toDocument: asIs,
}

/** Times are milliseconds in columns and texts in documents. */
export const timeCodec = { fromColumn: asIs, toColumn: asIs, toDocument: toIso } as Codec<Instant, number>

/** The same for a time that may be absent. */
export const maybeTimeCodec = { ...timeCodec, toDocument: maybeIso } as Codec<Instant | null, number | null>

/** Lists are JSON in columns. Most are empty, and parsing takes time. */
export const listCodec: Codec<readonly unknown[], string> = {
  fromColumn: (column) => (column === '[]' ? [] : (JSON.parse(column) as unknown[])),
  toColumn: (value) => JSON.stringify(value),
  toDocument: asIs,
}

/** The same for a list that may be absent. */
export const maybeListCodec: Codec<readonly unknown[] | null, string | null> = {
  fromColumn: (column) => (column === null ? null : listCodec.fromColumn(column)),
  toColumn: (value) => (value === null ? null : listCodec.toColumn(value)),
  toDocument: asIs,
}

/** A member of an object that is made of another: of the member with the name `from`, or of all of it. */
export type MadeMember = {
  readonly key: string
  readonly from?: string
  readonly convert: (value: never) => unknown
}

/**
 * The function that makes objects with these members out of others. It is compiled from one object literal, so that V8
 * knows the layout of what it makes (docs/decisions/0018); the names are those of our own fields.
 */
export function compile<From, To>(members: readonly MadeMember[]): (source: From) => To {
  const entries = members.map(({ key, from, convert }, index) => {
    const value = from === undefined ? 'source' : `source[${JSON.stringify(from)}]`
    return `${JSON.stringify(key)}: ${convert === asIs ? value : `convert${index}(${value})`}`
  })
  const names = members.map((_, index) => `convert${index}`)
  const make = new Function(...names, `return (source) => ({ ${entries.join(', ')} })`)
  return make(...members.map(({ convert }) => convert))
}
