import { writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { localDestination } from '../../../server/product/snapshots/destinations/local-adapter.ts'
import { destinationDeps, snapshotConfiguration, snapshotContent, unwatched } from '../snapshot-content.ts'

// Stores a snapshot into a directory, as a process of its own that tests limit or kill: `program directory bytes stall`.
const [, , directory = '', bytes = '0', stall = ''] = process.argv
const settings = { local_max_space: 10 ** 9 }
const destination = localDestination(
  destinationDeps,
  snapshotConfiguration({ type: 'local', pathPrefix: directory, settings }),
)
const content = snapshotContent(Number(bytes))

async function* stalling(): AsyncGenerator<Buffer> {
  yield content.bytes.subarray(0, content.bytes.length / 2)
  setTimeout(() => writeSync(1, 'half\n'), 20)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
}

const confirm = async (): Promise<void> => {
  if (stall !== 'confirm') return
  writeSync(1, 'confirm\n')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
}
const lend = stall === 'half' ? () => Readable.from(stalling(), { objectMode: false }) : content.lend

try {
  await destination.put('f-1603898241699731000.snap', { ...content, lend }, { ...unwatched(), confirm })
  writeSync(1, 'stored\n')
} catch (error) {
  writeSync(1, `failed: ${error instanceof Error ? error.message : String(error)}\n`)
}
process.exit(0)
