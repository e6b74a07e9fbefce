import { Readable } from 'node:stream'
import type { Principal } from '../kernel/principal.ts'
import type { Deps } from '../kit/deps.ts'
import type { Call, RequestFacts } from '../kit/endpoint.ts'
import type { Exchange } from './exchange.ts'
import { streamBody } from './listener/index.ts'

/** What rules and handlers are given. */
export const callOf = (exchange: Exchange, deps: Deps = exchange.deps): Call => new ExchangeCall(exchange, deps)

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

  constructor(exchange: Exchange, deps: Deps) {
    this.deps = deps
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
    return Readable.from(this.pieces, { objectMode: false })
  }

  /** The body of an endpoint that reads it as a stream; it may take long in all, but not pause for long. */
  get pieces(): AsyncIterable<Uint8Array> {
    const { endpoint, incoming, limits } = this.#exchange
    const { maxBytes, inMemory } = endpoint?.body?.kind === 'stream' ? endpoint.body : { maxBytes: 0, inMemory: false }
    const idleMs = limits.bodyDeadlineMs
    return streamBody(incoming, { maxBytes, idleMs, place: inMemory ? this.#exchange : undefined })
  }
}
