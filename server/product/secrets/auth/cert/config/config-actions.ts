import { failure } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { requireMount } from '../../../mounts/index.ts'
import { type CertConfig, type ConfigInput, configFields } from './config-fields.ts'
import { loadConfig, loadStored, swapConfig } from './config-store.ts'

const configCache = perApp(
  (deps) => new VersionedCache<string, CertConfig>(deps.store.versions, 'roles', { max: 1_000 }),
)

/** The settings in force at a mount. */
export const configOf = async (deps: Pick<Deps, 'db' | 'store'>, mountId: string): Promise<CertConfig> =>
  await configCache(deps).getOrLoad(mountId, () => loadConfig(deps.db, mountId))

/** Changes settings; if one field is bad, none is changed. */
export async function writeConfig(deps: Pick<Deps, 'db'>, mountId: string, input: ConfigInput): Promise<void> {
  await untilWritten(async () => {
    const { config, text } = await loadStored(deps.db, mountId)
    const next = { ...config, ...configFields.given(input) }
    return await inTransaction(deps.db, async (tx) => {
      await requireMount(tx, mountId)
      return await swapConfig(tx, mountId, { before: text, next })
    })
  }, contended)
}

const contended = () =>
  failure('conflict', 'cert-config.contended', 'Other requests are changing the settings; try again.')
