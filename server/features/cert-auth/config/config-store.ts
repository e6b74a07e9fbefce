import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { type CertConfig, defaultConfig } from './config.ts'

/** The settings of a mount; the defaults where nothing was written. */
export async function loadConfig(db: Queryable, mountId: string): Promise<CertConfig> {
  const row = await db.selectFrom('cert_config').select('settings').where('mount_id', '=', mountId).executeTakeFirst()
  return row ? { ...defaultConfig, ...(JSON.parse(row.settings) as Partial<CertConfig>) } : defaultConfig
}

/** Stores the settings of a mount. They are cached together with its roles. */
export async function saveConfig(tx: Tx, mountId: string, config: CertConfig): Promise<void> {
  const settings = JSON.stringify(config)
  await tx
    .insertInto('cert_config')
    .values({ mount_id: mountId, settings })
    .onConflict((conflict) => conflict.column('mount_id').doUpdateSet({ settings }))
    .execute()
  await bumpVersion(tx, 'roles')
}

/** Removes the settings of a mount that goes away. */
export async function deleteConfig(tx: Tx, mountId: string): Promise<void> {
  await tx.deleteFrom('cert_config').where('mount_id', '=', mountId).execute()
}
