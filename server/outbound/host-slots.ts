/** The calls to a host that are under way, and how to let those in that wait. */
type Slots = { taken: number; queue: (() => void)[] }

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
    let isFreed = false
    return () => {
      if (!isFreed) this.#giveBack(host, slots)
      isFreed = true
    }
  }

  #wait(slots: Slots, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        slots.queue.splice(slots.queue.indexOf(enter), 1)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      slots.queue.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBack(host: string, slots: Slots): void {
    const enterNext = slots.queue.shift()
    // The place is handed to the next in line, so the count stays.
    if (enterNext) enterNext()
    else slots.taken -= 1
    if (slots.taken === 0) this.#hosts.delete(host)
  }
}
