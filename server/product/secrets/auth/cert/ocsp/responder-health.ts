import { LRUCache } from 'lru-cache'

/** An attempt that fails after this many milliseconds has kept a login waiting; one that fails sooner has not. */
const slowThreshold = 2_000

/** After this many slow failures in a row, a responder is left alone for a while. */
const maxSlowFailures = 3

/** How long, in milliseconds. The next login after that finds out whether it works again. */
const restPeriod = 10_000

type Health = { readonly failures: number; readonly restsUntil: number }

/**
 * Remembers which responders keep logins waiting. Otherwise every login with a certificate whose responder hangs would
 * take all the time that a login has for OCSP. Times are monotonic.
 */
export class ResponderHealth {
  // Bounded, because certificates name responders and so strangers choose the keys.
  readonly #servers = new LRUCache<string, Health>({ max: 1_000 })

  /** False while the responder is left alone. */
  mayAsk(server: string, now: number): boolean {
    return now >= (this.#servers.get(server)?.restsUntil ?? Number.NEGATIVE_INFINITY)
  }

  /** Notes how a question ended that began at this time. */
  note(server: string, isAnswered: boolean, times: { readonly began: number; readonly now: number }): void {
    if (isAnswered || times.now - times.began < slowThreshold) {
      this.#servers.delete(server)
      return
    }
    const failures = (this.#servers.get(server)?.failures ?? 0) + 1
    const restsUntil = failures >= maxSlowFailures ? times.now + restPeriod : Number.NEGATIVE_INFINITY
    this.#servers.set(server, { failures, restsUntil })
  }
}
