import type { Failure, Fault } from '../../kernel/failure.ts'
import { failureShapes } from '../../kit/jsonapi/index.ts'

/** One text for what is missing and what is hidden, so that one cannot be distinguished from the other. */
const notFound = 'The requested resource does not exist, or you are not allowed to see or do this.'

/** The status and JSON:API errors of a failure; faults come sorted by where they point in the body that was sent. */
export function renderV2Failure(
  failed: Failure,
  sentPointer: (pointer: string) => string = (pointer) => pointer,
): { status: number; body: object } {
  const { status, title } = failureShapes[failed.kind]
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
