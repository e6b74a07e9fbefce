import { failure, textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { requireMount } from '../../../mounts/index.ts'
import { fetchAll } from '../keys/key-actions.ts'
import { checkClient, configAfter, keepsSecret } from './config.ts'
import type { ConfigInput, JwtConfig } from './config-fields.ts'
import { findConfig, type StoredConfig, saveConfig } from './config-store.ts'

const configs = perApp(
  (deps) => new VersionedCache<string, StoredConfig>(deps.store.versions, 'login-roles', { max: 1_000 }),
)

/** The settings in force at a mount; undefined before the first write. */
export const configOf = async (deps: Pick<Deps, 'db' | 'store'>, mountId: string): Promise<StoredConfig | undefined> =>
  await configs(deps).recall(mountId, () => findConfig(deps.db, mountId))

type ConfigDeps = Pick<Deps, 'db' | 'clock' | 'keyring' | 'outbound' | 'log'>

/** Replaces the settings of a mount, and returns warnings. Nothing is stored unless all of it is valid. */
export async function writeConfig(deps: ConfigDeps, mount: Mount, sent: ConfigInput): Promise<readonly string[]> {
  const before = await findConfig(deps.db, mount.id)
  const config = configAfter(before?.config, sent)
  const clientSecret = secretAfter(deps, mount, before, { config, sent })
  checkClient(config, clientSecret !== null)
  const problem = await keyProblem(deps, mount, config)
  if (problem !== undefined && !config.skipJwksValidation) throw failure('invalid', 'jwt-config.unreachable', problem)
  await inTransaction(deps.db, async (tx) => {
    await requireMount(tx, mount.id)
    await saveConfig(tx, mount.id, { config, clientSecret, version: deps.clock.now() })
  })
  return problem === undefined ? [] : [`${problem}; the settings are stored all the same`]
}

function secretAfter(
  { keyring }: ConfigDeps,
  mount: Mount,
  before: StoredConfig | undefined,
  { config, sent }: { readonly config: JwtConfig; readonly sent: ConfigInput },
): StoredConfig['clientSecret'] {
  const { oidc_client_secret: secret } = sent
  if (secret) return keyring.seal(secret, { table: 'jwt_configs', column: 'client_secret', row: mount.id })
  return secret === undefined && before && keepsSecret(before.config, config) ? before.clientSecret : null
}

/** Why the keys cannot be fetched now; what exactly went wrong is for the log, since it is about our network. */
async function keyProblem(deps: ConfigDeps, mount: Mount, config: JwtConfig): Promise<string | undefined> {
  try {
    await fetchAll(deps, config)
    return undefined
  } catch (error) {
    deps.log.warn({ mount: mount.path, error: textOf(error) }, 'the keys of a JWT login could not be fetched')
    return `error checking ${config.oidcDiscoveryUrl === '' ? 'jwks' : 'oidc discovery'} URL`
  }
}
