type Outcome = { readonly problem?: unknown }

/**
 * Tells whoever handed something over that it was taken, or why it was not. It calls back at once, where a promise would
 * wait behind everything that is queued before it, and so miss the turn of the event loop in which this happened.
 */
export class Receipt {
  #outcome: Outcome | undefined
  #taken: (() => void) | undefined
  #refused: ((problem: unknown) => void) | undefined

  /** A receipt for what somebody else will take or refuse. */
  static of(taking: Promise<void>): Receipt {
    const receipt = new Receipt()
    taking.then(
      () => receipt.take(),
      (problem) => receipt.refuse(problem),
    )
    return receipt
  }

  /** Whom to tell; there is only one. */
  tell(taken: () => void, refused: (problem: unknown) => void): void {
    this.#taken = taken
    this.#refused = refused
    this.#pass()
  }

  /** The same as a promise, for callers that can wait. */
  promise(): Promise<void> {
    return new Promise((resolve, reject) => this.tell(resolve, reject))
  }

  /** A receipt with its problem judged: `judge` throws what is to be told of it, or returns if it is none. */
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

  /** It was taken. */
  take(): void {
    this.#outcome = {}
    this.#pass()
  }

  /** It was not. */
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
