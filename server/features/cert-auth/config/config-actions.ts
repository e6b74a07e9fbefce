import { type Deps, perApp } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import type { CertConfig } from './config.ts'
import { mergeConfig } from './config-merge.ts'
import { loadConfig, saveConfig } from './config-store.ts'
import type { ConfigInput } from './config-wire.ts'

const known = perApp((deps) => new VersionedCache<string, CertConfig>(deps.store.versions, 'roles', { max: 1_000 }))

/** The settings in force at a mount. */
export function configOf(deps: Pick<Deps, 'db' | 'store'>, mountId: string): CertConfig | Promise<CertConfig> {
  const cache = known(deps)
  return cache.get(mountId) ?? cache.getOrLoad(mountId, () => loadConfig(deps.db, mountId))
}

/** Changes settings; one bad field leaves all as they are. */
export const writeConfig = (deps: Pick<Deps, 'db'>, mountId: string, input: ConfigInput): Promise<void> =>
  inTransaction(deps.db, async (tx) => saveConfig(tx, mountId, mergeConfig(await loadConfig(tx, mountId), input)))
