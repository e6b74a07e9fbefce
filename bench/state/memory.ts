import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildServer } from '../harness/child-server.ts'
import { renderTable } from '../harness/table.ts'
import { GeneratedState } from './generated-state.ts'
import { StateClient } from './state-client.ts'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** The most memory a server takes while large states are uploaded, one after another. */
export async function measureUploadMemory(start: () => Promise<ChildServer>): Promise<string> {
  const rows: string[][] = []
  for (const size of [1_000_000, 10_000_000, 100_000_000]) {
    const server = await start()
    try {
      const client = await StateClient.open(server)
      await client.upload(await client.lockedWorkspace('small'), new GeneratedState(10_000))
      const id = await client.lockedWorkspace('large')
      const before = await server.memory()
      const peak = await peakDuring(server, () => client.upload(id, new GeneratedState(size)))
      rows.push([`${megabytes(size)} MB`, megabytes(before), megabytes(peak), ((peak - before) / size).toFixed(1)])
    } finally {
      await server.stop()
    }
  }
  return `Memory of the server, one upload.\n\n${renderTable(['state', 'MB before', 'MB at most', 'states held'], rows)}`
}

async function peakDuring(server: ChildServer, work: () => Promise<unknown>): Promise<number> {
  const state = { isOver: false, peak: 0 }
  const watching = (async () => {
    while (!state.isOver) {
      state.peak = Math.max(state.peak, await server.memory())
      await sleep(10)
    }
  })()
  await work()
  state.isOver = true
  await watching
  return state.peak
}
