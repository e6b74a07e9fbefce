import { type ChainHead, LineBatch, type Prove } from '../../crypto/line-chain.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import { noneTaken, type Sink, type Taken } from './sink.ts'

/** What a queue of lines is made of. */
export type LineQueueParts = {
  sink: Sink
  head: ChainHead
  /** With it, each batch ends in a line that only holders of the key could make. */
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

type Made = Waiting & { objects: readonly string[] }

const maxBatch = 1024

/** Memory that is kept for the next batch. */
const keptRoom = 4 * 1024 * 1024

/**
 * Gives lines their place in the chain and hands them to the sink in order. The lines of requests that came together are
 * gathered and written with one call. A line's place is given when it is written; where it is certain that a failed line
 * did not arrive, its place is given again.
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
      this.#waiting.push({ make, since: this.#parts.clock.monotonic(), done: resolve, failed: reject })
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
      const batch = made(this.#waiting.splice(0, maxBatch))
      const { taken, problem } = await this.#write(batch)
      let end = 0
      for (const { objects, done, failed } of batch) {
        end += objects.length
        if (end <= taken) done()
        else failed(problem)
      }
    }
    this.#running = undefined
  }

  async #write(batch: readonly Made[]): Promise<Taken> {
    const { sink, timeoutMs, clock } = this.#parts
    const lines = this.#link(batch)
    if ('writeNow' in sink) {
      const written = sink.writeNow(lines)
      this.#head = lines.headAfter(written.taken)
      return written
    }
    const remaining = timeoutMs - (clock.monotonic() - (batch[0]?.since ?? 0))
    if (remaining <= 0) return noneTaken(tooLate())
    const written = await sink.write(lines, remaining)
    this.#head = lines.head
    return written
  }

  /** The last line of a batch proves all before it. */
  #link(batch: readonly Made[]): LineBatch {
    const { prove, prefix } = this.#parts
    const lines = new LineBatch(this.#head, this.#room)
    const objects = batch.flatMap((each) => each.objects)
    const last = objects.length - 1
    for (let index = 0; index <= last; index++) {
      lines.add(`${prefix}${objects[index]}`, index === last ? prove : undefined)
    }
    this.#room = lines.room.length <= keptRoom ? lines.room : undefined
    return lines
  }
}

/** Has lines made. Who cannot make any fails alone. */
function made(batch: readonly Waiting[]): Made[] {
  return batch.flatMap((each) => {
    try {
      return { ...each, objects: each.make() }
    } catch (thrown) {
      each.failed(thrown)
      return []
    }
  })
}

const tooLate = (): Error =>
  failure('unavailable', 'audit.blocked', 'The audit device did not take the record in time: it is blocked.')
