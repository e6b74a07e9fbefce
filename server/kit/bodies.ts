import { type Static, type TObject, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { failure } from '../kernel/failure.ts'
import { editDistance } from '../kernel/spelling.ts'
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

/**
 * The body of a `/v1` write: fields that may come as texts. Unknown ones are ignored, with a warning unless they say again
 * what the path says.
 */
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
    const ignored = unknown.filter((name) => raw[name] !== notes.params[name])
    if (ignored.length > 0) notes.warn(ignoredFields(ignored))
    return value
  },
})

function refuseMisspelt(schema: TObject, unknown: readonly string[], narrowing: RegExp): void {
  const properties = Object.entries(schema.properties as Record<string, FieldSchema>)
  const names = properties.flatMap(([name, type]) => [name, ...(type['x-aliases'] ?? [])])
  for (const sent of unknown) {
    const meant = names.find((name) => narrowing.test(name) && editDistance(sent.toLowerCase(), name, 2) <= 2)
    if (meant === undefined) continue
    const text = `There is no field '${sent}'. Is '${meant}' meant? Nothing was stored, since it would allow more without it.`
    throw failure('invalid', 'field.misspelt', text)
  }
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

/** A body of JSON that has exactly this shape; members that nobody knows are ignored. */
export const plainObject = <T extends TObject>(schema: T, options: BodyOptions = {}): BodyShape<Static<T>> => ({
  kind: 'json',
  schema,
  ...options,
  optional: ((schema as { required?: readonly string[] }).required ?? []).length === 0,
  parse: (raw) => {
    if (Check(schema, raw)) return raw as Static<T>
    const [error] = Errors(schema, raw)
    const place = error?.instancePath ? `The member ${error.instancePath}` : 'The body'
    throw failure('malformed', 'body.shape', `${place} ${error?.message ?? 'is not as it should be'}.`)
  },
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
