import { type Static, type TObject, Type } from 'typebox'
import { failure } from '../kernel/failure.ts'
import type { BodyShape, ByteLimit, JsonShape } from './endpoint.ts'
import { type FieldSchema, parseFields } from './fields.ts'

/** Options of a JSON body. */
type BodyOptions = { readonly maxBytes?: ByteLimit }

type FieldsOptions = BodyOptions &
  Pick<JsonShape<unknown>, 'aliases'> & {
    /** The fields that narrow what is stored: it would be wider than meant if one of them were misspelt and ignored. */
    readonly narrowing?: RegExp
  }

/** The fields of a role that narrow who gets a token by it, and which. */
export const narrowingRoleFields = /^(?:dis)?allowed_|^required_extensions$|^(?:token_)?bound_cidrs$/

/** The body of a `/v1` write: fields that may come as texts; unknown ones are ignored with a warning. */
export const fields = <T extends TObject>(
  schema: T,
  { narrowing, ...options }: FieldsOptions = {},
): BodyShape<Static<T>> => ({
  kind: 'json',
  schema,
  ...options,
  parse: (raw, notes) => {
    const { value, unknown } = parseFields(schema, raw)
    if (narrowing) refuseMisspelt(schema, unknown, narrowing)
    if (unknown.length > 0) notes.warn(ignoredFields(unknown))
    return value
  },
})

function refuseMisspelt(schema: TObject, unknown: readonly string[], narrowing: RegExp): void {
  const properties = Object.entries(schema.properties as Record<string, FieldSchema>)
  const names = properties.flatMap(([name, type]) => [name, ...(type['x-aliases'] ?? [])])
  for (const sent of unknown) {
    const meant = names.find((name) => narrowing.test(name) && isAlmost(sent.toLowerCase(), name))
    if (meant === undefined) continue
    const text = `There is no field '${sent}'. Is '${meant}' meant? Nothing was stored, since it would allow more without it.`
    throw failure('invalid', 'field.misspelt', text)
  }
}

/** True if at most two characters have to be added, left out or replaced to make one name from the other. */
export function isAlmost(sent: string, meant: string): boolean {
  if (Math.abs(sent.length - meant.length) > 2) return false
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...sent].entries()) {
    const next = [index + 1]
    for (let at = 0; at < meant.length; at++) {
      const replaced = (row[at] ?? 0) + (letter === meant[at] ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) <= 2
}

/** The warning about fields that mean nothing to an endpoint. */
export const ignoredFields = (names: readonly string[]): string =>
  `Endpoint ignored these unrecognized parameters: [${names.join(' ')}]`

/** A body of any JSON object, handed on as it is, to the last digit. */
export const anyObject = (description: string, options: BodyOptions = {}): BodyShape<Record<string, unknown>> => ({
  kind: 'json',
  schema: Type.Record(Type.String(), Type.Unknown(), { description }),
  ...options,
  verbatim: true,
  parse: (raw) => raw,
})

/** A body that is read as a stream of bytes. */
export const streamed = (
  contentType: string,
  maxBytes: number,
  description: string,
  options: { readonly inMemory?: boolean } = {},
): BodyShape<undefined> => ({
  ...options,
  kind: 'stream',
  schema: Type.String({ description, format: 'binary' }),
  contentType,
  maxBytes,
})
