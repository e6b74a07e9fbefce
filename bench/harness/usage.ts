import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildServer } from './child-server.ts'

/** Processor time of this process, in microseconds. */
export async function ownCpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The most memory a server occupies while something goes on, in bytes. */
export async function peakMemoryDuring(server: ChildServer, work: () => Promise<unknown>): Promise<number> {
  let peak = await server.memory()
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await server.memory())
      await sleep(20)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return peak
}
