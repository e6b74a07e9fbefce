import { type ChainHead, type LineGroup, linkLines, type Prove } from '../../crypto/line-chains/line-chain.ts'
import { Acceptance } from '../../kernel/acceptance.ts'
import type { Clock } from '../../kernel/clock.ts'
import { runAfterPendingInput, runIsolated } from '../../kernel/event-loop.ts'
import { failure } from '../../kernel/failure.ts'
import type { Sink, WaitingSink } from './sink.ts'

/** What a queue of lines is made of. */
type LineQueueParts = {
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
type MakeLines = () => readonly string[]

type Waiting = { make: MakeLines; since: number; acceptance: Acceptance }

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
  #isBusy = false
  #whenIdle: (() => void)[] = []

  constructor(parts: LineQueueParts) {
    this.#parts = parts
    this.#head = parts.head
  }

  /** The end of the chain. */
  get head(): ChainHead {
    return this.#head
  }

  /** Writes lines, which are made when their turn has come. They are refused when the sink did not take them all. */
  add(make: MakeLines): Acceptance {
    // Those that wait together count as waiting since the first of them: only that one looks at the clock.
    const since = this.#waiting[0]?.since ?? this.#parts.clock.monotonic()
    const acceptance = new Acceptance()
    this.#waiting.push({ make, since, acceptance })
    if (!this.#isBusy) {
      this.#isBusy = true
      // Requests that arrived together are written together. Made one right after the other, lines take far less time than
      // one by one between other work, and so does writing them.
      runAfterPendingInput(this.#work)
    }
    return acceptance
  }

  /** Waits until everything added so far is written or has failed. */
  async drain(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  readonly #work = (): void => {
    while (this.#waiting.length > 0) {
      const pending = this.#write(makeBatch(this.#waiting.splice(0, maxBatch)))
      if (pending) {
        void pending.then(this.#work)
        return
      }
    }
    this.#isBusy = false
    for (const tell of this.#whenIdle.splice(0)) tell()
  }

  /** A sink that never waits lets nobody else wait either. */
  #write({ objects, waiting }: Batch): Promise<void> | undefined {
    const { sink } = this.#parts
    try {
      if (objects.length > 0) {
        const group = this.#link(objects)
        if (!('writeNow' in sink)) return this.#writeInTime(sink, group, waiting)
        sink.writeNow(group)
        this.#head = group.head
      }
    } catch (problem) {
      refuseAll(waiting, problem)
      return
    }
    acceptAll(waiting)
  }

  async #writeInTime(sink: WaitingSink, group: LineGroup, waiting: readonly Waiting[]): Promise<void> {
    const { timeoutMs, clock } = this.#parts
    const remaining = timeoutMs - (clock.monotonic() - (waiting[0]?.since ?? 0))
    try {
      if (remaining <= 0) throw tooLate()
      await sink.write(group, remaining, () => {
        this.#head = group.head
      })
    } catch (problem) {
      refuseAll(waiting, problem)
      return
    }
    acceptAll(waiting)
  }

  #link(objects: readonly string[]): LineGroup {
    const { prove, prefix } = this.#parts
    const group = linkLines(this.#head, objects, { prefix, prove, room: this.#room })
    this.#room = group.room.length <= keptRoom ? group.room : undefined
    return group
  }
}

/** Makes the lines of those that wait. One that cannot be made is refused by itself, and the others go on. */
function makeBatch(waiting: readonly Waiting[]): Batch {
  const batch: Batch = { objects: [], waiting: [] }
  for (const each of waiting) {
    try {
      batch.objects.push(...each.make())
      batch.waiting.push(each)
    } catch (thrown) {
      refuseAll([each], thrown)
    }
  }
  return batch
}

function acceptAll(waiting: readonly Waiting[]): void {
  for (const { acceptance } of waiting) runIsolated(() => acceptance.accept())
}

function refuseAll(waiting: readonly Waiting[], problem: unknown): void {
  for (const { acceptance } of waiting) runIsolated(() => acceptance.refuse(problem))
}

const tooLate = (): Error =>
  failure('unavailable', 'audit.blocked', 'The audit device did not accept the record in time: it is blocked.')
