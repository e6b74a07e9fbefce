import { setTimeout as sleep } from 'node:timers/promises'

/** Waits this many milliseconds. If the signal is aborted meanwhile, it throws the reason of that, as fetching would. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch (thrown) {
    // The timer says only that it was aborted.
    signal.throwIfAborted()
    throw thrown
  }
}

/** How long to wait after a first failure, and at most, in milliseconds. */
type Waits = { readonly first: number; readonly longest: number }

/** Milliseconds to wait after so many failures in a row: twice as long after each one. */
export const backOff = ({ first, longest }: Waits, failures: number): number =>
  Math.min(longest, first * 2 ** Math.max(0, failures - 1))
