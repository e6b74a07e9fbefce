import { setTimeout as sleep } from 'node:timers/promises'
import { type Worker, workerData } from 'node:worker_threads'

/** Memory that a thread shares with whoever started it: whether it does uninterrupted work, and whether it is to end. */
export type Latch = Int32Array<SharedArrayBuffer>

const [isBusy, isEnding] = [0, 1]

/** A latch for one thread, which is given it as `latch` in its data. */
export const newLatch = (): Latch => new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

/**
 * Does work that the end of the thread must not cut short. Every compressor and decompressor is made in here: Node.js brings
 * the whole process down if a thread ends after one was made and before it was initialised.
 */
export function uninterrupted<T>(work: () => T): T {
  const latch = (workerData as { latch?: Latch } | null)?.latch
  if (latch === undefined) return work()
  // Busy is set before the end is read, and the other side does the reverse: either it sees that work goes on here, or
  // this side sees that it must not begin.
  Atomics.store(latch, isBusy, 1)
  try {
    if (Atomics.load(latch, isEnding) === 0) return work()
  } finally {
    Atomics.store(latch, isBusy, 0)
  }
  Atomics.wait(latch, isEnding, 1)
  throw new Error('The thread has been ended.')
}

/** Ends a thread wherever it is, but not during uninterrupted work. */
export async function endThread(thread: Worker, latch: Latch): Promise<void> {
  Atomics.store(latch, isEnding, 1)
  // A thread that has died does no work, even if it left the mark.
  while (thread.threadId !== -1 && Atomics.load(latch, isBusy) === 1) await sleep(1)
  await thread.terminate()
}
