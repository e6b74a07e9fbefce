type Outcome = { readonly problem?: unknown }

/**
 * Tells whoever handed something over that it was accepted, or why it was not. It calls back synchronously: a promise
 * would wait behind everything queued before it, and so miss the turn of the event loop in which this happened.
 */
export class Receipt {
  #outcome: Outcome | undefined
  #taken: (() => void) | undefined
  #refused: ((problem: unknown) => void) | undefined

  /** A receipt that follows a promise. */
  static of(taking: Promise<void>): Receipt {
    const receipt = new Receipt()
    taking.then(
      () => receipt.take(),
      (problem) => receipt.refuse(problem),
    )
    return receipt
  }

  /** Sets the callbacks; there is one pair only, and it is called at once if the outcome is known. */
  tell(taken: () => void, refused: (problem: unknown) => void): void {
    this.#taken = taken
    this.#refused = refused
    this.#pass()
  }

  /** The same as a promise, for callers that can wait. */
  promise(): Promise<void> {
    return new Promise((resolve, reject) => this.tell(resolve, reject))
  }

  /**
   * A receipt whose problem is passed to `judge`, which throws the problem to report, or returns if there is none after
   * all.
   */
  orElse(judge: (problem: unknown) => void): Receipt {
    const judged = new Receipt()
    this.tell(
      () => judged.take(),
      (problem) => {
        try {
          judge(problem)
        } catch (thrown) {
          judged.refuse(thrown)
          return
        }
        judged.take()
      },
    )
    return judged
  }

  /** Notes that it was accepted. */
  take(): void {
    this.#outcome = {}
    this.#pass()
  }

  /** Notes that it was refused, and why. */
  refuse(problem: unknown): void {
    this.#outcome = { problem }
    this.#pass()
  }

  #pass(): void {
    if (!this.#outcome || !this.#taken || !this.#refused) return
    if ('problem' in this.#outcome) this.#refused(this.#outcome.problem)
    else this.#taken()
  }
}
