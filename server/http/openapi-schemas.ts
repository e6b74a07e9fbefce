import { type TSchema, Type } from 'typebox'
import { TokenAuth, WrapInfo } from '../kit/envelope-schemas.ts'

const text = (description: string) => Type.String({ description })

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })

/** What is in an envelope that its endpoint says nothing about. */
const usual = {
  request_id: text('Identifies the request in log and audit records.'),
  lease_id: text('The lease of the returned secret; empty if there is none.'),
  renewable: Type.Boolean({ description: 'Whether the lease can be renewed.' }),
  lease_duration: Type.Integer({ description: 'Duration of the lease in seconds; 0 if there is none.' }),
  data: Type.Object({}, { description: 'Empty: the result is in another member.' }),
  wrap_info: orNull(WrapInfo, 'The wrapping token, if the response is wrapped; the other members are empty then.'),
  warnings: orNull(Type.Array(Type.String()), 'Warnings for the caller.'),
  auth: orNull(TokenAuth, 'The token that a login or a token request returns.'),
  mount_type: text('Type of the mount that responded.'),
}

/** The envelope of a `/v1` response with these members; all others are as usual. */
export const envelopeSchema = (members: Readonly<Record<string, TSchema>>): TSchema =>
  Type.Object({ ...usual, ...members })

/** An example of an envelope with these members. */
export const envelopeExample = (members: Readonly<Record<string, unknown>>): object => ({
  request_id: '3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data: {},
  wrap_info: null,
  warnings: null,
  auth: null,
  mount_type: 'system',
  ...members,
})

/** The body of `/v1` errors. */
export const Refusal = Type.Object(
  {
    errors: Type.Array(Type.String(), { description: 'Error messages; empty if nothing was found.' }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Details of a refused certificate, if enabled.' }),
    ),
  },
  { title: 'Refusal' },
)

const ErrorSource = Type.Object(
  {
    pointer: Type.Optional(text('A JSON pointer into the document.')),
    parameter: Type.Optional(text('The name of a query parameter.')),
  },
  { title: 'ErrorSource', description: 'Location of the error.' },
)

const ErrorObject = Type.Object(
  {
    status: text('HTTP status of the response.'),
    title: text('Kind of error; stable text.'),
    detail: text('Human-readable description of the error.'),
    code: Type.Optional(text('Machine-readable error code.')),
    source: Type.Optional(ErrorSource),
  },
  { title: 'ErrorObject' },
)

/** The body of `/api/v2` errors: lists all errors of a document at once. */
export const ErrorDocument = Type.Object({ errors: Type.Array(ErrorObject) }, { title: 'ErrorDocument' })
