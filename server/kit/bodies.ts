import { type Static, type TObject, Type } from 'typebox'
import type { BodyShape, ByteLimit, JsonShape } from './endpoint.ts'
import { parseFields } from './fields.ts'

/** Options of a JSON body. */
type BodyOptions = { readonly maxBytes?: ByteLimit }

type FieldsOptions = BodyOptions & Pick<JsonShape<unknown>, 'aliases'>

/** The body of a `/v1` write: fields that may come as texts; unknown ones are ignored with a warning. */
export const fields = <T extends TObject>(schema: T, options: FieldsOptions = {}): BodyShape<Static<T>> => ({
  kind: 'json',
  schema,
  ...options,
  parse: (raw, notes) => {
    const { value, unknown } = parseFields(schema, raw)
    if (unknown.length > 0) notes.warn(ignoredFields(unknown))
    return value
  },
})

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
