import { asSealed, type Sealed } from '../../../../../crypto/keyring.ts'
import type { Queryable, Tx } from '../../../../../storage/open.ts'
import { bumpVersion } from '../../../../../storage/versions.ts'
import type { JwtConfig } from './config-fields.ts'

/** What is set about JWT logins at a mount. */
interface JwtConfigRow {
  mount_id: string
  settings: string
  client_secret: Uint8Array | null
  /** Moves with every write. */
  version: number
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    jwt_configs: JwtConfigRow
  }
}

/** Settings as they are stored. */
export type StoredConfig = {
  readonly config: JwtConfig
  readonly clientSecret: Sealed | null
  readonly version: number
}

/** The settings of a mount; undefined before the first write. */
export async function findConfig(db: Queryable, mountId: string): Promise<StoredConfig | undefined> {
  const row = await db.selectFrom('jwt_configs').selectAll().where('mount_id', '=', mountId).executeTakeFirst()
  return (
    row && {
      config: JSON.parse(row.settings) as JwtConfig,
      clientSecret: row.client_secret && asSealed(row.client_secret),
      version: row.version,
    }
  )
}

/** Replaces the settings of a mount. */
export async function saveConfig(tx: Tx, mountId: string, stored: StoredConfig): Promise<void> {
  const columns = {
    settings: JSON.stringify(stored.config),
    client_secret: stored.clientSecret,
    version: stored.version,
  }
  await tx
    .insertInto('jwt_configs')
    .values({ mount_id: mountId, ...columns })
    .onConflict((conflict) => conflict.column('mount_id').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'login-roles')
}

/** Removes the settings of a mount that goes away. */
export async function deleteConfig(tx: Tx, mountId: string): Promise<void> {
  await tx.deleteFrom('jwt_configs').where('mount_id', '=', mountId).execute()
  bumpVersion(tx, 'login-roles')
}
