import { type ChainHead, type LineGroup, linkLines, type Prove } from '../../crypto/line-chains/line-chain.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { Sink } from './sink.ts'

/** What a queue of lines is made of. */
export type LineQueueParts = {
  sink: Sink
  head: ChainHead
  /** With it, each group ends in a line that only holders of the key could make. */
  prove?: Prove | undefined
  clock: Pick<Clock, 'monotonic'>
  /** Longest time a line may wait and be written, in milliseconds. */
  timeoutMs: number
  /** Written before each line. */
  prefix: string
}

/** Makes lines that follow each other: JSON objects without their closing braces. */
export type MakeLines = () => readonly string[]

type Waiting = { make: MakeLines; since: number; done: () => void; failed: (problem: unknown) => void }

/** Lines that were made, and who waits for them to be written. */
type Batch = { objects: string[]; waiting: Waiting[] }

const maxBatch = 1024

/** Memory that is kept for the next group. */
const keptRoom = 4 * 1024 * 1024

/**
 * Gives lines their place in the chain and hands them to the sink in order. The lines of requests that came together are
 * a group, which is written with one call and taken as a whole or not. A line's place is given when it is written; where it
 * is certain that a failed group did not arrive whole, its places are given again.
 */
export class LineQueue {
  readonly #parts: LineQueueParts
  #head: ChainHead
  #room: Buffer | undefined
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(parts: LineQueueParts) {
    this.#parts = parts
    this.#head = parts.head
  }

  /** The end of the chain. */
  get head(): ChainHead {
    return this.#head
  }

  /** Writes lines, which are made when their turn has come; rejects when the sink did not take them all. */
  add(make: MakeLines): Promise<void> {
    return new Promise((resolve, reject) => {
      // Whoever joins others has waited as long as they have: only the first looks at the clock.
      const since = this.#waiting[0]?.since ?? this.#parts.clock.monotonic()
      this.#waiting.push({ make, since, done: resolve, failed: reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits until everything added so far is settled. */
  async settle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // One turn of the event loop: requests that arrived together are written together. Made one right after the other,
    // lines take far less time than one by one between other work, and so does writing them.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const { objects, waiting } = made(this.#waiting.splice(0, maxBatch))
      try {
        if (objects.length > 0) await this.#write(objects, waiting[0]?.since ?? 0)
        for (const { done } of waiting) done()
      } catch (problem) {
        for (const { failed } of waiting) failed(problem)
      }
    }
    this.#running = undefined
  }

  async #write(objects: readonly string[], since: number): Promise<void> {
    const { sink, timeoutMs, clock } = this.#parts
    const group = this.#link(objects)
    if ('writeNow' in sink) {
      sink.writeNow(group)
      this.#head = group.head
      return
    }
    const remaining = timeoutMs - (clock.monotonic() - since)
    if (remaining <= 0) throw tooLate()
    await sink.write(group, remaining, () => {
      this.#head = group.head
    })
  }

  #link(objects: readonly string[]): LineGroup {
    const { prove, prefix } = this.#parts
    const group = linkLines(this.#head, objects, { prefix, prove, room: this.#room })
    this.#room = group.room.length <= keptRoom ? group.room : undefined
    return group
  }
}

/** Has lines made. Who cannot make any fails alone. */
function made(waiting: readonly Waiting[]): Batch {
  const batch: Batch = { objects: [], waiting: [] }
  for (const each of waiting) {
    try {
      batch.objects.push(...each.make())
      batch.waiting.push(each)
    } catch (thrown) {
      each.failed(thrown)
    }
  }
  return batch
}

const tooLate = (): Error =>
  failure('unavailable', 'audit.blocked', 'The audit device did not take the record in time: it is blocked.')
