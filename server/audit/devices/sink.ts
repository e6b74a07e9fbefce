/** How many lines of a batch were written for certain, and why not all. */
export type Taken = { taken: number; problem?: unknown }

/** Where the lines of a device go. Lines are whole, with their line feeds. */
export type Sink = {
  /** Writes lines in order, in at most this many milliseconds. It never throws. */
  write(lines: readonly string[], withinMs: number): Taken | Promise<Taken>
  /** Opens the target anew, after it was moved away. */
  reopen(): Promise<void>
  close(): Promise<void>
  /** True if lines that were not taken are known to be absent, so that their numbers can be given again. */
  readonly exact: boolean
}

/** A batch that was not written at all, or of which nobody knows. */
export const noneTaken = (problem: unknown): Taken => ({ taken: 0, problem })
