import type { Instant } from '../kernel/clock.ts'

/** Something that somebody has to look at. */
export type Concern = {
  /** What is the matter, as a word: `lock-held`, `snapshot-failed`. */
  readonly kind: string
  /** True if something does not work already; otherwise it will not, if nobody does anything. */
  readonly failed: boolean
  /** The name of what it is about. */
  readonly name: string
  /** One sentence. */
  readonly text: string
  /** Since when it is so, or when it will be. */
  readonly at: Instant | null
}
