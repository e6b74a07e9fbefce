import { type Failure, failure } from '../kernel/failure.ts'

/**
 * Memory that unknown callers share for large bodies. What does not fit is refused at once and not queued: bodies that
 * arrive as slowly as they may would fill any queue.
 */
export class AnonymousBodyMemory {
  #free: number

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Does work that needs this many bytes while it lasts. */
  async reserve<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes > this.#free) throw noRoom()
    this.#free -= bytes
    try {
      return await work()
    } finally {
      this.#free += bytes
    }
  }
}

const noRoom = (): Failure =>
  failure('unavailable', 'body.no-room', 'Too many large requests at once; try again.', { retryAfter: 5 })
