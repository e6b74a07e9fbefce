import { type Failure, failure } from '../kernel/failure.ts'

/**
 * Memory that callers nobody knows share for large bodies. What does not fit is refused at once: bodies that are on their
 * way for as long as they may be would fill any queue.
 */
export class StrangersRoom {
  #free: number

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Does something that needs so many bytes meanwhile. */
  async lend<T>(bytes: number, work: () => Promise<T>): Promise<T> {
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
