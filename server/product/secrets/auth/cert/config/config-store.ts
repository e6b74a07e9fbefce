import type { Queryable, Tx } from '../../../../../storage/open.ts'
import { bumpVersion } from '../../../../../storage/versions.ts'
import { type CertConfig, defaultConfig } from './config-fields.ts'

/** Settings of certificate login at one mount, as JSON. */
interface CertConfigRow {
  mount_id: string
  settings: string
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    cert_config: CertConfigRow
  }
}

/** The settings of a mount; the defaults where nothing was written. */
export async function loadConfig(db: Queryable, mountId: string): Promise<CertConfig> {
  return (await loadStored(db, mountId)).config
}

/** Settings as read, and their stored text, which a write must hand back. */
export type StoredConfig = { readonly config: CertConfig; readonly text: string | undefined }

/** The settings of a mount together with what is stored. */
export async function loadStored(db: Queryable, mountId: string): Promise<StoredConfig> {
  const row = await db.selectFrom('cert_config').select('settings').where('mount_id', '=', mountId).executeTakeFirst()
  if (!row) return { config: defaultConfig, text: undefined }
  return { config: { ...defaultConfig, ...(JSON.parse(row.settings) as Partial<CertConfig>) }, text: row.settings }
}

/** Stores settings unless somebody changed them since they were read; false when somebody did. */
export async function swapConfig(
  tx: Tx,
  mountId: string,
  { before, next }: { before: string | undefined; next: CertConfig },
): Promise<boolean> {
  const settings = JSON.stringify(next)
  // Settings are cached together with the roles of their mount.
  bumpVersion(tx, 'roles')
  if (before === undefined) {
    const insert = tx.insertInto('cert_config').values({ mount_id: mountId, settings })
    const inserted = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('cert_config')
    .set({ settings })
    .where('mount_id', '=', mountId)
    .where('settings', '=', before)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Removes the settings of a mount that goes away. */
export async function deleteConfig(tx: Tx, mountId: string): Promise<void> {
  await tx.deleteFrom('cert_config').where('mount_id', '=', mountId).execute()
}
