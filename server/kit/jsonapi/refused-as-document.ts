import { Failure, type FailureKind } from '../../kernel/failure.ts'
import type { Reply } from '../reply.ts'
import { failureShapes } from './faults.ts'

const shapedKinds: ReadonlySet<FailureKind> = new Set(['missing', 'conflict', 'too-large', 'invalid', 'unavailable'])

/** Signed addresses belong to `/api/v2` in everything but their path, so refusals have its statuses and shape. */
export async function refusedAsDocument(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    return refusalDocument(error)
  }
}

function refusalDocument(error: unknown): Reply {
  if (!(error instanceof Failure) || !shapedKinds.has(error.kind)) throw error
  const { status, title } = failureShapes[error.kind]
  const { retryAfter } = error.extras
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  const body = { errors: [{ status: String(status), title, detail: error.message, code: error.code }] }
  return { kind: 'bare', body, status, headers, refusal: error }
}
