import { takeArchive } from '../../server/archive/index.ts'
import { textOf } from '../../server/kernel/failure.ts'
import { localDestination } from '../../server/product/snapshots/destinations/local-adapter.ts'
import { snapshotConfiguration, unwatched } from '../support/snapshot-content.ts'
import { type NodePlace, openNode } from './archive-node.ts'

/** Takes a snapshot of the store and writes it to a directory, as a scheduled attempt does; reports how it went. */
async function main(place: NodePlace, directory: string, name: string): Promise<void> {
  const deps = await openNode(place)
  process.stdout.write('ready\n')
  try {
    const settings = { local_max_space: 10 ** 9 }
    const configuration = snapshotConfiguration({ type: 'local', pathPrefix: directory, settings })
    const archive = await takeArchive(deps)
    await localDestination({ ...deps, settings: { localPaths: [] } }, configuration)
      .put(name, archive, unwatched())
      .finally(() => archive.remove())
    process.stdout.write('stored\n')
  } catch (thrown) {
    process.stdout.write(`failed: ${textOf(thrown)}\n`)
  }
  await deps.store.close()
}

const [place = '', directory = '', name = ''] = process.argv.slice(2)
await main(JSON.parse(place) as NodePlace, directory, name)
