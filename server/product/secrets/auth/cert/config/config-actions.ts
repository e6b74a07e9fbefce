import { failure } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { requireMount } from '../../../mounts/index.ts'
import { type CertConfig, defaultConfig } from './config.ts'
import { loadConfig, loadStored, swapConfig } from './config-store.ts'
import type { ConfigInput } from './config-wire.ts'

/** The configuration after a write. */
function mergeConfig(stored: CertConfig, input: ConfigInput): CertConfig {
  return {
    disableBinding: input.disable_binding ?? stored.disableBinding,
    enableIdentityAliasMetadata: input.enable_identity_alias_metadata ?? stored.enableIdentityAliasMetadata,
    ocspCacheSize: checkSize('ocsp_cache_size', input.ocsp_cache_size, 2) ?? stored.ocspCacheSize,
    roleCacheSize: roleCacheSize(input.role_cache_size) ?? stored.roleCacheSize,
    enableMetadataOnFailures: input.enable_metadata_on_failures ?? stored.enableMetadataOnFailures,
    crlMatch: crlMatch(input.crl_match) ?? stored.crlMatch,
  }
}

const maxSize = 100_000

function checkSize(name: string, size: number | undefined, least: number): number | undefined {
  if (size === undefined || (size >= least && size <= maxSize)) return size
  throw failure('invalid', 'cert-config.size', `Field '${name}' must be a whole number from ${least} to ${maxSize}.`)
}

/** A size of 0 means the default. */
const roleCacheSize = (size: number | undefined): number | undefined =>
  checkSize('role_cache_size', size, -1) === 0 ? defaultConfig.roleCacheSize : size

function crlMatch(sent: string | undefined): CertConfig['crlMatch'] | undefined {
  if (sent === undefined || sent === 'issuer' || sent === 'serial') return sent
  if (sent === '') return 'issuer'
  throw failure('invalid', 'cert-config.crl-match', "Field 'crl_match' must be 'issuer' or 'serial'.")
}

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
    const next = mergeConfig(config, input)
    return await inTransaction(deps.db, async (tx) => {
      await requireMount(tx, mountId)
      return await swapConfig(tx, mountId, { before: text, next })
    })
  }, contended)
}

const contended = () =>
  failure('conflict', 'cert-config.contended', 'The settings are being changed by others; try again.')
