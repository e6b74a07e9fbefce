import type { ServerResponse } from 'node:http'
import { failure } from '../kernel/failure.ts'

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
