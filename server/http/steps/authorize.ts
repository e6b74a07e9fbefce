import { Readable } from 'node:stream'
import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import type { Principal, TokenPrincipal } from '../../kernel/principal.ts'
import { permissionDenied } from '../../kit/access.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Access, Call, RequestFacts } from '../../kit/endpoint.ts'
import type { Exchange, Step } from '../exchange.ts'
import { streamBody } from '../listener/index.ts'

/** Step 4 under `/v1`: the policies of the token decide, also about paths nobody serves. */
export const authorizeByPolicy: Step = (exchange) => {
  const { endpoint, match, caller, facts, deps } = exchange
  const access = (endpoint ?? match?.siblings[0])?.access
  if (access && access.kind !== 'acl') return checkRule(exchange)
  if (caller.kind !== 'token') throw permissionDenied()
  if (!endpoint?.exists || exchange.operation !== 'update') return askPolicies(exchange, caller, access)
  return endpoint.exists({ deps, request: facts, params: match?.params ?? {} }).then((found) => {
    if (!found) exchange.operation = 'create'
    return askPolicies(exchange, caller, access)
  })
}

function askPolicies(exchange: Exchange, caller: TokenPrincipal, access: Access | undefined): Awaitable<void> {
  const { facts, deps } = exchange
  const verdict = deps.hooks.authorize(caller, {
    path: facts.path,
    operation: exchange.operation,
    sudo: access?.kind === 'acl' && access.sudo,
    fields: facts.fields,
    wrapTtl: facts.wrapTtl,
  })
  return andThen(verdict, (decided) => {
    exchange.verdict = decided
    if (!decided.allowed) throw permissionDenied()
  })
}

/** Step 4 elsewhere: the endpoint's own rule over caller and resource. */
export const checkRule: Step = (exchange) => {
  const access = exchange.endpoint?.access
  if (access?.kind !== 'rule') return
  return andThen(access.check(callOf(exchange)), (loaded) => {
    exchange.subject = loaded
  })
}

/** What rules and handlers are given. */
export const callOf = (exchange: Exchange): Call => new ExchangeCall(exchange)

const noParams: Readonly<Record<string, string>> = Object.freeze({})

class ExchangeCall implements Call {
  readonly deps: Deps
  readonly caller: Principal
  readonly request: RequestFacts
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly subject: unknown
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.deps = exchange.deps
    this.caller = exchange.caller
    this.request = exchange.facts
    this.params = exchange.match?.params ?? noParams
    this.query = exchange.query as Record<string, unknown>
    this.body = exchange.body
    this.subject = exchange.subject
    this.#exchange = exchange
  }

  /** Made when asked for: one that the constructor assigns would keep every request among the old objects (docs/decisions/0012). */
  get warn(): (text: string) => void {
    const { warnings } = this.#exchange
    return (text) => void warnings.push(text)
  }

  get signal(): AbortSignal {
    return this.#exchange.deadline.signal
  }

  get stream(): Readable {
    return bodyStream(this.#exchange)
  }
}

/** The body of an endpoint that reads it as a stream; it may take long in all, but not pause for long. */
function bodyStream({ endpoint, incoming, limits }: Exchange): Readable {
  if (endpoint?.body?.kind !== 'stream') return incoming
  const { maxBytes } = endpoint.body
  return Readable.from(streamBody(incoming, { maxBytes, idleMs: limits.bodyDeadlineMs }), { objectMode: false })
}
