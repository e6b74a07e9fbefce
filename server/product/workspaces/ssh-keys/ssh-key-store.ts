import { asSealed, type Sealed } from '../../../crypto/keyring.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, columnsOfSome, rowReader, rowWriter } from '../../../kit/field-set.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { updateWorkspaces } from '../workspaces/index.ts'
import type { SshKey } from './ssh-key.ts'
import { facts, settings } from './ssh-key-fields.ts'

/** A private key that workspaces can use to fetch modules; the value is sealed. */
interface SshKeyRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  organization_id: string
  value: Uint8Array
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    ssh_keys: SshKeyRow
  }
}

const columns = ['id', 'organization_id', 'name', 'created_at'] as const

type KeyRow = Pick<SshKeyRow, (typeof columns)[number]>

const toKey: (row: KeyRow) => SshKey = rowReader([settings, facts], {
  id: (row) => row.id as Id<'sshkey'>,
  organizationId: (row) => row.organization_id,
})

const toRow: (key: SshKey) => KeyRow = rowWriter([settings, facts], {
  id: (key) => key.id,
  organization_id: (key) => key.organizationId,
})

/** A key by its id. */
export async function loadSshKey(db: Queryable, id: string): Promise<SshKey | undefined> {
  const row = await db.selectFrom('ssh_keys').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toKey(row)
}

/** The sealed value of a key. */
export async function loadKeyValue(db: Queryable, id: string): Promise<Sealed | undefined> {
  const row = await db.selectFrom('ssh_keys').select('value').where('id', '=', id).executeTakeFirst()
  return row && asSealed(row.value)
}

/** The same, locked: nobody can change or delete it before the transaction ends. */
export async function lockSshKeyForUpdate(tx: Tx, id: string): Promise<SshKey | undefined> {
  const row = await tx.selectFrom('ssh_keys').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toKey(row)
}

/** The same for requests that use the key: it can be changed, but not deleted, before the transaction ends. */
export async function lockSshKeyForShare(tx: Tx, id: string): Promise<SshKey | undefined> {
  const row = await tx.selectFrom('ssh_keys').select(columns).where('id', '=', id).forKeyShare().executeTakeFirst()
  return row && toKey(row)
}

/** One page of the keys of an organization, by name, and how many there are. */
export async function listSshKeys(
  db: Queryable,
  organizationId: string,
  page: { offset: number; limit: number },
): Promise<{ keys: SshKey[]; total: number }> {
  const all = db.selectFrom('ssh_keys').where('organization_id', '=', organizationId)
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all.select(columns).orderBy('name').orderBy('id').offset(page.offset).limit(page.limit).execute()
  return { keys: rows.map(toKey), total: Number(total) }
}

/** Stores a new key. */
export async function insertSshKey(tx: Tx, key: SshKey, value: Sealed): Promise<void> {
  await tx
    .insertInto('ssh_keys')
    .values({ ...toRow(key), value })
    .execute()
}

/** Stores the settings of a key. */
export async function updateSshKey(tx: Tx, key: SshKey): Promise<void> {
  await tx.updateTable('ssh_keys').set(columnsOfSome(settings.fields, key)).where('id', '=', key.id).execute()
}

/**
 * Removes a key; false when it was gone already. It waits for requests that are assigning the key, and afterwards none
 * can.
 */
export async function deleteSshKey(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('ssh_keys').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Removes a key from up to so many of the workspaces that use it; returns which. */
export const unassignSshKey = (
  tx: Tx,
  id: string,
  at: Instant,
  limit: number,
): Promise<{ id: string; name: string }[]> =>
  updateWorkspaces(
    tx,
    () => ({ ssh_key_id: null, updated_at: at }),
    (eb) => {
      const some = eb.selectFrom('workspaces').select('id').where('ssh_key_id', '=', id).limit(limit)
      // PostgreSQL asks again about a row that it had to wait for, but not the query that chose it.
      return eb.and([eb('id', 'in', some), eb('ssh_key_id', '=', id)])
    },
  )
