import type { Writable } from 'node:stream'
import { failure } from '../../kernel/failure.ts'
import { type Lines, noneTaken, type PromptSink, type Taken, type WaitingSink } from './sink.ts'

/** A device that writes to a stream of the process, its standard output as a rule. */
export function createStreamSink(stream: Writable): WaitingSink {
  const write = ({ room, length, ends }: Lines, withinMs: number): Promise<Taken> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(noneTaken(blocked())), withinMs)
      // The stream may keep the bytes after the time is over, so it gets its own.
      stream.write(Buffer.from(room.subarray(0, length)), (problem) => {
        clearTimeout(timer)
        resolve(problem ? noneTaken(problem) : { taken: ends.length })
      })
    })
  return { write, reopen: async () => undefined, close: async () => undefined }
}

/** A device that takes every record and keeps none. */
export const discardSink: PromptSink = {
  writeNow: ({ ends }) => ({ taken: ends.length }),
  reopen: async () => undefined,
  close: async () => undefined,
}

const blocked = (): Error => failure('unavailable', 'audit.blocked', 'Standard output did not take the record in time.')
