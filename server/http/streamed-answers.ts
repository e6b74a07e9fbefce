import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { Deps } from '../kit/deps.ts'
import type { Exchange } from './exchange.ts'
import { callerName } from './observe.ts'
import type { WireResponse } from './send.ts'

const isEventStream = ({ headers }: WireResponse): boolean =>
  headers['Content-Type']?.startsWith('text/event-stream') ?? false

/** Answers that are sent piece by piece. Their status was sent first, so what becomes of them shows here alone. */
export class StreamedAnswers {
  readonly #deps: Deps
  readonly #cut: { inc(labels: { readonly endpoint: string; readonly by: string }): void }
  readonly #underWay = { events: 0, content: 0 }

  constructor(deps: Deps) {
    this.#deps = deps
    const cutHelp = 'Answers that were not sent in full, by who ended them: server or client.'
    this.#cut = deps.metrics.counter('holdfast_http_answers_cut_total', cutHelp, ['endpoint', 'by'])
    const help = 'Answers that are being sent piece by piece: streams of events, and content such as states.'
    const gauge = deps.metrics.gauge('holdfast_http_streams', help, ['kind'], { combined: 'sum' })
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
