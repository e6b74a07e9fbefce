import type { Failure, FailureKind } from '../../kernel/failure.ts'

/** The status each kind of failure has under `/v1`. There is no 401 and no 422 in this API. */
const statuses: Readonly<Record<FailureKind, number>> = {
  malformed: 400,
  invalid: 400,
  unauthenticated: 403,
  forbidden: 403,
  refused: 403,
  missing: 404,
  'unsupported-operation': 405,
  'not-acceptable': 400,
  'unsupported-media': 415,
  conflict: 400,
  precondition: 412,
  'unmet-expectation': 417,
  'other-protocol': 426,
  'too-large': 413,
  'header-too-large': 431,
  'too-slow': 408,
  'rate-limited': 429,
  sealed: 503,
  unavailable: 503,
  upstream: 502,
  'no-space': 500,
  internal: 500,
}

/** The status and body of a failure: a list of texts, and data only where an endpoint adds some. */
export function renderV1Failure(failed: Failure): { status: number; body: { errors: string[]; data?: object } } {
  const { faults, data, withoutErrors } = failed.extras
  const texts = faults ? faults.map((fault) => fault.detail) : [failed.message]
  const errors = withoutErrors ? [] : failed.kind === 'internal' ? ['internal error'] : texts
  return { status: statuses[failed.kind], body: data ? { errors, data } : { errors } }
}
