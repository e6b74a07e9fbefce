/** Lets work on one thing be done one after another within this process; work on other things goes on beside it. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /** Does the work when all that was asked for before it, under the same key, is done or has failed. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const { promise: mine, resolve: done } = Promise.withResolvers<void>()
    this.#last.set(key, mine)
    await before
    try {
      return await work()
    } finally {
      done()
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
