import cluster from 'node:cluster'
import { constants } from 'node:os'
import { Hearing, onlyChild, type Siblings, type Word } from './kernel/siblings.ts'
import {
  type FromWorker,
  forwardedSignals,
  type SuperviseOptions,
  supervise,
  type ToWorker,
} from './worker-supervisor.ts'

/** One of the processes that share the ports, as its own code sees it. */
export type Worker = Siblings & {
  /** Counted from 1. */
  readonly number: number
  /** True in one process per start of the node: it does what must happen once, and the others start when it is ready. */
  readonly isFirst: boolean
  /** Says that requests are served. */
  ready(): void
}

/** How many processes, and how their supervisor treats signals. */
export type WorkerOptions = SuperviseOptions

/**
 * Runs `body` in as many processes as asked for and returns the exit code. With one there is no cluster at all: `body`
 * runs right here. With more this process only supervises: it holds the ports, restarts what crashes, passes signals on.
 */
export async function runWorkers(options: WorkerOptions, body: (worker: Worker) => Promise<number>): Promise<number> {
  if (options.count <= 1) return await body({ ...onlyChild(), number: 1, isFirst: true, ready: () => undefined })
  if (cluster.isPrimary) return await supervise(options)
  return await body(await joinSiblings())
}

/** Meets the supervisor; what was said and kept before this process started is known when it returns. */
async function joinSiblings(): Promise<Worker> {
  const hearing = new Hearing()
  const greeted = Promise.withResolvers<{ number: number; isFirst: boolean }>()
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'word') hearing.hear(message)
    else if (message.kind === 'hello') greeted.resolve(message)
  })
  reportSignals()
  tell({ kind: 'joining' })
  const { number, isFirst } = await greeted.promise
  return {
    number,
    isFirst,
    ready: () => tell({ kind: 'ready' }),
    broadcast: ({ name, kept }, payload) => tell({ kind: 'word', ...({ topic: name, kept, payload } satisfies Word) }),
    onBroadcast: (topic, react) => hearing.onBroadcast(topic, react),
  }
}

/** A terminal or a service manager may signal the whole group; the supervisor then must not signal a second time. */
function reportSignals(): void {
  for (const signal of forwardedSignals) {
    process.on(signal, () => {
      tell({ kind: 'signal', signal })
      // Nobody has taken over yet: the server is still starting.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}

function tell(message: FromWorker): void {
  // Without a channel the supervisor is gone, and the cluster ends this process.
  if (process.connected) process.send?.(message)
}
