import { type ChainHead, linkLine, type Prove } from '../../crypto/line-chain.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import type { Sink } from './sink.ts'

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

type Waiting = { object: string; since: number; done: () => void; failed: (problem: unknown) => void }

const maxBatch = 1024

/**
 * Gathers the lines of concurrent requests and writes them in order, many with one call. A line counts as taken when
 * the sink has it; its place in the chain is given at that moment, so that a failed line leaves no hole.
 */
export class LineQueue {
  readonly #parts: LineQueueParts
  #head: ChainHead
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

  /** Writes a JSON object as a line; resolves when the sink has it. */
  add(object: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ object, since: this.#parts.clock.monotonic(), done: resolve, failed: reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits until everything added so far is settled. */
  async settle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // One turn of the event loop: requests that arrived together are written together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch)
      const remaining = this.#parts.timeoutMs - (this.#parts.clock.monotonic() - (batch[0]?.since ?? 0))
      if (remaining > 0) await this.#write(batch, remaining)
      else for (const { failed } of batch) failed(tooLate())
    }
    this.#running = undefined
  }

  async #write(batch: readonly Waiting[], withinMs: number): Promise<void> {
    const { sink, prove, prefix } = this.#parts
    const heads = [this.#head]
    const lines: string[] = []
    let end = this.#head
    for (const [index, { object }] of batch.entries()) {
      const linked = linkLine(end, `${prefix}${object}`, index === batch.length - 1 ? prove : undefined)
      lines.push(linked.line)
      heads.push(linked.head)
      end = linked.head
    }
    const { taken, problem } = await sink.write(lines, withinMs)
    this.#head = heads[sink.exact ? taken : lines.length] ?? this.#head
    for (const [index, { done, failed }] of batch.entries()) {
      if (index < taken) done()
      else failed(problem)
    }
  }
}

const tooLate = (): Error =>
  failure('unavailable', 'audit.blocked', 'The audit device did not take the record in time: it is blocked.')
