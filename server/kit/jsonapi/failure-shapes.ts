import type { FailureKind } from '../../kernel/failure.ts'

type Shape = { readonly status: number; readonly title: string }

/**
 * Status and title of each kind of failure under `/api/v2`, whose statuses pages have, too. Clients search these titles;
 * they are part of the API.
 */
export const failureShapes: Readonly<Record<FailureKind, Shape>> = {
  malformed: { status: 400, title: 'bad request' },
  invalid: { status: 422, title: 'invalid attribute' },
  unauthenticated: { status: 401, title: 'unauthorized' },
  forbidden: { status: 404, title: 'not found' },
  refused: { status: 403, title: 'forbidden' },
  missing: { status: 404, title: 'not found' },
  'unsupported-operation': { status: 404, title: 'not found' },
  'not-acceptable': { status: 406, title: 'not acceptable' },
  'unsupported-media': { status: 415, title: 'unsupported media type' },
  conflict: { status: 409, title: 'conflict' },
  precondition: { status: 412, title: 'precondition failed' },
  'unmet-expectation': { status: 417, title: 'expectation failed' },
  'too-large': { status: 413, title: 'payload too large' },
  'header-too-large': { status: 431, title: 'header too large' },
  'too-slow': { status: 408, title: 'request timeout' },
  'rate-limited': { status: 429, title: 'too many requests' },
  sealed: { status: 503, title: 'service unavailable' },
  unavailable: { status: 503, title: 'service unavailable' },
  upstream: { status: 502, title: 'bad gateway' },
  'no-space': { status: 500, title: 'internal server error' },
  internal: { status: 500, title: 'internal server error' },
}
