import { jsonApiType } from '../compat/vendor-names.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import { Failure, failure } from '../kernel/failure.ts'
import type { Api } from '../kit/endpoint.ts'
import { streamOf } from '../kit/reply.ts'
import type { Exchange } from './exchange.ts'
import { runnerRefusal } from './runner.ts'
import type { WireResponse } from './send.ts'
import { renderFailurePage, type SealedPage, wantsPage } from './site.ts'
import { auditFailure } from './steps/record-audit.ts'
import { renderV1Failure } from './v1/errors.ts'
import { v2Headers, withWarnings } from './v2/document-reply.ts'
import { renderV2Failure } from './v2/errors.ts'

/** The answer to a request that was refused or failed, in the shape of its API, once it is recorded. */
export function refusalOf(exchange: Exchange, thrown: unknown): Awaitable<WireResponse> {
  streamOf(exchange.reply)?.destroy()
  const recorded = auditFailure(exchange, thrown)
  if (!recorded) return renderFailure(exchange, thrown)
  return recorded.then(
    () => renderFailure(exchange, thrown),
    (unrecorded) => renderFailure(exchange, unrecorded),
  )
}

function renderFailure(exchange: Exchange, thrown: unknown): WireResponse {
  const { deps, facts, address } = exchange
  const failed =
    thrown instanceof Failure ? thrown : failure('internal', 'internal', 'internal error', { cause: thrown })
  exchange.refusal = failed
  // That no device took the record was logged where it happened.
  if (failed.kind === 'internal' && failed.code !== 'audit.not-recorded')
    deps.log.error({ request: facts.id, error: failed.cause ?? failed }, 'request failed')
  if (address.api === 'api/v2') return v2Refusal(exchange, failed)
  return address.api === 'api/runner/v1' ? runnerRefusal(exchange, failed) : v1Refusal(exchange, failed)
}

function v2Refusal(exchange: Exchange, failed: Failure): WireResponse {
  const { endpoint, verbatimBody, facts } = exchange
  const shape = endpoint?.body?.kind === 'json' ? endpoint.body : undefined
  const sentPointer = (pointer: string) => shape?.sentPointer?.(verbatimBody ?? facts.fields, pointer) ?? pointer
  const { status, body } = renderV2Failure(failed, sentPointer)
  const headers = {
    'Content-Type': jsonApiType,
    'Cache-Control': 'no-store',
    // RFC 9110 §15.5.2: a caller that has to authenticate is told how.
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...v2Headers(exchange),
    ...retryHeader(failed),
  }
  return { status, headers, body: JSON.stringify(withWarnings(body, exchange.warnings)) }
}

/** The site refuses as `/v1` does, and browsers with a page. */
function v1Refusal(exchange: Exchange, failed: Failure): WireResponse {
  const { status, body } = renderV1Failure(failed)
  const allowed = status === 405 ? allowedVerbs(exchange) : undefined
  if (allowed) body.errors.push(`what works here: ${allowed}`)
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': exchange.facts.id,
    // RFC 9110 §15.5.6: a refused verb is answered with those that are allowed.
    ...(allowed ? { Allow: allowed } : {}),
    ...retryHeader(failed),
  }
  if (wantsPage(exchange)) return renderFailurePage(status, body.errors, headers, sealedPageOf(failed))
  return { status, headers, body: JSON.stringify(body) }
}

const sealedPageOf = ({ kind, code }: Failure): SealedPage | undefined => {
  if (kind !== 'sealed') return undefined
  return code === 'seal.uninitialised' ? 'uninitialised' : 'sealed'
}

const retryHeader = ({ extras }: Failure): Record<string, string> =>
  extras.retryAfter ? { 'Retry-After': String(extras.retryAfter) } : {}

/** The verbs of a path, or all that are known where nobody has looked for one. */
function allowedVerbs({ match, address }: Exchange): string {
  const verbs = match?.siblings.map(({ verb }) => verb) ?? ['GET', 'LIST', 'POST', 'PATCH', 'DELETE']
  return verbs.flatMap((verb) => spellingsOf(verb, address.api)).join(', ')
}

/** A route for GET also answers HEAD; one for POST also answers PUT under `/v1`. */
function spellingsOf(verb: string, api: Api): readonly string[] {
  if (verb === 'GET') return ['GET', 'HEAD']
  return verb === 'POST' && api === 'v1' ? ['POST', 'PUT'] : [verb]
}
