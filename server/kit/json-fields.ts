import { type Static, type TSchema, Type } from 'typebox'
import { asIs, compile } from './codecs.ts'
import { type SnakeCase, toSnake } from './field-set.ts'
import type { FieldKind, FieldSchema } from './fields.ts'

/** Fields of a `/v1` write by their names in code. */
type WriteFields = Readonly<Record<string, TSchema>>

/** What turns a field as it was sent into what is stored; it may refuse it. */
type Conversions<F extends WriteFields> = { readonly [K in keyof F]?: (sent: Static<F[K]>) => unknown }

type Options<F extends WriteFields, N, C> = {
  /** The names on the wire of those fields that are not called the same there. */
  readonly names?: N
  readonly stored?: C & Conversions<F>
}

type NameOf<K extends string, N> = K extends keyof N ? (N[K] extends string ? N[K] : never) : SnakeCase<K>
type ReadonlyList<T> = T extends readonly (infer E)[] ? readonly E[] : T
type StoredAs<F extends TSchema, C> = C extends (sent: never) => infer T ? T : ReadonlyList<Static<F>>

/** What code holds of such fields. */
type Held<F extends WriteFields, C> = { readonly [K in keyof F]: StoredAs<F[K], K extends keyof C ? C[K] : undefined> }

/** Fields of a `/v1` document that lie in one column of JSON, described once. */
export interface JsonFields<F extends WriteFields, N = unknown, C = unknown> {
  /** The fields of a write, by their names on the wire. */
  readonly body: { readonly [K in keyof F & string as NameOf<K, N>]: F[K] }
  /** The schemas of a read, by the same names. */
  readonly shown: { readonly [K in keyof F & string as NameOf<K, N>]: TSchema }
  /** What each is before anybody sets it: its default, or nothing of its kind. */
  readonly initial: { readonly [K in keyof F]: ReadonlyList<Static<F[K]>> }
  /** The fields as they are read. */
  toDocument(stored: Held<F, C>): Record<string, unknown>
  /** The fields that were sent, as they are stored; all others keep what is stored. */
  given(sent: { readonly [K in keyof F & string as NameOf<K, N>]?: Static<F[K]> | undefined }): Partial<Held<F, C>>
}

/** What code holds of a set of such fields. */
export type HeldBy<S> = S extends JsonFields<infer F, infer _N, infer C> ? Held<F, C> : never

type Kind = { readonly shown: TSchema; readonly blank: unknown }

const kinds: Readonly<Record<FieldKind, Kind>> = {
  text: { shown: Type.String(), blank: '' },
  flag: { shown: Type.Boolean(), blank: false },
  whole: { shown: Type.Integer(), blank: 0 },
  seconds: { shown: Type.Integer(), blank: 0 },
  list: { shown: Type.Array(Type.String()), blank: [] },
  'text-map': { shown: Type.Record(Type.String(), Type.String()), blank: {} },
  object: { shown: Type.Record(Type.String(), Type.Unknown()), blank: {} },
  any: { shown: Type.Unknown(), blank: undefined },
}

const kindOf = (field: FieldSchema): Kind => kinds[field['x-field'] ?? 'any']

const shownAs = (field: FieldSchema): TSchema => ({
  ...kindOf(field).shown,
  description: field['x-shown'] ?? field.description,
})

/** Describes fields of a document, one line each. */
export function jsonFields<
  const F extends WriteFields,
  const N extends { readonly [K in keyof F]?: string } = Record<never, never>,
  const C extends Conversions<F> = Record<never, never>,
>(fields: F, { names, stored }: Options<F, N, C> = {}): JsonFields<F, N, C> {
  const nameOf = (name: string): string =>
    (names as Readonly<Record<string, string>> | undefined)?.[name] ?? toSnake(name)
  const entries = Object.entries(fields as Readonly<Record<string, FieldSchema>>)
  const byWireName = (toValue: (field: FieldSchema) => unknown) =>
    Object.fromEntries(entries.map(([name, field]) => [nameOf(name), toValue(field)]))
  const conversions = (stored ?? {}) as Readonly<Record<string, (sent: unknown) => unknown>>
  const given = (sent: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [name] of entries) {
      const value = sent[nameOf(name)]
      if (value !== undefined) values[name] = (conversions[name] ?? asIs)(value)
    }
    return values
  }
  const set: unknown = {
    body: byWireName((field) => field),
    shown: byWireName(shownAs),
    initial: Object.fromEntries(entries.map(([name, field]) => [name, field.default ?? kindOf(field).blank])),
    toDocument: compile(entries.map(([name]) => ({ key: nameOf(name), from: name, convert: asIs }))),
    given,
  }
  return set as JsonFields<F, N, C>
}
