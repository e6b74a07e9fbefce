import { startHoldfast } from '../harness/holdfast-server.ts'
import { renderTable } from '../harness/table.ts'
import { peakMemoryDuring } from '../harness/usage.ts'
import { GeneratedState } from './generated-state.ts'
import { StateClient } from './state-client.ts'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** The most memory a server takes while large states are uploaded, one after another. */
export async function measureUploadMemory(): Promise<string> {
  const rows: string[][] = []
  for (const size of [1_000_000, 10_000_000, 100_000_000]) {
    const server = await startHoldfast()
    try {
      const client = await StateClient.open(server)
      await client.upload(await client.lockedWorkspace('small'), new GeneratedState(10_000))
      const id = await client.lockedWorkspace('large')
      const before = await server.memory()
      const peak = await peakMemoryDuring(server, () => client.upload(id, new GeneratedState(size)))
      rows.push([`${megabytes(size)} MB`, megabytes(before), megabytes(peak), ((peak - before) / size).toFixed(1)])
    } finally {
      await server.stop()
    }
  }
  return `Memory of the server, one upload.\n\n${renderTable(['state', 'MB before', 'MB at most', 'states held'], rows)}`
}
