import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Acceptance } from '../kernel/acceptance.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import { anonymous, type Principal } from '../kernel/principal.ts'
import type { AclVerdict, Operation, RateState } from '../kit/access.ts'
import type { Deps } from '../kit/deps.ts'
import type { Endpoint, RequestFacts } from '../kit/endpoint.ts'
import type { Reply } from '../kit/reply.ts'
import { type Address, readAddress } from './address.ts'
import type { ClientIdentity } from './client-identity.ts'
import type { HttpLimits } from './limits.ts'
import type { BodyMemory } from './listener/index.ts'
import type { Match } from './router.ts'

/** Tells a handler when to stop: its time is over, or nobody waits any more. Costs nothing until somebody asks. */
export class Deadline {
  readonly #outgoing: ServerResponse
  #controller: AbortController | undefined
  #reason: Error | undefined

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#watch()
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }

  #watch(): AbortController {
    const controller = new AbortController()
    const gone = (): void => {
      if (!this.#outgoing.writableFinished)
        controller.abort(failure('unavailable', 'client.gone', 'The client went away.'))
    }
    if (this.#reason) controller.abort(this.#reason)
    else if (this.#outgoing.closed) gone()
    else this.#outgoing.once('close', gone)
    return controller
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A request on its way through the pipeline. Each step reads what earlier ones found and adds its own finding. */
export type Exchange = {
  readonly deps: Deps
  readonly limits: HttpLimits
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** What its body lies in, if that is large. */
  readonly bodyMemory: BodyMemory
  readonly address: Address
  readonly startedAt: number
  readonly deadline: Deadline
  /** Filled step by step; handlers see it complete and read-only. */
  readonly facts: Mutable<RequestFacts>
  operation: Operation
  match: Match | undefined
  endpoint: Endpoint | undefined
  /** Where no endpoint answers: the one whose secret the path may hold. Logs and records show its route, not the path. */
  secretEndpoint: Endpoint | undefined
  caller: Principal
  verdict: AclVerdict | undefined
  rate: RateState | undefined
  /** The body with its numbers as they were written, where the endpoint wants it so. */
  verbatimBody: Record<string, unknown> | undefined
  body: unknown
  query: unknown
  subject: unknown
  warnings: string[]
  readonly auditMemo: { value?: unknown }
  /** What became of the request's record. One that is held is written with the answer's, or at the end of the turn. */
  requestRecord: 'none' | 'held' | 'given'
  isResponseAudited: boolean
  reply: Reply | undefined
  status: number
  /** Why the request was refused, if it was. */
  refusal: Failure | undefined
  /** Set once the answer is decided, even if a refusal still waits for its record: what comes later is too late. */
  isAnswered: boolean
}

/** One step. It throws to refuse; it returns a promise only if it has to wait. */
export type Step = (exchange: Exchange) => Awaitable<void> | Acceptance

/** Tells a handler that is not done yet to stop, and answers the request without it. */
export type GiveUp = (exchange: Exchange, reason: Error) => void

/** What every request starts from. */
export type ExchangeParts = {
  readonly deps: Deps
  readonly limits: HttpLimits
  /** Where large bodies of all requests lie. */
  readonly bodyMemory: BodyMemory
  /** Who is at the other end, with trusted proxies taken into account. */
  readonly identify: (incoming: IncomingMessage) => ClientIdentity
}

/** A request before its first step. */
export function beginExchange(parts: ExchangeParts, incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const { deps, limits } = parts
  const address = readAddress(incoming.url ?? '/')
  return {
    deps,
    limits,
    incoming,
    outgoing,
    bodyMemory: parts.bodyMemory,
    address,
    deadline: new Deadline(outgoing),
    startedAt: deps.clock.monotonic(),
    facts: factsOf(parts, incoming, address),
    operation: 'read',
    match: undefined,
    endpoint: undefined,
    secretEndpoint: undefined,
    caller: anonymous,
    verdict: undefined,
    rate: undefined,
    verbatimBody: undefined,
    body: undefined,
    query: undefined,
    subject: undefined,
    warnings: [],
    auditMemo: {},
    requestRecord: 'none',
    isResponseAudited: false,
    reply: undefined,
    status: 200,
    refusal: undefined,
    isAnswered: false,
  }
}

function factsOf(parts: ExchangeParts, incoming: IncomingMessage, address: Address): RequestFacts {
  const { deps } = parts
  const { headers } = incoming
  const client = parts.identify(incoming)
  return {
    id: deps.ids.uuid(),
    verb: incoming.method as RequestFacts['verb'],
    path: address.path,
    query: address.query,
    headers,
    receivedAt: deps.clock.now(),
    remoteAddress: client.remoteAddress,
    remotePort: client.remotePort,
    tls: client.tls,
    certificate: client.certificate,
    forwardedCertificate: client.forwarded,
    forwardedForm: client.forwardedForm,
    origin: deps.settings.baseUrl || `${client.tls ? 'https' : 'http'}://${headers.host || 'localhost'}`,
    mount: undefined,
    presentedToken: '',
    wrapTtl: undefined,
    fields: noFields,
    fieldNotes: undefined,
  }
}

const noFields: Readonly<Record<string, unknown>> = Object.freeze({})

/** The first of these headers that says anything, since some go by several names; blanks around it do not count. */
export function firstHeader({ facts }: Exchange, names: readonly string[]): string {
  for (const name of names) {
    const value = facts.headers[name]
    const text = typeof value === 'string' ? value.trim() : ''
    if (text !== '') return text
  }
  return ''
}
