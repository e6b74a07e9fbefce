import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../kernel/clock.ts'

/** How much work one judgement may cost. A chain that needs more is refused, not served slowly. */
type Limits = {
  readonly signatures: number
  readonly steps: number
  readonly comparisons: number
  /** Milliseconds of work on this judgement; the time that other requests take meanwhile does not count. */
  readonly milliseconds: number
  /** Certificates a client may send besides its own. */
  readonly intermediates: number
}

/** Far above what any honest chain needs, far below what other requests would notice. */
export const defaultLimits: Limits = {
  signatures: 100,
  steps: 5_000,
  comparisons: 250_000,
  milliseconds: 750,
  intermediates: 128,
}

/** After so many milliseconds of work in one go, everybody else gets a turn. */
const turnMs = 10

/** What is left of the limits during one judgement. */
export class Budget {
  comparisons: number
  #signatures: number
  #steps: number
  #milliseconds: number
  #turnStart: number
  readonly #monotonic: () => number

  constructor(limits: Limits = defaultLimits, monotonic: () => number = systemClock.monotonic) {
    this.comparisons = limits.comparisons
    this.#signatures = limits.signatures
    this.#steps = limits.steps
    this.#milliseconds = limits.milliseconds
    this.#monotonic = monotonic
    this.#turnStart = monotonic()
  }

  /** Starts counting time again after a pause that does not count. */
  resume(): void {
    this.#turnStart = this.#monotonic()
  }

  get isSpent(): boolean {
    return this.#signatures < 0 || this.#steps < 0 || this.comparisons < 0 || this.#milliseconds < 0
  }

  /** Takes one signature check; false when there is none left. */
  spendSignature(): boolean {
    return --this.#signatures >= 0
  }

  /** Takes one step of the search, and gives way to others when it is time. */
  async step(): Promise<void> {
    this.#steps--
    const elapsed = this.#monotonic() - this.#turnStart
    if (elapsed < turnMs) return
    this.#milliseconds -= elapsed
    await nextTurn()
    this.resume()
  }
}
