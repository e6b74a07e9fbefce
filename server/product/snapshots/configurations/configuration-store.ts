import type { Keyring, Sealed } from '../../../crypto/keyring.ts'
import { instant } from '../../../kernel/clock.ts'
import { pauseCodes } from '../../../storage/bulk/restored-configurations.ts'
import type { Db, Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { SnapshotConfigurationRow } from '../snapshot.ts'
import type {
  Configuration,
  DestinationSettings,
  Pause,
  Placement,
  StorageType,
  Verification,
} from './configuration.ts'
import { type DestinationField, fieldsOf } from './configuration-fields.ts'

/** A configuration and the revision of its last write. */
export type StoredConfiguration = { readonly configuration: Configuration; readonly revision: number }

/** What is read of a configuration without its secrets. */
export type ConfigurationFacts = Pick<
  SnapshotConfigurationRow,
  'name' | 'interval_s' | 'path_prefix' | 'file_prefix' | 'type' | 'settings' | 'paused'
>

const placeOf = (name: string) => ({ table: 'snapshot_configurations', column: 'secrets', row: name })

/** The configuration with its secrets opened; undefined when there is none. */
export async function loadConfiguration(
  db: Queryable,
  keyring: Keyring,
  name: string,
): Promise<StoredConfiguration | undefined> {
  const row = await db.selectFrom('snapshot_configurations').selectAll().where('name', '=', name).executeTakeFirst()
  return row && { configuration: toConfiguration(row, keyring), revision: row.revision }
}

function toConfiguration(row: SnapshotConfigurationRow, keyring: Keyring): Configuration {
  const secrets = row.secrets ? keyring.openText(row.secrets, placeOf(row.name)) : '{}'
  const { [timeoutKey]: timeout = 0, ...plain } = JSON.parse(row.settings) as Record<string, number>
  const settings = { ...plain, ...JSON.parse(secrets) } as DestinationSettings
  return {
    name: row.name,
    interval: row.interval_s,
    retain: row.retain,
    pathPrefix: row.path_prefix,
    filePrefix: row.file_prefix,
    type: row.type as StorageType,
    dialect: row.dialect === 'vendor' ? 'vendor' : 'own',
    settings,
    verify: row.verify as Verification,
    timeout,
    paused: pauseOf(row.paused),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  }
}

const pauseOf = (code: number): false | Pause => {
  if (code === pauseCodes.none) return false
  return code === pauseCodes.restored ? 'restored' : 'byHand'
}

/** The names of all configurations in the order of their characters. */
export async function listNames(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('snapshot_configurations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** Every configuration without its secrets. */
export const loadConfigurationFacts = (db: Queryable): Promise<ConfigurationFacts[]> =>
  db
    .selectFrom('snapshot_configurations')
    .select(['name', 'interval_s', 'path_prefix', 'file_prefix', 'type', 'settings', 'paused'])
    .orderBy('name')
    .execute()

/** Where every configuration stores. */
export async function loadPlacements(db: Queryable): Promise<(Placement & { readonly name: string })[]> {
  return (await loadConfigurationFacts(db)).map((row) => ({
    name: row.name,
    type: row.type as StorageType,
    pathPrefix: row.path_prefix,
    filePrefix: row.file_prefix,
    settings: JSON.parse(row.settings) as DestinationSettings,
  }))
}

/** Encrypts the secret settings for their row; null when there are none. */
export function sealSecrets(keyring: Keyring, { name, type, settings }: Configuration): Sealed | null {
  const secrets = pickSettings({ type, settings }, (field) => field.secret)
  return Object.keys(secrets).length === 0 ? null : keyring.seal(JSON.stringify(secrets), placeOf(name))
}

function pickSettings(
  { type, settings }: Pick<Configuration, 'type' | 'settings'>,
  isWanted: (field: DestinationField) => boolean,
): Record<string, unknown> {
  const given = fieldsOf(type).filter((field) => isWanted(field) && settings[field.name] !== undefined)
  return Object.fromEntries(given.map(({ name }) => [name, settings[name]]))
}

/**
 * Writes a configuration if it is still the one that was read (0: none). False means that another write came first. One
 * that was deleted and created again starts its revisions again, so the creation time is compared as well.
 */
export async function swapConfiguration(
  tx: Tx,
  configuration: Configuration,
  secrets: Sealed | null,
  revision: number,
): Promise<boolean> {
  const columns = columnsOf(configuration, secrets)
  bumpVersion(tx, 'snapshots')
  if (revision === 0) {
    const inserted = await tx
      .insertInto('snapshot_configurations')
      .values({ ...columns, name: configuration.name, revision: 1 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('snapshot_configurations')
    .set({ ...columns, revision: revision + 1 })
    .where('name', '=', configuration.name)
    .where('revision', '=', revision)
    .where('created_at', '=', configuration.createdAt)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Stored among the settings of the destination, since it depends on how fast that is. */
const timeoutKey = 'snapshot_timeout'

function settingsOf(configuration: Configuration): string {
  const { timeout } = configuration
  const open = pickSettings(configuration, (field) => !field.secret)
  return JSON.stringify({ ...open, ...(timeout > 0 ? { [timeoutKey]: timeout } : {}) })
}

const columnsOf = (configuration: Configuration, secrets: Sealed | null) => ({
  interval_s: configuration.interval,
  retain: configuration.retain,
  path_prefix: configuration.pathPrefix,
  file_prefix: configuration.filePrefix,
  type: configuration.type,
  dialect: configuration.dialect,
  settings: settingsOf(configuration),
  secrets,
  verify: configuration.verify,
  paused: configuration.paused ? pauseCodes[configuration.paused] : pauseCodes.none,
  created_at: configuration.createdAt,
  updated_at: configuration.updatedAt,
})

/** Removes a configuration; false when there was none. */
export async function deleteConfiguration(tx: Tx, name: string): Promise<boolean> {
  const result = await tx.deleteFrom('snapshot_configurations').where('name', '=', name).executeTakeFirst()
  bumpVersion(tx, 'snapshots')
  return result.numDeletedRows === 1n
}

/** Notes that a configuration is paused; false when there is none. */
export async function markPaused(tx: Tx, name: string): Promise<boolean> {
  const result = await tx
    .updateTable('snapshot_configurations')
    .set((eb) => ({ paused: pauseCodes.byHand, revision: eb('revision', '+', 1) }))
    .where('name', '=', name)
    .executeTakeFirst()
  bumpVersion(tx, 'snapshots')
  return result.numUpdatedRows === 1n
}

/** Notes that a configuration is resumed and returns its interval in seconds; undefined when it was not paused. */
export async function markResumed(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx
    .updateTable('snapshot_configurations')
    .set((eb) => ({ paused: 0, revision: eb('revision', '+', 1) }))
    .where('name', '=', name)
    .where('paused', '<>', pauseCodes.none)
    .returning('interval_s')
    .executeTakeFirst()
  bumpVersion(tx, 'snapshots')
  return row?.interval_s
}

/** Pauses every configuration that is not paused by hand, for data that was restored from another installation. */
export async function pauseAll(db: Tx | Db): Promise<void> {
  await db
    .updateTable('snapshot_configurations')
    .set((eb) => ({ paused: pauseCodes.restored, revision: eb('revision', '+', 1) }))
    .where('paused', '=', pauseCodes.none)
    .execute()
}
