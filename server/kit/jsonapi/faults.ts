import { type Failure, type FailureKind, type Fault, failure } from '../../kernel/failure.ts'

/** Where a value is in a document, and what errors call it. */
export type Place = { readonly pointer: string; readonly label: string }

/** Notes that the value at a place is not acceptable; `predicate` follows its name: "can't be blank". */
export function addFault(faults: Fault[], at: Place, predicate: string, code?: string): undefined {
  faults.push({ detail: `${at.label} ${predicate}`, pointer: at.pointer, ...(code ? { code } : {}) })
  return undefined
}

/** The failure that carries all faults of a document; each becomes an error of its own, sorted by pointer. */
export const invalidDocument = (faults: readonly Fault[]): Failure =>
  failure('invalid', 'document.invalid', faults.map(({ detail }) => detail).join('; '), { faults })

/** Throws when there are faults. */
export function requireNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidDocument(faults)
}

/** The failure of one attribute, found where the document alone did not show it: `Name has already been taken`. */
export const invalidAttribute = (name: string, detail: string, code?: string): Failure =>
  invalidDocument([{ detail, pointer: `/data/attributes/${name}`, ...(code ? { code } : {}) }])

/** The failure of one relationship of the document. */
export const invalidRelationship = (name: string, detail: string, code?: string): Failure =>
  invalidDocument([{ detail, pointer: `/data/relationships/${name}`, ...(code ? { code } : {}) }])

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
  'other-protocol': { status: 426, title: 'upgrade required' },
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
