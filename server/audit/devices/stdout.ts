import type { Writable } from 'node:stream'
import type { LineGroup } from '../../crypto/line-chains/line-chain.ts'
import { failure } from '../../kernel/failure.ts'
import type { PromptSink, WaitingSink } from './sink.ts'

/** A device that writes to a stream of the process, its standard output as a rule. */
export function createStreamSink(stream: Writable): WaitingSink {
  const write = ({ room, length }: LineGroup, withinMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(blocked()), withinMs)
      // The stream may keep the bytes after the time is over, so it gets its own.
      stream.write(Buffer.from(room.subarray(0, length)), (problem) => {
        clearTimeout(timer)
        if (problem) reject(problem)
        else resolve()
      })
    })
  return { write, reopen: async () => undefined, close: async () => undefined }
}

/** A device that takes every record and keeps none. */
export const discardSink: PromptSink = {
  writeNow: () => undefined,
  reopen: async () => undefined,
  close: async () => undefined,
}

const blocked = (): Error => failure('unavailable', 'audit.blocked', 'Standard output did not take the record in time.')
