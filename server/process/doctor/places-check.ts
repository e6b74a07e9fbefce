import { existsSync } from 'node:fs'
import { type Config, storeUrl } from '../../config/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import type { PlaceSettings } from '../../kit/local-places.ts'
import { fileProblem, loadDevices } from '../../product/secrets/audit-devices/index.ts'
import { loadPlacements, placeProblemOf } from '../../product/snapshots/index.ts'
import { openStore, type Store } from '../../storage/open.ts'
import { type Finding, ok, warn } from './finding.ts'

/** What decides where files may lie, and where the store is. */
export type PlacesConfig = Pick<Config, 'mode' | 'storage' | 'dataDir' | 'localPaths'>

/** The part of the configuration that decides where files may lie. */
export const placeSettings = ({ mode, dataDir, localPaths }: PlacesConfig): PlaceSettings => ({
  mode,
  dataDir,
  localPaths: localPaths.allow,
})

/** Whether local snapshots and audit files lie where new ones may lie. Those from before are used all the same. */
export async function placesFinding(config: PlacesConfig): Promise<Finding> {
  const settings = placeSettings(config)
  const problems = await fromStore(config.storage, async ({ db }) => {
    const found: string[] = []
    const note = (name: string, problem: string | undefined) => void (problem && found.push(`${name}: ${problem}.`))
    for (const device of await loadDevices(db)) note(device.path, await fileProblem({ settings }, device))
    for (const placement of await loadPlacements(db))
      note(placement.name, await placeProblemOf({ settings }, placement))
    return found
  })
  if (problems.length === 0) return ok('local snapshots and audit files lie in open folders')
  return warn(problems.join(' '), 'They are still written to. Move them, or add their folders to local_paths.allow.')
}

/**
 * Reads a list from the store. One that has no tables yet holds nothing, and one that does not answer is the finding of
 * another check.
 */
export async function fromStore<T>(storage: Config['storage'], read: (store: Store) => Promise<T[]>): Promise<T[]> {
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) return []
  const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock }).catch(() => undefined)
  if (!store) return []
  return await read(store)
    .catch(() => [])
    .finally(() => store.close())
}
