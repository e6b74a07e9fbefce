import type { Writable } from 'node:stream'
import { failure } from '../../kernel/failure.ts'
import { noneTaken, type Sink, type Taken } from './sink.ts'

/** A device that writes to a stream of the process, its standard output as a rule. */
export function createStreamSink(stream: Writable): Sink {
  const write = (lines: readonly string[], withinMs: number): Promise<Taken> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(noneTaken(blocked())), withinMs)
      stream.write(lines.join(''), (problem) => {
        clearTimeout(timer)
        resolve(problem ? noneTaken(problem) : { taken: lines.length })
      })
    })
  return { exact: false, write, reopen: async () => undefined, close: async () => undefined }
}

/** A device that takes every record and keeps none. */
export const discardSink: Sink = {
  exact: true,
  write: (lines) => ({ taken: lines.length }),
  reopen: async () => undefined,
  close: async () => undefined,
}

const blocked = (): Error => failure('unavailable', 'audit.blocked', 'Standard output did not take the record in time.')
