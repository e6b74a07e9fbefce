import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const pause = 5

/** Asks a server for something cheap from a process of its own, so that what this process does delays nothing. */
export type Prober = {
  /** How long each answer took while something went on, in milliseconds. */
  during(work: () => Promise<unknown>): Promise<number[]>
  stop(): void
}

/** Starts a process that asks the server on a port. */
export async function startProber(port: number): Promise<Prober> {
  const child = fork(new URL(import.meta.url), [String(port)])
  await once(child, 'message')
  return {
    during: async (work) => {
      child.send('begin')
      await once(child, 'message')
      try {
        await work()
      } finally {
        child.send('end')
      }
      const [times] = await once(child, 'message')
      return times
    },
    stop: () => child.disconnect(),
  }
}

async function answerTime(port: number, agent: Agent): Promise<number> {
  const begin = performance.now()
  const [answer] = (await once(get({ agent, host: '127.0.0.1', port, path: '/v1/sys/seal-status' }), 'response')) as [
    IncomingMessage,
  ]
  answer.resume()
  await once(answer, 'end')
  return performance.now() - begin
}

/** What the process does. An answer that is still awaited at the end is awaited, however late it comes. */
function serve(port: number): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let isOver = true
  const probe = async (): Promise<void> => {
    const times: number[] = []
    await answerTime(port, agent)
    process.send?.('begun')
    while (!isOver) {
      times.push(await answerTime(port, agent))
      await sleep(pause)
    }
    process.send?.(times)
  }
  process.on('message', (message) => {
    isOver = message === 'end'
    if (!isOver) void probe()
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

if (process.send && process.argv[1] === import.meta.filename) serve(Number(process.argv[2]))
