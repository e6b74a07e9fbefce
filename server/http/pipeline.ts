import type { IncomingMessage, ServerResponse } from 'node:http'
import { Acceptance } from '../kernel/acceptance.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import { runAfterPendingInput } from '../kernel/event-loop.ts'
import { type Failure, failure, textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { Deps } from '../kit/deps.ts'
import type { Api, Endpoint } from '../kit/endpoint.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { RequestSketch } from '../kit/services.ts'
import { AnonymousBodyMemory } from './anonymous-body-memory.ts'
import { beginExchange, type Exchange, type ExchangeParts, type GiveUp, type Step } from './exchange.ts'
import { BodyMemory } from './listener/index.ts'
import { callerName, createObserver, sketchOf } from './observe.ts'
import { Outbox } from './outbox.ts'
import { refusalOf } from './refusal.ts'
import { renderRunner, requireProtocol } from './runner.ts'
import { addSafetyHeaders, send, type WireResponse } from './send.ts'
import { renderSite } from './site.ts'
import {
  authenticateActor,
  authenticateToken,
  authenticateTokenAgain,
  authenticateVisitor,
  readToken,
  recogniseActor,
} from './steps/authenticate.ts'
import { authorizeByPolicy, checkRule, requireForRuns } from './steps/authorize.ts'
import { decodeDocument, decodeFields, validate } from './steps/decode.ts'
import { buildRouters, findInMount, findRoute, type Routers, requireEndpoint } from './steps/find.ts'
import { handleWithDeadline } from './steps/handle.ts'
import { auditRequest, auditResponse } from './steps/record-audit.ts'
import { afterSlowBody, requireKnownExpectation } from './steps/slow-body.ts'
import { enforceOrigin } from './v1/cross-origin.ts'
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
import { renderV1, settleReply, wrapReply } from './v1/reply-envelope.ts'
import { enforceRateLimit, negotiate, renderV2, settleDocument } from './v2/document-reply.ts'

const isEventStream = ({ headers }: WireResponse): boolean =>
  headers['Content-Type']?.startsWith('text/event-stream') ?? false

/** Answers that are sent piece by piece. Their status was sent first, so what becomes of them shows here alone. */
class StreamedAnswers {
  readonly #deps: Deps
  readonly #cut: { inc(labels: { readonly endpoint: string; readonly by: string }): void }
  readonly #underWay = { events: 0, content: 0 }

  constructor(deps: Deps) {
    this.#deps = deps
    const cutHelp = 'Answers that were not sent in full, by who ended them: server or client.'
    this.#cut = deps.metrics.counter('holdfast_http_answers_cut_total', cutHelp, ['endpoint', 'by'])
    const help = 'Answers that are being sent piece by piece: streams of events, and content such as states.'
    const gauge = deps.metrics.gauge('holdfast_http_streams', help, ['kind'])
    deps.metrics.onRender(async () => {
      for (const [kind, open] of Object.entries(this.#underWay)) gauge.set({ kind }, open)
    })
  }

  /** Follows an answer to its end, which may be a bad one. */
  async follow(sending: Promise<void>, exchange: Exchange, wire: WireResponse): Promise<void> {
    const kind = isEventStream(wire) ? 'events' : 'content'
    this.#underWay[kind] += 1
    try {
      await sending
    } catch (error) {
      this.abandon(exchange, wire, error)
    }
    this.#underWay[kind] -= 1
  }

  /** Ends a connection on which an answer cannot be finished. */
  abandon({ endpoint, facts, caller, outgoing }: Exchange, wire: WireResponse, error: unknown): void {
    const isLeft = systemCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'
    // Clients leave whenever they like. A stream of events has no other end, and nobody has to be told.
    const isEnd = isLeft && isEventStream(wire)
    const name = endpoint?.id ?? 'none'
    const line = {
      request: facts.id,
      endpoint: name,
      remote: facts.remoteAddress,
      caller: callerName(caller),
      error: isLeft ? 'The client left, or stopped reading.' : textOf(error),
    }
    this.#deps.log[isEnd ? 'debug' : isLeft ? 'info' : 'warn'](line, 'answer was not sent in full')
    if (!isEnd) this.#cut.inc({ endpoint: name, by: isLeft ? 'client' : 'server' })
    outgoing.destroy()
  }
}

/** What the figures of requests are read from, each time they are shown. */
type FigureSources = { readonly inFlight: ReadonlySet<Exchange>; readonly bodyMemory: BodyMemory }

/** Shows how much is under way. */
function showRequests(metrics: Metrics, { inFlight, bodyMemory }: FigureSources): void {
  const gauge = (name: string, help: string) => metrics.gauge(name, help)
  const requests = gauge('holdfast_http_requests_in_flight', 'Requests received and not answered yet.')
  const waiters = gauge('holdfast_lock_waiters', 'Requests that wait for the lock of a workspace.')
  const buffered = gauge('holdfast_http_buffered_bytes', 'Bytes of large request bodies that are in memory.')
  const limit = gauge('holdfast_http_buffered_bytes_limit', 'Limit of these bytes; see limits.buffered_bytes.')
  metrics.onRender(async () => {
    requests.set(inFlight.size)
    waiters.set([...inFlight].filter(isWaiter).length)
    buffered.set(bodyMemory.used)
    limit.set(bodyMemory.limit)
  })
}

const isWaiter = ({ endpoint, address }: Exchange): boolean => Boolean(endpoint?.waits) && address.query.has('wait')

/** What the pipeline is built from. */
export type PipelineParts = Omit<ExchangeParts, 'bodyMemory'> & {
  readonly endpoints: readonly Endpoint[]
  /** Whether the listener asks for the request header under `/v1`. */
  readonly needsRequestHeader: (incoming: IncomingMessage) => boolean
}

/** The order of checks of each API. It is part of the contract: callers who may not act learn nothing about later checks. */
const stepsOf = (
  routers: Routers,
  { endpoints, needsRequestHeader, limits }: PipelineParts,
  { giveUp, refresh }: { giveUp: GiveUp; refresh: Refresh },
): Readonly<Record<Api, readonly Step[]>> => ({
  v1: [
    refreshForMounts(refresh, endpoints),
    enforceOrigin,
    requireRequestHeader(needsRequestHeader),
    requireKnownVerb,
    readListFlag,
    findInMount(routers),
    requireKnownExpectation,
    requireUnsealed,
    requireRootNamespace,
    requireReadableAddress,
    readWrapTtl,
    enforceQuota,
    decodeFields(new AnonymousBodyMemory(limits.anonymousTotalBytes)),
    afterSlowBody(refresh, findInMount(routers), requireUnsealed, authenticateTokenAgain),
    authenticateToken,
    offerHelp(routers),
    authorizeByPolicy,
    requireEndpoint,
    validate,
    auditRequest(giveUp),
    handleWithDeadline(giveUp),
    settleReply,
    wrapReply,
    auditResponse,
  ],
  'api/v2': [
    refresh,
    findRoute(routers.v2),
    requireKnownExpectation,
    requireUnsealed,
    authenticateActor,
    enforceRateLimit,
    requireEndpoint,
    requireForRuns,
    negotiate,
    decodeDocument,
    afterSlowBody(refresh, requireUnsealed, recogniseActor),
    ...lastSteps(giveUp),
  ],
  'api/runner/v1': runnerSteps(routers, { giveUp, refresh }),
  site: siteSteps(routers, { giveUp, refresh }),
})

/** Runners are known by tokens of their own, which the rule of each endpoint checks before a body is read. */
const runnerSteps = (
  routers: Routers,
  { giveUp, refresh }: { readonly giveUp: GiveUp; readonly refresh: Refresh },
): readonly Step[] => [
  refresh,
  findRoute(routers.runner),
  requireKnownExpectation,
  requireProtocol,
  requireUnsealed,
  readToken,
  requireEndpoint,
  checkRule,
  decodeDocument,
  afterSlowBody(refresh, requireUnsealed),
  ...lastSteps(giveUp),
]

/** Pages are open to everybody, and found without the store. */
const siteSteps = (
  routers: Routers,
  { giveUp, refresh }: { readonly giveUp: GiveUp; readonly refresh: Refresh },
): readonly Step[] => [
  findRoute(routers.site),
  requireKnownExpectation,
  requireEndpoint,
  refreshForStore(refresh),
  requireUnsealed,
  authenticateVisitor,
  decodeDocument,
  afterSlowBody(refreshForStore(refresh)),
  ...lastSteps(giveUp),
]

/** From the decision to the answer, wherever an endpoint has a rule of its own. */
const lastSteps = (giveUp: GiveUp): readonly Step[] => [
  checkRule,
  validate,
  auditRequest(giveUp),
  handleWithDeadline(giveUp),
  settleDocument,
  auditResponse,
]

type Refresh = () => Awaitable<void>

/**
 * Finding a mount under `/v1` needs the store. Endpoints that do without are recognised by their path alone, which is
 * possible because the system mount never moves.
 */
function refreshForMounts(refresh: Refresh, endpoints: readonly Endpoint[]): Step {
  const early = endpoints.filter(({ mountType, withoutStore }) => mountType === 'system' && withoutStore)
  const paths = new Set(early.map(({ path }) => `sys${path}`))
  return ({ address }) => (paths.has(address.path) ? undefined : refresh())
}

/** Routes of the site are found without the store, so endpoints that do without it need not wait for it. */
const refreshForStore =
  (refresh: Refresh): Step =>
  ({ endpoint }) =>
    endpoint?.withoutStore ? undefined : refresh()

const renderers: Readonly<Record<Api, (exchange: Exchange) => WireResponse>> = {
  v1: renderV1,
  'api/v2': renderV2,
  'api/runner/v1': renderRunner,
  site: renderSite,
}

/**
 * The one path every request takes. Steps that need not wait follow each other at once; the first that waits takes the
 * rest along. So what comes in during a turn of the event loop is answered within it, unless something has to be waited
 * for.
 */
export class Pipeline {
  readonly #beginning: ExchangeParts
  readonly #steps: Readonly<Record<Api, readonly Step[]>>
  readonly #observe: (exchange: Exchange, status: number) => void
  readonly #outbox = new Outbox()
  readonly #streams: StreamedAnswers
  readonly #giveUp: GiveUp
  /** Those that are not answered yet. */
  readonly #inFlight = new Set<Exchange>()
  #isStopping = false

  constructor(parts: PipelineParts) {
    const { deps, endpoints } = parts
    const bodyMemory = new BodyMemory(parts.limits.bufferedBytes)
    this.#beginning = { ...parts, bodyMemory }
    const refresh = refreshOncePerTurn(() => deps.store.versions.refresh())
    this.#giveUp = (exchange, reason) => {
      exchange.deadline.abort(reason)
      this.#refuse(exchange, reason)
    }
    this.#steps = stepsOf(buildRouters(endpoints, deps.mountKinds), parts, { giveUp: this.#giveUp, refresh })
    this.#observe = createObserver(deps)
    this.#streams = new StreamedAnswers(deps)
    showRequests(deps.metrics, { inFlight: this.#inFlight, bodyMemory })
  }

  handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const exchange = beginExchange(this.#beginning, incoming, outgoing)
    this.#inFlight.add(exchange)
    this.#advance(exchange, 0)
  }

  /** Tells handlers that wait for what others do to stop, now and from now on: the server is about to stop. */
  endWaits(): void {
    this.#isStopping = true
    for (const exchange of this.#inFlight) if (exchange.endpoint?.waits) exchange.deadline.abort(serverStopping())
  }

  /** Answers whatever is not answered yet, before the connections are closed. */
  giveUpAll(): void {
    for (const exchange of this.#inFlight) this.#giveUp(exchange, serverStopping())
  }

  /** What was received and is not answered yet. */
  requestsInFlight(): RequestSketch[] {
    return [...this.#inFlight].map(sketchOf)
  }

  #advance(exchange: Exchange, from: number): void {
    if (exchange.isAnswered) return
    const { api } = exchange.address
    const steps = this.#steps[api]
    let wire: WireResponse
    try {
      for (let next = from; next < steps.length; next++) {
        const pending = (steps[next] as Step)(exchange)
        if (pending) {
          this.#resume(pending, exchange, next + 1)
          return
        }
      }
      wire = renderers[api](exchange)
    } catch (thrown) {
      this.#refuse(exchange, thrown)
      return
    }
    exchange.isAnswered = true
    this.#send(exchange, wire)
  }

  #resume(pending: Promise<void> | Acceptance, exchange: Exchange, from: number): void {
    if (this.#isStopping && exchange.endpoint?.waits) exchange.deadline.abort(serverStopping())
    const goOn = () => this.#advance(exchange, from)
    const stop = (thrown: unknown) => this.#refuse(exchange, thrown)
    if (pending instanceof Acceptance) pending.onOutcome(goOn, stop)
    else pending.then(goOn, stop)
  }

  #refuse(exchange: Exchange, thrown: unknown): void {
    if (exchange.isAnswered) return
    exchange.isAnswered = true
    const wire = refusalOf(exchange, thrown)
    if (wire instanceof Promise) void wire.then((recorded) => this.#send(exchange, recorded))
    else this.#send(exchange, wire)
  }

  /** Every request comes here, once. */
  #send(exchange: Exchange, wire: WireResponse): void {
    this.#inFlight.delete(exchange)
    try {
      this.#observe(exchange, wire.status)
      addSafetyHeaders(exchange, wire)
      const sending = send(this.#outbox, exchange.outgoing, wire, exchange.incoming.method === 'HEAD')
      if (sending) {
        void this.#finish(sending, exchange, wire)
        return
      }
    } catch (error) {
      this.#streams.abandon(exchange, wire, error)
    }
    revokeUsedUpToken(exchange)
  }

  /** An answer that is a stream may check its caller until it ends. */
  async #finish(sending: Promise<void>, exchange: Exchange, wire: WireResponse): Promise<void> {
    await this.#streams.follow(sending, exchange, wire)
    revokeUsedUpToken(exchange)
  }
}

const serverStopping = (): Failure =>
  failure('unavailable', 'server.stopping', 'The server is stopping; try again.', { retryAfter: 1 })

/**
 * Looks for changes of other processes once for all requests of one turn of the event loop. What such a turn reads had
 * arrived before it began, so nobody can have seen a newer state before sending it.
 */
function refreshOncePerTurn(refresh: Refresh): Refresh {
  let refreshed = false
  let pending: Awaitable<void>
  const forget = (): void => {
    refreshed = false
  }
  return () => {
    if (refreshed) return pending
    pending = refresh()
    refreshed = true
    runAfterPendingInput(forget)
    return pending
  }
}

/** A token with counted uses is revoked once its last use is answered, whoever it acted as. */
function revokeUsedUpToken({ caller, deps, facts }: Exchange): void {
  if (caller.kind === 'token' && !caller.limitedUses) return
  deps.tokens.revokeUsedUp(facts)?.catch((error) => {
    deps.log.error({ request: facts.id, error: textOf(error) }, 'could not revoke a token without uses left')
  })
}
