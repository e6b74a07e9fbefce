import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ArchiveDeps, restoreArchive, takeArchive } from '../../server/archive/index.ts'
import { Keyring } from '../../server/crypto/keyring.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { textOf } from '../../server/kernel/failure.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { secret } from '../../server/kernel/secret.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { openStore } from '../../server/storage/open.ts'

/** Where a node of a fault test keeps its data. */
export type NodePlace = { readonly url: string; readonly schema?: string; readonly dataDir: string }

const rootKey = secret(Buffer.alloc(32, 7))

/** Opens a store with its keys, creating both on the first call. */
export async function openNode({ url, schema, dataDir }: NodePlace): Promise<ArchiveDeps> {
  const store = await openStore({ url, schema, log: silentLog, clock: systemClock })
  await migrate(store)
  const keyDeps = { clock: systemClock, ids: randomIds }
  const row = await store.db.selectFrom('seal').selectAll().executeTakeFirst()
  const keyring = row ? Keyring.open(keyDeps, row.wrapped, rootKey) : Keyring.create(keyDeps, rootKey)
  if (!row) {
    const facts = { cluster_id: 'c', cluster_name: 'c', initialised_at: 1, recovery: null }
    const terms = { type: 'auto', shares: 1, threshold: 1 } as const
    await store.db
      .insertInto('seal')
      .values({ id: 'seal', wrapped: keyring.serialize(), revision: 1, ...terms, ...facts })
      .execute()
  }
  const settings = { dataDir, nodeName: 'faulty', version: '0', compatVersion: '0' }
  return { store, keyring, clock: systemClock, ids: randomIds, log: silentLog, settings }
}

/** Writes an archive of the store to a file. */
export async function saveTo(deps: ArchiveDeps, file: string): Promise<void> {
  const archive = await takeArchive(deps)
  try {
    await pipeline(archive.open(), createWriteStream(file))
  } finally {
    await archive.remove()
  }
}

/** Restores or saves as its arguments say, reports how it went, and exits. */
async function main(place: NodePlace, verb: string, file: string): Promise<void> {
  const deps = await openNode(place)
  process.stdout.write('ready\n')
  try {
    if (verb === 'restore') await restoreArchive(deps, createReadStream(file))
    else await saveTo(deps, file)
    process.stdout.write(`done with at most ${process.resourceUsage().maxRSS * 1024} bytes of memory\n`)
  } catch (thrown) {
    process.stdout.write(`failed: ${textOf(thrown)}\n`)
  }
  await deps.store.close()
}

const [place, verb, file] = process.argv.slice(2)
if (import.meta.main && place && verb && file) await main(JSON.parse(place) as NodePlace, verb, file)
