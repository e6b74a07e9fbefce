import { withoutCredentials } from './hidden-credentials.ts'

/** What went wrong, in the words both APIs share. Each API turns a kind into its own status. */
export type FailureKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'refused'
  | 'missing'
  | 'unsupported-operation'
  | 'not-acceptable'
  | 'unsupported-media'
  | 'conflict'
  | 'precondition'
  | 'unmet-expectation'
  | 'other-protocol'
  | 'too-large'
  | 'header-too-large'
  | 'too-slow'
  | 'rate-limited'
  | 'sealed'
  | 'unavailable'
  | 'upstream'
  | 'no-space'
  | 'internal'

/** One fault of a document or query, pointing at its place. */
export type Fault = {
  detail: string
  pointer?: string
  parameter?: string
  code?: string
  /** Instead of the title of its kind, for clients that compare title and detail as a whole. */
  title?: string
  /** Other members that this fault depends on: it is left out if one of them could not be read. */
  dependsOn?: readonly string[]
}

/** What a failure may carry beside its text. */
export type FailureExtras = {
  cause?: unknown
  /** Several faults found at once; each becomes an error of its own. */
  faults?: readonly Fault[]
  /** Shown beside the errors where an API allows it. */
  data?: Record<string, unknown>
  /** Seconds after which a new try makes sense. */
  retryAfter?: number
  /** The accessor of the token that was not accepted, for the log. */
  accessor?: string
  /** An answer with this status and an empty list of errors. */
  withoutErrors?: boolean
}

/**
 * The one error class. `message` is for callers, `cause` for logs, `code` for machines. Texts often repeat an address
 * that was sent, and other people than its sender read them.
 */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly code: string
  readonly extras: FailureExtras

  constructor(kind: FailureKind, code: string, text: string, extras: FailureExtras = {}) {
    super(withoutCredentials(text), extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'Failure'
    this.kind = kind
    this.code = code
    this.extras = extras.faults ? { ...extras, faults: extras.faults.map(withoutCredentialsIn) } : extras
  }
}

const withoutCredentialsIn = (fault: Fault): Fault => ({ ...fault, detail: withoutCredentials(fault.detail) })

/** Makes a failure: `throw failure('missing', 'workspace.missing', 'There is no such workspace.')`. */
export const failure = (kind: FailureKind, code: string, text: string, extras?: FailureExtras): Failure =>
  new Failure(kind, code, text, extras)

/** The text of anything that was thrown. */
export const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
