import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './harness/bench.ts'
import { startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { renderRates } from './harness/table.ts'
import { GeneratedState } from './state/generated-state.ts'
import { compareManyWorkspaces } from './state/many-workspaces.ts'
import { measureUploadMemory } from './state/memory.ts'
import { openRawStore } from './state/raw-store.ts'
import { StateClient } from './state/state-client.ts'

/** Sizes of states, and how many callers there are at the same moment. */
const sizes = [
  ['10 KB', 10_000, [1, 8, 64]],
  ['1 MB', 1_000_000, [1, 8]],
  ['50 MB', 50_000_000, [1]],
] as const

/**
 * Whole uploads and downloads over HTTP against the least that stores a state safely: digest, compress, seal, and one
 * durable write by raw SQLite within the measuring process; likewise for reading it back. The same work behind a bare
 * server, without callers' permissions and history, shows how much of the difference is HTTP: for small states, most of
 * it.
 */
export const bench: Bench = {
  about: 'state uploaded and loaded over HTTP, against raw SQLite that writes the same sealed bytes',
  async *run(pace) {
    yield* transfers(pace)
    yield await compareManyWorkspaces(pace)
    yield await measureUploadMemory()
  },
}

async function* transfers(pace: Pace): AsyncIterable<string> {
  const server = await startHoldfast()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const client = await StateClient.open(server)
    for (const [name, bytes, callers] of sizes) {
      const states = Array.from({ length: Math.max(...callers) }, () => new GeneratedState(bytes))
      const state = states[0] as GeneratedState
      const raw = openRawStore(join(folder, `${bytes}.db`), state.bytes)
      const rate = async (sides: readonly Contender[]) => renderRates(await compareRates(sides, pace))
      const uploads: Contender[] = []
      for (const count of callers) uploads.push(await client.uploads(states.slice(0, count), `s${bytes}-${count}`))
      if (bytes <= 1_000_000) uploads.push(await client.inlineUploads(state, `i${bytes}`))
      const loaded = await client.lockedWorkspace(`loaded-${bytes}`)
      const downloads: Contender[] = []
      for (const count of callers) downloads.push(await client.downloads(loaded, state, count))
      const bareServer = await startChildServer(new URL('./servers/raw-state.ts', import.meta.url), {})
      const bare = await StateClient.bareContenders(bareServer, state, callers)
      yield `State of ${name}, uploaded.\n\n${await rate([raw.writes, ...bare.writes, ...uploads])}`
      yield `State of ${name}, loaded.\n\n${await rate([raw.writes, raw.reads, ...bare.reads, ...downloads])}`
      raw.close()
      await bareServer.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
