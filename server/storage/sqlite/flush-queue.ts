import type { LogFlusher } from './log-flusher.ts'
import type { Work } from './work.ts'

/** Who is notified of a flush. */
type FlushListener = {
  /** This work is on disk. */
  flushed(work: Work): void
  /** These works may not be. */
  failed(works: readonly Work[], cause: unknown): void
  /** There is nothing to flush any more. */
  ended(): void
}

/** Flushes the log for those who have committed: one flush at a time, each for all who committed before it began. */
export class FlushQueue {
  readonly #flusher: LogFlusher
  readonly #listener: FlushListener
  #waiting: Work[] = []
  #isBusy = false

  constructor(flusher: LogFlusher, listener: FlushListener) {
    this.#flusher = flusher
    this.#listener = listener
  }

  /** True while a flush is going on. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Takes works that are committed. */
  add(works: readonly Work[]): void {
    this.#waiting.push(...works)
    if (!this.#isBusy) void this.#run()
  }

  async close(): Promise<void> {
    await this.#flusher.close()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const works = this.#waiting
      this.#waiting = []
      const problem = await this.#flush()
      if (problem) this.#listener.failed([...works, ...this.#waiting.splice(0)], problem.cause)
      else for (const work of works) this.#listener.flushed(work)
    }
    this.#isBusy = false
    this.#listener.ended()
  }

  /** Returns why the disk did not accept the log; nothing else may count as that. */
  async #flush(): Promise<{ readonly cause: unknown } | undefined> {
    try {
      await this.#flusher.flush()
      return undefined
    } catch (cause) {
      return { cause }
    }
  }
}
