import type { TSchema } from 'typebox'
import { type DescribedField, documentWriter, type Initial, initialOf, type Stored, shownIn } from '../field-set.ts'
import { type Attribute, type RequiredKeys, toKebab, type ValueOf, type Values } from './attributes.ts'

/** Fields of a document by their names in code. */
type DocumentFields = Readonly<Record<string, Attribute<unknown> & DescribedField>>

/** Fields as they are sent: absent ones say nothing. */
type Sent<F extends DocumentFields> = { readonly [K in keyof F]?: ValueOf<F[K]> | undefined }

/** Fields that are described once; their columns, documents, first values and changes follow from that. */
export interface FieldSet<F extends DocumentFields> {
  readonly fields: F
  /** The schemas of what answers show. */
  readonly shown: Readonly<Record<string, TSchema>>
  /** The first values of those fields that have one; the code that creates something says the others. */
  readonly initial: Initial<F>
  /** The fields as documents show them, by the names that they have there. */
  toDocument(stored: Stored<F>): Record<string, unknown>
  /** All of something new: what was sent, and the first values of the rest. */
  made(sent: Values<F>): Initial<F> & Pick<Stored<F>, RequiredKeys<F>>
  /** The fields that were sent, as they are stored: null sets back to the default where there is one. */
  given(sent: Sent<F>): Partial<Stored<F>>
  /** All of something after a change: what was not sent stays. */
  applied<T extends Stored<F>>(sent: Sent<F>, before: T): T
}

/** Describes fields of a document, one line each. Several sets in a row make groups: what is set, noted, or internal. */
export function fieldSet<const F extends DocumentFields>(fields: F): FieldSet<F> {
  const names = Object.keys(fields)
  const initial = initialOf(fields)
  const given = (sent: Readonly<Record<string, unknown>>) => {
    const values: Record<string, unknown> = {}
    for (const name of names) {
      const value = sent[name]
      if (value !== undefined) values[name] = value === null ? fields[name]?.initial : value
    }
    return values
  }
  return {
    fields,
    shown: Object.fromEntries(shownIn(fields).map(([name, { shown }]) => [toKebab(name), shown as TSchema])),
    initial,
    toDocument: documentWriter(fields, toKebab),
    made: (sent) => ({ ...initial, ...given(sent) }) as Initial<F> & Pick<Stored<F>, RequiredKeys<F>>,
    given: (sent) => given(sent) as Partial<Stored<F>>,
    applied: (sent, before) => ({ ...before, ...given(sent) }),
  }
}

/** Attributes of a body that changes something: none has to be sent, and what is not sent keeps its value. */
export function changing<S extends Readonly<Record<string, Attribute<unknown>>>>(
  attributes: S,
): { readonly [K in keyof S]: Attribute<ValueOf<S[K]>, false> } {
  const changes = Object.entries(attributes).map(([name, { schema: sent, aliases, members, read }]) => {
    const schema = withoutDefaults(sent as DefaultedSchema)
    return [name, { schema, required: false, aliases, ...(members ? { members } : {}), read }]
  })
  return Object.fromEntries(changes)
}

type DefaultedSchema = TSchema & {
  readonly default?: unknown
  readonly anyOf?: readonly DefaultedSchema[]
  readonly properties?: Readonly<Record<string, DefaultedSchema>>
}

/** A schema that promises no default, neither its own nor one of a member. */
function withoutDefaults({ default: _, ...schema }: DefaultedSchema): TSchema {
  const { anyOf, properties } = schema as DefaultedSchema
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, withoutDefaults(member)])
  return {
    ...schema,
    ...(anyOf ? { anyOf: anyOf.map(withoutDefaults) } : {}),
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
  }
}
