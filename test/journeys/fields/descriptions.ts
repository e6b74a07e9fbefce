import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import type { DescribedField } from '../../../server/kit/field-set.ts'

/** A field of a description, as its kind made it. */
export type Field = DescribedField & { readonly schema: FieldSchema; readonly required: boolean }

/** The parts of a schema that values are made from. */
export type FieldSchema = TSchema & {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** A set of fields that a file exports. */
export type DescribedSet = { readonly fields: Readonly<Record<string, Field>> }

const root = join(import.meta.dirname, '../../..')

const hasMembers = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value)

/** What the files of features that describe fields export, by `<path of the file below server/product>:<name>`. */
async function exportsOfDescriptions(): Promise<readonly (readonly [string, unknown])[]> {
  const found: (readonly [string, unknown])[] = []
  for (const file of globSync('server/product/**/*-fields.ts', { cwd: root }).sort()) {
    const exported = (await import(join(root, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      found.push([`${file.replace('server/product/', '')}:${name}`, value])
    }
  }
  return found
}

/** All sets of fields of `/api/v2` that there are. */
export const allSets = async (): Promise<ReadonlyMap<string, DescribedSet>> =>
  new Map(
    (await exportsOfDescriptions()).flatMap(([name, value]) =>
      hasMembers(value, 'fields', 'toDocument') ? [[name, value as DescribedSet]] : [],
    ),
  )

/** A set of fields of `/v1`, by their names on the wire. */
export type WrittenSet = { readonly body: Readonly<Record<string, FieldSchema & { readonly 'x-field'?: string }>> }

/** All sets of fields of `/v1` that there are. */
export const allWrittenSets = async (): Promise<ReadonlyMap<string, WrittenSet>> =>
  new Map(
    (await exportsOfDescriptions()).flatMap(([name, value]) =>
      hasMembers(value, 'body', 'toDocument') ? [[name, value as WrittenSet]] : [],
    ),
  )

/** The schema without the null that a nullable field has beside it. */
export const plainSchema = (schema: FieldSchema): FieldSchema =>
  schema.anyOf?.find((choice) => choice.type !== 'null' && choice.const === undefined) ?? schema

/** True if null may be sent. */
export const isNullable = ({ schema }: Field): boolean => schema.anyOf?.some(({ type }) => type === 'null') ?? false

/** The values of a choice; none for other kinds. */
const choicesOf = (schema: FieldSchema): readonly unknown[] =>
  (schema.anyOf ?? []).flatMap((each) => (each.const === undefined ? choicesOf(each) : [each.const]))

/** A value of the kind of a field that is not this one; undefined if there is no other. */
export function otherValue({ schema }: Field, present: unknown): unknown {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.find((choice) => choice !== present)
  const example = schema.examples?.find((each) => each !== present)
  if (example !== undefined) return example
  const plain = plainSchema(schema)
  if (plain.type === 'boolean') return present === null ? false : !present
  if (plain.type === 'integer') return Math.max(plain.minimum ?? 0, typeof present === 'number' ? present + 1 : 1)
  if (plain.type === 'array') return ['one', 'two']
  return plain.format === 'date-time' ? '2031-02-03T04:05:06.000Z' : 'made-text'
}

/** A value that is more than a field may hold; undefined if it has no limit. */
export function tooMuch({ schema }: Field): unknown {
  const { maxLength, maximum = Number.MAX_SAFE_INTEGER, items, type } = plainSchema(schema)
  if (maxLength !== undefined) return 'a'.repeat(maxLength + 1)
  if (type === 'integer' && maximum < Number.MAX_SAFE_INTEGER) return maximum + 1
  return items?.maxLength === undefined ? undefined : ['a'.repeat(items.maxLength + 1)]
}
