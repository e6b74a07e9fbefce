import { fstatSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import type { LineGroup } from '../../crypto/line-chains/line-chain.ts'
import { failure, textOf } from '../../kernel/failure.ts'
import { LineAppender } from './line-appender.ts'
import type { PromptSink, Sink, WaitingSink } from './sink.ts'

const stdout = 1

/**
 * A device that writes to the standard output of the process. A file is written through its descriptor, since the stream
 * of Node does not report when a file took only part of a write.
 */
export const createStdoutSink = (): Sink =>
  mayBlock() ? createStreamSink(process.stdout) : createDescriptorSink(stdout)

/** Pipes and terminals take what they can, when they can; files and the like take it at once or never. */
function mayBlock(): boolean {
  const found = fstatSync(stdout)
  return found.isFIFO() || found.isSocket() || isatty(stdout)
}

const noopTarget = { reopen: async () => undefined, close: async () => undefined }

/** A device that writes to a stream. */
export function createStreamSink(stream: Writable): WaitingSink {
  /** The group that the stream has not taken yet. */
  let underway: Promise<unknown> | undefined

  async function hand({ room, length }: LineGroup): Promise<void> {
    // The stream may keep the bytes after the time is over, so it gets its own.
    const bytes = Buffer.from(room.subarray(0, length))
    const taken = new Promise<void>((resolve, reject) => {
      stream.write(bytes, (problem) => (problem ? reject(problem) : resolve()))
    })
    underway = taken.catch((problem: unknown) => problem)
    await taken.finally(() => {
      underway = undefined
    })
  }

  const write: WaitingSink['write'] = async (group, withinMs, leaving) => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(blocked()), withinMs)
    try {
      // A stream that nobody reads keeps all it is given: it gets no more until it has taken what it has.
      while (underway) await Promise.race([underway, late])
      leaving()
      await Promise.race([hand(group), late])
    } finally {
      clearTimeout(timer)
    }
  }
  return { ...noopTarget, write }
}

/** A device that appends to a file that somebody else has opened. */
function createDescriptorSink(file: number): PromptSink {
  const lines = new LineAppender()
  const writeNow = (group: LineGroup): void => {
    try {
      lines.append(file, group)
    } catch (cause) {
      const text = `Standard output did not accept the record: ${textOf(cause)}`
      throw failure('unavailable', 'audit.not-written', text, { cause })
    }
  }
  return { ...noopTarget, writeNow }
}

/** A device that takes every record and keeps none. */
export const discardSink: PromptSink = { ...noopTarget, writeNow: () => undefined }

const blocked = (): Error =>
  failure('unavailable', 'audit.blocked', 'Standard output did not accept the record in time.')
