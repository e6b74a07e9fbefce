import type { Failure, FailureKind, Fault } from '../../kernel/failure.ts'

type Shape = { readonly status: number; readonly title: string }

/** Status and title of each kind of failure under `/api/v2`. Clients search these titles; they are part of the API. */
const shapes: Readonly<Record<FailureKind, Shape>> = {
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

/** One text for what is missing and what is hidden, so that one cannot be distinguished from the other. */
const notFound = 'The requested resource does not exist, or you are not allowed to see or do this.'

/** The status and JSON:API errors of a failure; faults come sorted by where they point in the body that was sent. */
export function renderV2Failure(
  failed: Failure,
  sentPointer: (pointer: string) => string = (pointer) => pointer,
): { status: number; body: object } {
  const { status, title } = shapes[failed.kind]
  const faults = failed.extras.faults ?? [{ detail: detailOf(failed, status), code: codeOf(failed, status) }]
  const placed = faults.map((fault) => (fault.pointer ? { ...fault, pointer: sentPointer(fault.pointer) } : fault))
  const errors = placed.sort(comparePlaces).map((fault) => errorObject(status, title, fault))
  return { status, body: { errors } }
}

const detailOf = (failed: Failure, status: number): string => {
  if (status === 404) return notFound
  return failed.kind === 'internal'
    ? 'Something went wrong here; the request id helps to find the cause.'
    : failed.message
}

const codeOf = (failed: Failure, status: number): string | undefined => (status === 404 ? undefined : failed.code)

const comparePlaces = (a: Fault, b: Fault): number => {
  const left = a.pointer ?? a.parameter ?? ''
  const right = b.pointer ?? b.parameter ?? ''
  return left < right ? -1 : left > right ? 1 : 0
}

function errorObject(status: number, title: string, fault: Fault): object {
  const { pointer, parameter } = fault
  const source = pointer === undefined ? (parameter === undefined ? undefined : { parameter }) : { pointer }
  return {
    status: String(status),
    title: fault.title ?? title,
    detail: fault.detail,
    ...(fault.code ? { code: fault.code } : {}),
    ...(source ? { source } : {}),
  }
}
