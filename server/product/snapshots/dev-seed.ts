import { join } from 'node:path'
import type { Deps } from '../../kit/deps.ts'
import type { DevFacts, DevSeedContext } from '../../kit/feature.ts'
import { writeConfiguration } from './configurations/configuration-actions.ts'
import { listNames } from './configurations/configuration-store.ts'
import { includesSnapshots } from './licence.ts'

const devName = 'hourly'

/**
 * Development mode: a snapshot every hour into the data directory. It is made once: the empty name says that it was
 * deleted, and so it stays.
 */
export async function seedDevSnapshots(deps: Deps, { dataDir, previous }: DevSeedContext): Promise<Partial<DevFacts>> {
  if (!includesSnapshots(deps)) return {}
  const names = await listNames(deps.db)
  const [first] = names
  if (first !== undefined) return { snapshot_config: names.includes(devName) ? devName : first }
  if (previous?.snapshot_config !== undefined) return { snapshot_config: '' }
  await writeConfiguration(deps, devName, {
    interval: 3600,
    retain: 5,
    path_prefix: join(dataDir, 'snapshots'),
    type: 'local',
    dialect: 'own',
    settings: { local_max_space: 1024 ** 3 },
  })
  return { snapshot_config: devName }
}
