import { setTimeout as wait } from 'node:timers/promises'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, textOf } from '../../../kernel/failure.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type Certificate, judgeOcspResponse, writeOcspRequest } from '../../../pki/index.ts'
import { type OcspAnswer, retryWait } from './ocsp-rules.ts'

/** What is asked, and by which terms an answer is judged. */
export type OcspQuery = {
  readonly leaf: Certificate
  readonly issuer: Certificate
  readonly responders: readonly Certificate[]
  /** PEM of certificates to trust beside the system's when a responder speaks https. */
  readonly trusted: string
  readonly maxAge: number
  readonly maxRetries: number
  readonly at: Instant
  /** Ends with the login's time for OCSP. */
  readonly signal: AbortSignal
}

type QueryDeps = Pick<Deps, 'outbound'>

const perAttempt = 10_000
const mostBytes = 64 * 1024

/**
 * Asks one server: by GET, which caches can answer, then by POST when that did not settle it. A forged answer ends the
 * question at once.
 */
export async function askServer(deps: QueryDeps, server: string, query: OcspQuery): Promise<OcspAnswer> {
  const request = writeOcspRequest(query.leaf, query.issuer)
  const byGet = await withRetries(query, () => get(deps, server, request, query))
  if (byGet.kind === 'good' || byGet.kind === 'revoked' || byGet.kind === 'forged') return byGet
  const byPost = await withRetries(query, () => post(deps, server, request, query))
  return byPost.kind === 'unfetched' ? byGet : byPost
}

type Attempt = { readonly answer: OcspAnswer; readonly again: boolean }

async function withRetries(query: OcspQuery, attempt: () => Promise<Attempt>): Promise<OcspAnswer> {
  for (let tries = 0; ; tries++) {
    const { answer, again } = await attempt()
    if (!again || tries >= query.maxRetries || query.signal.aborted) return answer
    if (!(await paused(retryWait(tries), query.signal))) return answer
  }
}

async function paused(milliseconds: number, signal: AbortSignal): Promise<boolean> {
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
  maxBytes: mostBytes,
  headers,
  redirects: 3,
  anyStatus: true,
  signal: query.signal,
  ...(query.trusted === '' ? {} : { ca: query.trusted }),
})

const get = ({ outbound }: QueryDeps, server: string, request: Buffer, query: OcspQuery): Promise<Attempt> =>
  attempted(query, () => {
    const url = `${withoutEndSlashes(server)}/${encodeURIComponent(request.toString('base64'))}`
    return outbound.get(url, options(query, accept))
  })

const post = ({ outbound }: QueryDeps, server: string, request: Buffer, query: OcspQuery): Promise<Attempt> =>
  attempted(query, () =>
    outbound.post(server, request, options(query, { ...accept, 'content-type': 'application/ocsp-request' })),
  )

async function attempted(query: OcspQuery, call: () => Promise<{ status: number; body: Buffer }>): Promise<Attempt> {
  try {
    const { status, body } = await call()
    if (status === 200) return { answer: judged(body, query), again: false }
    const again = status === 429 || (status >= 500 && status !== 501)
    return { answer: { kind: 'unfetched', text: `The server answered with status ${status}.` }, again }
  } catch (error) {
    const denied = error instanceof Failure && error.code === 'outbound.denied-address'
    return { answer: { kind: 'unfetched', text: textOf(error) }, again: !denied }
  }
}

function judged(body: Buffer, { leaf, issuer, responders, at, maxAge }: OcspQuery): OcspAnswer {
  const verdict = judgeOcspResponse(body, { leaf, issuer, responders, at, maxAge })
  switch (verdict.result) {
    case 'good':
    case 'revoked':
    case 'unknown':
      return { kind: verdict.result, thisUpdate: verdict.thisUpdate, nextUpdate: verdict.nextUpdate }
    case 'unusable':
      return { kind: 'unfetched', text: verdict.text }
    default:
      return { kind: verdict.result, text: verdict.text }
  }
}
