import cluster from 'node:cluster'
import { constants } from 'node:os'
import { JoinedWorker } from './joined-worker.ts'
import { noPeers, type Peers } from './kit/peers.ts'
import {
  type FromWorker,
  forwardedSignals,
  type SuperviseOptions,
  supervise,
  type ToWorker,
} from './worker-supervisor.ts'

/** One of the processes that share the ports, as its own code sees it, with the others as its peers. */
export type Worker = Peers & {
  /**
   * True in one process per start of the node: it does what must happen once, and the others start when it is ready.
   */
  readonly isFirst: boolean
  /** Reports that requests are served. */
  ready(): void
}

/**
 * Runs `body` in as many processes as asked for and returns the exit code. With one there is no cluster at all: `body`
 * runs in this process. With more, this process only supervises: it holds the ports, restarts crashed processes, and
 * forwards signals.
 */
export async function runWorkers(
  options: SuperviseOptions,
  body: (worker: Worker) => Promise<number>,
): Promise<number> {
  if (options.count <= 1) return await body({ ...noPeers, isFirst: true, ready: () => undefined })
  if (cluster.isPrimary) return await supervise(options)
  return await body(await joinPeers())
}

/** Joins the supervisor, through which messages go to and come from the other processes. */
function joinPeers(): Promise<Worker> {
  const { promise, resolve } = Promise.withResolvers<Worker>()
  let joined: JoinedWorker | undefined
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'hello') {
      joined = new JoinedWorker(message, sendToSupervisor)
      resolve(joined)
    }
    // A signal that arrived in the same turn of the event loop is handled after this message.
    else if (message.kind === 'asking')
      setImmediate(() => sendToSupervisor({ kind: 'reported', signal: message.signal }))
    else if (message.kind === 'beat') sendToSupervisor({ kind: 'alive' })
    else joined?.receive(message)
  })
  reportSignals()
  sendToSupervisor({ kind: 'joining' })
  return promise
}

/** A terminal or a service manager may signal the whole group; the supervisor then must not signal a second time. */
function reportSignals(): void {
  for (const signal of forwardedSignals) {
    process.on(signal, () => {
      sendToSupervisor({ kind: 'signal', signal })
      // No other handler is installed yet: the server is still starting.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}

function sendToSupervisor(message: FromWorker): void {
  // Without a channel the supervisor is gone, and the cluster ends this process.
  if (process.connected) process.send?.(message)
}
