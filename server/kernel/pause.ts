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
