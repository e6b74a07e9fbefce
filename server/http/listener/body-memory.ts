import type { ServerResponse } from 'node:http'
import { type Failure, failure } from '../../kernel/failure.ts'

/**
 * Memory that the large bodies of all requests of a process share, each from when it comes until its answer is sent. What
 * does not fit is refused at once: bodies that arrive as slowly as they may would fill any queue. Small ones do not count.
 */
export class BodyMemory {
  readonly limit: number
  #used = 0
  readonly #held = new WeakMap<ServerResponse, number>()

  constructor(bytes: number) {
    this.limit = bytes
  }

  get used(): number {
    return this.#used
  }

  /** Takes what has come of the body of a request; throws if there is no room for it. One alone may be as large as it may. */
  take(outgoing: ServerResponse, bytes: number): void {
    const held = this.#held.get(outgoing)
    if (this.#used + bytes > this.limit && this.#used > (held ?? 0)) throw noRoom()
    this.#used += bytes
    if (held === undefined) outgoing.once('close', () => this.#release(outgoing))
    this.#held.set(outgoing, (held ?? 0) + bytes)
  }

  #release(outgoing: ServerResponse): void {
    this.#used -= this.#held.get(outgoing) ?? 0
    this.#held.delete(outgoing)
  }
}

const noRoom = (): Failure =>
  failure('unavailable', 'body.no-room', 'Too many large requests at once; try again.', { retryAfter: 5 })
