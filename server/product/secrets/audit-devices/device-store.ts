import { bit } from '../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { StoredDevice } from './device.ts'

/** A place where audit records go. */
interface AuditDeviceRow {
  id: string
  /** With a trailing slash: `file/`. */
  path: string
  type: string
  description: string
  options: string
  local: number
  /** Sealed: whoever knows it can test guesses against the hashes in the records. */
  salt: Uint8Array
  created_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    audit_devices: AuditDeviceRow
  }
}

/** Every configured device, by path. */
export async function loadDevices(db: Queryable): Promise<StoredDevice[]> {
  const rows = await db.selectFrom('audit_devices').selectAll().orderBy('path').execute()
  return rows.map(({ options, local, created_at: _, ...row }) => ({
    ...row,
    options: JSON.parse(options) as Record<string, string>,
    local: local === 1,
  }))
}

/** Stores a new device. */
export async function insertDevice(tx: Tx, device: StoredDevice, createdAt: number): Promise<void> {
  await tx
    .insertInto('audit_devices')
    .values({
      ...device,
      options: JSON.stringify(device.options),
      local: bit(device.local),
      created_at: createdAt,
    })
    .execute()
  bumpVersion(tx, 'audit')
}

/** Removes a device; false if there is none. */
export async function deleteDevice(tx: Tx, path: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('audit_devices').where('path', '=', path).executeTakeFirst()
  if (numDeletedRows > 0n) bumpVersion(tx, 'audit')
  return numDeletedRows > 0n
}
