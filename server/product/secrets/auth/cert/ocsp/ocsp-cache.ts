import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../../../kernel/clock.ts'
import { isNearExpiry, type OcspAnswer, rememberedUntil } from './ocsp-rules.ts'

type Entry = { readonly answer: OcspAnswer; readonly storedAt: Instant }

/** Answers of one mount, shared by its roles, and the questions that are being asked right now. */
export class OcspCache {
  #entries: LRUCache<string, Entry>
  readonly #asking = new Map<string, Promise<OcspAnswer>>()

  constructor(size: number) {
    this.#entries = new LRUCache({ max: size })
  }

  /** Starts again with an empty cache if the size was changed. */
  resize(size: number): void {
    if (this.#entries.max !== size) this.#entries = new LRUCache({ max: size })
  }

  /** A remembered answer that is still good for a role with this maximum age, and whether it is about to expire. */
  find(key: string, now: Instant, maxAge: number): { answer: OcspAnswer; isEnding: boolean } | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const until = rememberedUntil(entry.answer, entry.storedAt, maxAge)
    if (until !== undefined && now < until)
      return { answer: entry.answer, isEnding: isNearExpiry({ storedAt: entry.storedAt, until }, now) }
    this.#entries.delete(key)
    return undefined
  }

  /**
   * Asks once for all callers that share a question at the same time, and remembers under `key` what may be remembered.
   * Callers share it if their `sharedBy` is the same.
   */
  async ask(
    { key, sharedBy }: { key: string; sharedBy: string },
    now: Instant,
    question: () => Promise<OcspAnswer>,
  ): Promise<OcspAnswer> {
    const running = this.#asking.get(sharedBy)
    if (running) return running
    const asking = question()
    this.#asking.set(sharedBy, asking)
    try {
      const answer = await asking
      if (rememberedUntil(answer, now, 0) !== undefined) this.#entries.set(key, { answer, storedAt: now })
      // The responder has given a new answer that cannot be remembered: the one from before no longer counts.
      else if ('thisUpdate' in answer) this.#entries.delete(key)
      return answer
    } finally {
      this.#asking.delete(sharedBy)
    }
  }
}
