import { type FailureKind, failure } from '../../kernel/failure.ts'
import { startThread } from '../../kernel/threads.ts'
import type { WorkOptions } from '../types.ts'
import type { Message, Task, TaskName, Tasks } from './tasks.ts'
import { endThread, newLatch } from './uninterrupted.ts'

// Where the program is not run as TypeScript, its emitted JavaScript is beside this file.
const program = new URL(`./thread-program${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** Memory a thread may use for its objects, in MiB; rows pass through it, they do not stay, so little is kept for new ones. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 }

/** Does long work in a thread of its own, so that requests do not wait for it. Aborting ends the thread. */
export async function inThread<N extends TaskName>(
  name: N,
  task: Tasks[N]['task'],
  { signal }: WorkOptions = {},
): Promise<Tasks[N]['result']> {
  signal?.throwIfAborted()
  const latch = newLatch()
  const worker = startThread(program, { workerData: { name, ...task, latch } as Task, resourceLimits })
  const outcome = Promise.withResolvers<Tasks[N]['result']>()
  const onAbort = (): void => outcome.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.on('message', (message: Message) => {
    if (message.kind === 'result') outcome.resolve(message.value as Tasks[N]['result'])
    else outcome.reject(failureOf(message))
  })
  worker.on('error', (error) => outcome.reject(error))
  worker.on('exit', () =>
    outcome.reject(failure('internal', 'archive.thread-ended', 'The work ended without a result.')),
  )
  try {
    return await outcome.promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await endThread(worker, latch)
  }
}

function failureOf({ failureKind, code, text, stack, retryAfter }: Extract<Message, { kind: 'failure' }>): Error {
  const cause = new Error(text)
  cause.stack = stack
  return failure(failureKind as FailureKind, code, text, { cause, ...(retryAfter === undefined ? {} : { retryAfter }) })
}
