import { LRUCache } from 'lru-cache'

/** An attempt that fails after so many milliseconds has kept a login waiting; one that is refused at once has not. */
const slow = 2_000

/** So many slow failures in a row, and a responder is left alone for a while. */
const patience = 3

/** How long, in milliseconds. After that one login in earnest tells whether it is back. */
const rest = 10_000

type Health = { readonly failures: number; readonly restsUntil: number }

/**
 * Remembers which responders keep logins waiting. Without this every login of a certificate whose responder hangs would take
 * the whole time a login has for it, one after the other. Times are monotonic.
 */
export class ResponderHealth {
  // Certificates name responders, so strangers choose the keys.
  readonly #servers = new LRUCache<string, Health>({ max: 1_000 })

  /** False while the responder is left alone. */
  mayAsk(server: string, now: number): boolean {
    return now >= (this.#servers.get(server)?.restsUntil ?? Number.NEGATIVE_INFINITY)
  }

  /** Takes note of how a question ended that began at this time. */
  note(server: string, isAnswered: boolean, times: { readonly began: number; readonly now: number }): void {
    if (isAnswered || times.now - times.began < slow) {
      this.#servers.delete(server)
      return
    }
    const failures = (this.#servers.get(server)?.failures ?? 0) + 1
    const restsUntil = failures >= patience ? times.now + rest : Number.NEGATIVE_INFINITY
    this.#servers.set(server, { failures, restsUntil })
  }
}
