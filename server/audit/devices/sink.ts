/** How many lines of a batch were written for certain, and why not all. */
export type Taken = { taken: number; problem?: unknown }

/**
 * Lines to be written, whole, with their line feeds: the first `length` bytes of `room`. They belong to the sink only until
 * it has answered.
 */
export type Lines = { readonly room: Buffer; readonly length: number; readonly ends: readonly number[] }

type Target = {
  /** Opens the target anew, after it was moved away. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A sink that takes lines at once. What it did not take is known to be absent. It never throws. */
export type PromptSink = Target & { writeNow(lines: Lines): Taken }

/** A sink that may have to wait, at most so many milliseconds. What it did not take may still have arrived. */
export type WaitingSink = Target & { write(lines: Lines, withinMs: number): Promise<Taken> }

/** Where the lines of a device go, in order. */
export type Sink = PromptSink | WaitingSink

/** A batch that was not written at all, or of which nobody knows. */
export const noneTaken = (problem: unknown): Taken => ({ taken: 0, problem })
