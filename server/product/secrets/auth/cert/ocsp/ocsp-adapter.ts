import { setTimeout as wait } from 'node:timers/promises'
import type { Instant } from '../../../../../kernel/clock.ts'
import { Failure, textOf } from '../../../../../kernel/failure.ts'
import { withoutEndSlashes } from '../../../../../kernel/slashes.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Reply } from '../../../../../outbound/fetch.ts'
import { deniedAddress } from '../../../../../outbound/problems.ts'
import { type Certificate, judgeOcspResponse, writeOcspRequest } from '../../../../../pki/index.ts'
import { type OcspAnswer, retryAfterWait, retryWait } from './ocsp.ts'

/** What is asked, and by which terms an answer is judged. */
export type OcspQuery = {
  readonly leaf: Certificate
  readonly issuer: Certificate
  readonly responders: readonly Certificate[]
  /** PEM of the CAs by which an https responder is trusted; empty for those of the system. */
  readonly tlsCaPem: string
  readonly maxAge: number
  readonly maxRetries: number
  readonly at: Instant
  /** When the time for this query is over, on the monotonic clock. */
  readonly ends: number
  /** Aborts when that time is over. */
  readonly signal: AbortSignal
}

type QueryDeps = Pick<Deps, 'outbound' | 'clock'>

const perAttempt = 10_000
const maxResponseBytes = 64 * 1024

/** After these, asking in another way is useless. */
const clear: readonly OcspAnswer['kind'][] = ['good', 'revoked', 'forged', 'denied']

/**
 * Asks one server: by GET, which caches can answer, then by POST if that gave no clear answer. `unknown` is none: a cache
 * may give it about every certificate. A forged answer ends the query at once.
 */
export async function askServer(deps: QueryDeps, server: string, query: OcspQuery): Promise<OcspAnswer> {
  const request = writeOcspRequest(query.leaf, query.issuer)
  const byGet = await withRetries(deps, query, () => get(deps, server, request, query))
  if (clear.includes(byGet.kind)) return byGet
  const byPost = await withRetries(deps, query, () => post(deps, server, request, query))
  return byPost.kind === 'unfetched' ? byGet : byPost
}

/** `again` is the shortest wait before another try, in milliseconds; undefined if another try is useless. */
type Attempt = { readonly answer: OcspAnswer; readonly again: number | undefined }

async function withRetries(
  { clock }: QueryDeps,
  query: OcspQuery,
  attempt: () => Promise<Attempt>,
): Promise<OcspAnswer> {
  for (let tries = 0; ; tries++) {
    const { answer, again } = await attempt()
    if (again === undefined || tries >= query.maxRetries || query.signal.aborted) return answer
    const pause = Math.max(retryWait(tries), again)
    if (clock.monotonic() + pause > query.ends || !(await waitUnlessAborted(pause, query.signal))) return answer
  }
}

async function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(milliseconds, undefined, { signal })
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

const accept = { accept: 'application/ocsp-response' }

const options = (query: OcspQuery, headers: Record<string, string>) => ({
  deadline: perAttempt,
  maxBytes: maxResponseBytes,
  headers,
  redirects: 3,
  anyStatus: true,
  signal: query.signal,
  ...(query.tlsCaPem === '' ? {} : { ca: query.tlsCaPem }),
})

const get = (deps: QueryDeps, server: string, request: Buffer, query: OcspQuery): Promise<Attempt> =>
  runAttempt(deps, query, () => {
    const url = `${withoutEndSlashes(server)}/${encodeURIComponent(request.toString('base64'))}`
    return deps.outbound.get(url, options(query, accept))
  })

const post = (deps: QueryDeps, server: string, request: Buffer, query: OcspQuery): Promise<Attempt> =>
  runAttempt(deps, query, () =>
    deps.outbound.post(server, request, options(query, { ...accept, 'content-type': 'application/ocsp-request' })),
  )

async function runAttempt({ clock }: QueryDeps, query: OcspQuery, call: () => Promise<Reply>): Promise<Attempt> {
  try {
    const { status, headers, body } = await call()
    if (status === 200) return { answer: toAnswer(body, query), again: undefined }
    const isPassing = status === 429 || (status >= 500 && status !== 501)
    const again = isPassing ? retryAfterWait(headers['retry-after'], clock.now()) : undefined
    return { answer: { kind: 'unfetched', text: `The server answered with status ${status}.`, isCall: true }, again }
  } catch (error) {
    const isDenied = error instanceof Failure && error.code === deniedAddress
    if (isDenied) return { answer: { kind: 'denied', text: error.message }, again: undefined }
    return { answer: { kind: 'unfetched', text: textOf(error), isCall: true }, again: 0 }
  }
}

function toAnswer(body: Buffer, { leaf, issuer, responders, at, maxAge }: OcspQuery): OcspAnswer {
  const verdict = judgeOcspResponse(body, { leaf, issuer, responders, at, maxAge })
  switch (verdict.result) {
    case 'good':
    case 'revoked':
    case 'unknown':
      return { kind: verdict.result, thisUpdate: verdict.thisUpdate, nextUpdate: verdict.nextUpdate }
    case 'unusable':
      return { kind: 'unfetched', text: verdict.text, isCall: true }
    default:
      return { kind: verdict.result, text: verdict.text }
  }
}
