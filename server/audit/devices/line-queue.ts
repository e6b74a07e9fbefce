import { type ChainHead, LineBatch, type Prove } from '../../crypto/line-chain.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { Sink, WaitingSink } from './sink.ts'

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

type Waiting = { objects: readonly string[]; since: number; done: () => void; failed: (problem: unknown) => void }

const maxBatch = 1024

/** Memory that is kept for the next batch. */
const keptRoom = 4 * 1024 * 1024

/**
 * Gives lines their place in the chain and hands them to the sink in order. One that never waits gets each line at once;
 * for others the lines of concurrent requests are gathered and written with one call. A line's place is given when it is
 * written; where it is certain that a failed line did not arrive, its place is given again.
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

  /**
   * Writes JSON objects, given without their closing braces, as lines that follow each other; throws or rejects when the
   * sink did not take them all.
   */
  add(objects: readonly string[]): Promise<void> | void {
    const { sink } = this.#parts
    if ('write' in sink) return this.#wait(sink, objects)
    const lines = this.#link(objects)
    const { taken, problem } = sink.writeNow(lines)
    this.#head = lines.headAfter(taken)
    if (taken < objects.length) throw problem
  }

  #wait(sink: WaitingSink, objects: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ objects, since: this.#parts.clock.monotonic(), done: resolve, failed: reject })
      this.#running ??= this.#run(sink)
    })
  }

  /** Waits until everything added so far is settled. */
  async settle(): Promise<void> {
    await this.#running
  }

  async #run(sink: WaitingSink): Promise<void> {
    // One turn of the event loop: requests that arrived together are written together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch)
      const remaining = this.#parts.timeoutMs - (this.#parts.clock.monotonic() - (batch[0]?.since ?? 0))
      if (remaining > 0) await this.#write(sink, batch, remaining)
      else for (const { failed } of batch) failed(tooLate())
    }
    this.#running = undefined
  }

  async #write(sink: WaitingSink, batch: readonly Waiting[], withinMs: number): Promise<void> {
    const lines = this.#link(batch.flatMap(({ objects }) => objects))
    const { taken, problem } = await sink.write(lines, withinMs)
    this.#head = lines.head
    let end = 0
    for (const { objects, done, failed } of batch) {
      end += objects.length
      if (end <= taken) done()
      else failed(problem)
    }
  }

  /** The last line of a batch proves all before it. */
  #link(objects: readonly string[]): LineBatch {
    const { prove, prefix } = this.#parts
    const lines = new LineBatch(this.#head, this.#room)
    const last = objects.length - 1
    for (let index = 0; index <= last; index++) {
      lines.add(`${prefix}${objects[index]}`, index === last ? prove : undefined)
    }
    this.#room = lines.room.length <= keptRoom ? lines.room : undefined
    return lines
  }
}

const tooLate = (): Error =>
  failure('unavailable', 'audit.blocked', 'The audit device did not take the record in time: it is blocked.')
