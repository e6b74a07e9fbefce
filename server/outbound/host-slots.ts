type Waiting = { grant: () => void }
type Slots = { taken: number; queue: Waiting[] }

/** Keeps the number of calls to one host at once below a limit; the others wait in line. */
export class HostSlots {
  readonly #limit: number
  readonly #hosts = new Map<string, Slots>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Waits for a place at the host and returns the function that frees it. Rejects when the signal is aborted first. */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const slots = this.#hosts.get(host) ?? { taken: 0, queue: [] }
    this.#hosts.set(host, slots)
    if (slots.taken < this.#limit) slots.taken += 1
    else await this.#wait(slots, signal)
    let given = false
    return () => {
      if (!given) this.#giveBack(host, slots)
      given = true
    }
  }

  #wait(slots: Slots, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        slots.queue.splice(slots.queue.indexOf(entry), 1)
        reject(signal.reason)
      }
      const entry: Waiting = {
        grant: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      slots.queue.push(entry)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBack(host: string, slots: Slots): void {
    const next = slots.queue.shift()
    // The place is handed to the next in line, so the count stays.
    if (next) next.grant()
    else slots.taken -= 1
    if (slots.taken === 0) this.#hosts.delete(host)
  }
}
