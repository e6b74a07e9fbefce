/** For how long a failure that was just logged is only counted. */
const quietMs = 10_000
/** So many different failures are remembered; beyond that, each line is written. */
const maxRemembered = 1_000

type Remembered = { count: number; tell: (count: number) => void; timer: NodeJS.Timeout }

/**
 * Keeps a failure that meets every request, such as a full disk, from flooding the log: its first line is written at
 * once, and then one line per while that says how many there were.
 */
export class Repetitions {
  readonly #quietMs: number
  readonly #remembered = new Map<string, Remembered>()

  constructor(quiet: number = quietMs) {
    this.#quietMs = quiet
  }

  /** True if the line is to be written now. Otherwise it is counted, and the last `tell` gets the count later. */
  isNew(failure: string, tell: (count: number) => void): boolean {
    const known = this.#remembered.get(failure)
    if (known) {
      known.count += 1
      known.tell = tell
      return false
    }
    if (this.#remembered.size < maxRemembered)
      this.#remembered.set(failure, { count: 0, tell, timer: this.#checkAgainAt(failure) })
    return true
  }

  /** Writes what was only counted so far, for a process that is about to end. */
  flush(): void {
    for (const { count, tell, timer } of this.#remembered.values()) {
      clearTimeout(timer)
      if (count > 0) tell(count)
    }
    this.#remembered.clear()
  }

  #checkAgainAt(failure: string): NodeJS.Timeout {
    return setTimeout(() => this.#checkAgain(failure), this.#quietMs).unref()
  }

  #checkAgain(failure: string): void {
    const known = this.#remembered.get(failure)
    if (!known || known.count === 0) {
      this.#remembered.delete(failure)
      return
    }
    const { count, tell } = known
    known.count = 0
    known.timer = this.#checkAgainAt(failure)
    tell(count)
  }
}
