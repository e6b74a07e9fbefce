import type { LineGroup } from '../../crypto/line-chains/line-chain.ts'

type Target = {
  /** Opens the target again, after it was moved away. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A sink that takes a group of lines at once, or throws: then it is known that the group is not there as a whole. */
export type PromptSink = Target & { writeNow(group: LineGroup): void }

/**
 * A sink that may have to wait, at most so many milliseconds. It says when the first byte leaves: from then on a group that
 * it did not take may still have arrived.
 */
export type WaitingSink = Target & { write(group: LineGroup, withinMs: number, leaving: () => void): Promise<void> }

/** Where the lines of a device go, in order. Their memory belongs to the sink only until it has answered. */
export type Sink = PromptSink | WaitingSink
