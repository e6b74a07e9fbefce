import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { headerNames } from '../compat/names.ts'
import { Failure, failure, textOf } from '../kernel/failure.ts'
import { anonymous } from '../kernel/principal.ts'
import type { Deps } from '../kit/deps.ts'
import type { Api, Endpoint, RequestFacts } from '../kit/endpoint.ts'
import { type Address, readAddress } from './address.ts'
import type { ClientIdentity } from './client-identity.ts'
import { Deadline } from './deadline.ts'
import type { Exchange, Step } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { observe } from './observe.ts'
import { send, type Wire } from './send.ts'
import { renderSite } from './site.ts'
import { auditFailure, auditRequest, auditResponse } from './steps/audit.ts'
import { authenticateActor, authenticateToken, authenticateVisitor } from './steps/authenticate.ts'
import { authorizeByPolicy, checkRule } from './steps/authorize.ts'
import { decodeDocument, decodeFields } from './steps/decode.ts'
import { buildRouters, findInMount, findRoute, type Routers, requireEndpoint } from './steps/find.ts'
import { handle } from './steps/handle.ts'
import { validate } from './steps/validate.ts'
import { renderV1, settleReply, wrapReply } from './v1/envelope.ts'
import { renderV1Failure } from './v1/errors.ts'
import { offerHelp } from './v1/help.ts'
import {
  enforceQuota,
  readListFlag,
  readWrapTtl,
  requireKnownVerb,
  requireReadableAddress,
  requireRequestHeader,
  requireRootNamespace,
  requireUnsealed,
} from './v1/preconditions.ts'
import { negotiate, renderV2, settleDocument, takeRate, v2Headers } from './v2/document.ts'
import { renderV2Failure } from './v2/errors.ts'

/** What the pipeline is built from. */
export type PipelineParts = {
  readonly deps: Deps
  readonly endpoints: readonly Endpoint[]
  readonly limits: HttpLimits
  /** Who is at the other end, with trusted proxies taken into account. */
  readonly identify: (incoming: IncomingMessage) => ClientIdentity
  /** Whether the listener asks for the request header under `/v1`. */
  readonly needsRequestHeader: (incoming: IncomingMessage) => boolean
}

/** The order of checks of each API. It is part of the contract: who may not act learns nothing about later checks. */
const stepsOf = (routers: Routers, { needsRequestHeader }: PipelineParts): Readonly<Record<Api, readonly Step[]>> => ({
  v1: [
    requireRequestHeader(needsRequestHeader),
    requireKnownVerb,
    readListFlag,
    findInMount(routers),
    requireUnsealed,
    requireRootNamespace,
    requireReadableAddress,
    readWrapTtl,
    enforceQuota,
    decodeFields,
    authenticateToken,
    offerHelp,
    authorizeByPolicy,
    requireEndpoint,
    validate,
    auditRequest,
    handle,
    settleReply,
    wrapReply,
    auditResponse,
  ],
  'api/v2': [
    findRoute((all) => all.v2)(routers),
    requireUnsealed,
    authenticateActor,
    takeRate,
    requireEndpoint,
    negotiate,
    decodeDocument,
    checkRule,
    validate,
    auditRequest,
    handle,
    settleDocument,
    auditResponse,
  ],
  site: [
    findRoute((all) => all.site)(routers),
    requireEndpoint,
    authenticateVisitor,
    decodeDocument,
    checkRule,
    validate,
    handle,
    settleDocument,
  ],
})

const renderers: Readonly<Record<Api, (exchange: Exchange) => Wire>> = {
  v1: renderV1,
  'api/v2': renderV2,
  site: renderSite,
}

/** Builds the one path every request takes. */
export function createPipeline(
  parts: PipelineParts,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const steps = stepsOf(buildRouters(parts.endpoints), parts)
  const observed = observe(parts.deps)
  const refresh = oncePerTurn(() => parts.deps.store.versions.refresh())
  return async (incoming, outgoing) => {
    const exchange = begin(parts, incoming, outgoing)
    const wire = await run(exchange, steps[exchange.address.api], refresh)
    observed(exchange, wire.status)
    try {
      await send(outgoing, withSafety(exchange, wire), incoming.method === 'HEAD')
    } catch (error) {
      parts.deps.log.warn({ request: exchange.facts.id, error: textOf(error) }, 'answer was not sent in full')
      outgoing.destroy()
    }
    await settle(exchange)
  }
}

/**
 * Looks for changes of other processes once for all requests of one turn of the event loop. What such a turn reads had
 * arrived before it began, so nobody can have seen a newer state before sending it.
 */
function oncePerTurn(look: () => Promise<void> | void): () => Promise<void> | void {
  let looked = false
  let pending: Promise<void> | void
  const forget = (): void => {
    looked = false
  }
  return () => {
    if (looked) return pending
    looked = true
    setImmediate(forget)
    pending = look()
    return pending
  }
}

function begin(parts: PipelineParts, incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const { deps, limits } = parts
  const address = readAddress(incoming.url ?? '/')
  return {
    deps,
    limits,
    incoming,
    outgoing,
    address,
    deadline: new Deadline(outgoing),
    startedAt: deps.clock.monotonic(),
    facts: factsOf(parts, incoming, address),
    operation: 'read',
    match: undefined,
    endpoint: undefined,
    caller: anonymous,
    verdict: undefined,
    rate: undefined,
    wrapTtl: undefined,
    body: undefined,
    query: {},
    subject: undefined,
    warnings: [],
    auditMemo: {},
    auditedRequest: false,
    auditedResponse: false,
    reply: undefined,
    status: 200,
  }
}

function factsOf(parts: PipelineParts, incoming: IncomingMessage, address: Address): RequestFacts {
  const { deps } = parts
  const client = parts.identify(incoming)
  const host = incoming.headers.host ?? 'localhost'
  return {
    id: deps.ids.uuid(),
    verb: incoming.method as RequestFacts['verb'],
    path: address.path,
    query: address.query,
    headers: incoming.headers,
    receivedAt: deps.clock.now(),
    remoteAddress: client.remoteAddress,
    remotePort: client.remotePort,
    tls: client.tls,
    certificate: client.certificate,
    forwardedCertificate: client.forwarded,
    origin: deps.settings.baseUrl || `${client.tls ? 'https' : 'http'}://${host}`,
    mount: undefined,
    presentedToken: '',
    fields: {},
  }
}

async function run(exchange: Exchange, steps: readonly Step[], refresh: () => Promise<void> | void): Promise<Wire> {
  try {
    const refreshed = refresh()
    if (refreshed) await refreshed
    for (const step of steps) {
      const pending = step(exchange)
      if (pending) await pending
    }
    return renderers[exchange.address.api](exchange)
  } catch (thrown) {
    return refuse(exchange, thrown)
  }
}

async function refuse(exchange: Exchange, thrown: unknown): Promise<Wire> {
  // An answer that will not be sent may hold a file open.
  if (exchange.reply?.kind === 'bytes' && exchange.reply.body instanceof Readable) exchange.reply.body.destroy()
  try {
    await auditFailure(exchange, thrown)
  } catch (unrecorded) {
    return renderFailure(exchange, unrecorded)
  }
  return renderFailure(exchange, thrown)
}

function renderFailure(exchange: Exchange, thrown: unknown): Wire {
  const { deps, facts, address } = exchange
  const failed =
    thrown instanceof Failure ? thrown : failure('internal', 'internal', 'internal error', { cause: thrown })
  if (failed.kind === 'internal') deps.log.error({ request: facts.id, err: failed.cause ?? failed }, 'request failed')
  const retry: Record<string, string> = failed.extras.retryAfter
    ? { 'Retry-After': String(failed.extras.retryAfter) }
    : {}
  if (address.api === 'api/v2') {
    const { status, body } = renderV2Failure(failed)
    const headers = {
      'Content-Type': 'application/vnd.api+json',
      'Cache-Control': 'no-store',
      ...v2Headers(exchange),
      ...retry,
    }
    return { status, headers, body: JSON.stringify(body) }
  }
  const { status, body } = renderV1Failure(failed)
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': facts.id,
    ...retry,
  }
  return { status, headers, body: JSON.stringify(body) }
}

/** Headers that protect browsers, on every answer; and the connection of a half-read body is not used again. */
function withSafety(exchange: Exchange, wire: Wire): Wire {
  const { facts, incoming, deps } = exchange
  const { headers } = wire
  headers.Server = `Holdfast/${deps.settings.version}`
  headers['X-Content-Type-Options'] = 'nosniff'
  if (facts.tls) headers['Strict-Transport-Security'] = 'max-age=31536000; includeSubDomains'
  for (const name of headerNames.namespace) {
    const namespace = facts.headers[name]
    if (typeof namespace === 'string') headers[name] = namespace
  }
  if (!incoming.complete && incoming.headers['content-length'] !== undefined) headers.Connection = 'close'
  return wire
}

/** A token with counted uses is revoked once its last use is answered. */
async function settle(exchange: Exchange): Promise<void> {
  const { caller, deps, facts } = exchange
  if (caller.kind !== 'token' || !caller.limitedUses || caller.remainingUses > 0) return
  try {
    await deps.hooks.settleUse(caller)
  } catch (error) {
    deps.log.error({ request: facts.id, error: textOf(error) }, 'used-up token was not revoked')
  }
}
