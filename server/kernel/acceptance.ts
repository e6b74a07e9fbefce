type Outcome = { readonly problem?: unknown }

/**
 * Tells whoever handed something over that it was accepted, or why it was not. It calls back synchronously: a promise
 * would wait behind everything queued before it, and so miss the turn of the event loop in which this happened.
 */
export class Acceptance {
  #outcome: Outcome | undefined
  #onAccepted: (() => void) | undefined
  #onRefused: ((problem: unknown) => void) | undefined

  /** An acceptance that follows a promise. */
  static of(taking: Promise<void>): Acceptance {
    const acceptance = new Acceptance()
    taking.then(
      () => acceptance.accept(),
      (problem) => acceptance.refuse(problem),
    )
    return acceptance
  }

  /** Sets the callbacks; there is one pair only, and it is called at once if the outcome is known. */
  onOutcome(taken: () => void, refused: (problem: unknown) => void): void {
    this.#onAccepted = taken
    this.#onRefused = refused
    this.#deliver()
  }

  /** The same as a promise, for callers that can wait. */
  promise(): Promise<void> {
    return new Promise((resolve, reject) => this.onOutcome(resolve, reject))
  }

  /**
   * An acceptance whose problem is passed to `judge`, which throws the problem to report, or returns if there is none after
   * all.
   */
  orElse(judge: (problem: unknown) => void): Acceptance {
    const judged = new Acceptance()
    this.onOutcome(
      () => judged.accept(),
      (problem) => {
        try {
          judge(problem)
        } catch (thrown) {
          judged.refuse(thrown)
          return
        }
        judged.accept()
      },
    )
    return judged
  }

  /** Notes that it was accepted. */
  accept(): void {
    this.#outcome = {}
    this.#deliver()
  }

  /** Notes that it was refused, and why. */
  refuse(problem: unknown): void {
    this.#outcome = { problem }
    this.#deliver()
  }

  #deliver(): void {
    if (!this.#outcome || !this.#onAccepted || !this.#onRefused) return
    if ('problem' in this.#outcome) this.#onRefused(this.#outcome.problem)
    else this.#onAccepted()
  }
}
