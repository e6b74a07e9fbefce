import { type Failure, type FailureExtras, failure } from '../kernel/failure.ts'
import type { FieldNotes } from './field-notes.ts'

/** What a request does to a path, in the words of policies. */
export type Operation = 'create' | 'read' | 'update' | 'delete' | 'list' | 'patch'

/** An access request to the policies of a `/v1` token. */
export type AclRequest = {
  /** Decoded, without a leading slash; lists end in a slash. */
  readonly path: string
  readonly operation: Operation
  readonly sudo: boolean
  readonly fields: Readonly<Record<string, unknown>>
  /** What the endpoint says about its fields, if it says anything. */
  readonly fieldNotes?: FieldNotes | undefined
  /** Seconds of the wrap header; undefined when the answer is not to be wrapped. */
  readonly wrapTtl: number | undefined
}

/** The access request that asks whether a request may do this. */
export const aclRequestOf = (
  { path, fields, fieldNotes, wrapTtl }: Omit<AclRequest, 'operation' | 'sudo'>,
  operation: Operation,
  { sudo }: { readonly sudo: boolean } = { sudo: false },
): AclRequest => ({ path, operation, sudo, fields, fieldNotes, wrapTtl })

/** The answer, with the policies that granted it, or what was `missing`: `rule` if no policy mentions the path. */
export type AclVerdict = {
  readonly allowed: boolean
  readonly grantingPolicies: readonly string[]
  readonly missing?: string
}

/** The refusal of `/v1` that gives no reason, so that a thief does not learn what is missing. Clients know its words. */
export const permissionDenied = (extras?: FailureExtras): Failure =>
  failure('forbidden', 'acl.denied', 'permission denied', extras)

/** The refusal of a request of `/v1` that brings no token where one is needed. */
export const tokenMissing = (): Failure =>
  permissionDenied({
    faults: [
      { detail: 'permission denied' },
      { detail: 'no token was sent: log in, and send the token as X-Service-Token or as Authorization: Bearer' },
    ],
  })

/** The refusal of a token by `/api/v2`, whatever is wrong with it. */
export const invalidActor = (extras?: FailureExtras): Failure =>
  failure(
    'unauthenticated',
    'token.invalid',
    'This token is unknown or has expired, or it is valid for /v1 only.',
    extras,
  )

/** The refusal of everything that needs the keys while they are not there. Scripts look for the words "is sealed". */
export const sealedFailure = (state: 'uninitialised' | 'sealed'): Failure =>
  state === 'sealed'
    ? failure('sealed', 'seal.sealed', 'Holdfast is sealed')
    : failure(
        'sealed',
        'seal.uninitialised',
        'Holdfast is sealed, since it is not initialised: PUT /v1/sys/init makes its keys',
      )

/** What is left of a caller's requests per second. */
export type RateState = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}
