import type { ListPlace } from '../../../kit/list.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { roleNameOf } from './login-role.ts'

/** A role of an auth method. */
interface LoginRoleRow {
  id: string
  mount_id: string
  /** In lower case. */
  name: string
  /** Another text by which logins find it, if the method has one; unique within the mount. */
  lookup: string | null
  /** Everything else, as JSON. */
  settings: string
  /** Moves with every write. */
  version: number
  updated_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    login_roles: LoginRoleRow
  }
}

/** A role as it is stored, and the version to hand back when it is written. */
export type StoredRole = Pick<LoginRoleRow, 'id' | 'name' | 'lookup' | 'version'> & { readonly settings: object }

const byName = hotQuery('login-roles.by-name', (db, by: { mountId: string; name: string }) =>
  db.selectFrom('login_roles').selectAll().where('mount_id', '=', by.mountId).where('name', '=', by.name),
)

const byLookup = hotQuery('login-roles.by-lookup', (db, by: { mountId: string; lookup: string }) =>
  db.selectFrom('login_roles').selectAll().where('mount_id', '=', by.mountId).where('lookup', '=', by.lookup),
)

const toStored = (row: LoginRoleRow): StoredRole => ({
  id: row.id,
  name: row.name,
  lookup: row.lookup,
  version: row.version,
  settings: JSON.parse(row.settings) as object,
})

/** By its name, whatever its case, or by the other text that finds it. */
type RoleKey = { readonly name: string } | { readonly lookup: string }

/** A role of a mount. */
export async function findStoredRole(db: Queryable, mountId: string, by: RoleKey): Promise<StoredRole | undefined> {
  const row =
    'name' in by
      ? await byName.first(db, { mountId, name: roleNameOf(by.name) })
      : await byLookup.first(db, { mountId, lookup: by.lookup })
  return row && toStored(row)
}

/** A page of the names of roles, in the order of their bytes. */
export async function listRoleNames(db: Queryable, mountId: string, { after, most }: ListPlace): Promise<string[]> {
  const rows = db.selectFrom('login_roles').select('name').where('mount_id', '=', mountId)
  const page = rows.where('name', '>', roleNameOf(after)).orderBy('name').limit(most)
  return (await page.execute()).map(({ name }) => name)
}

/** A role to be stored in place of the one that was read; there was none if its version is undefined. */
export type RoleWrite = Omit<StoredRole, 'version'> & { readonly version: number | undefined; readonly at: number }

/** Stores a role unless somebody changed it since it was read; false when somebody did. */
export async function swapStoredRole(tx: Tx, mountId: string, write: RoleWrite): Promise<boolean> {
  const { id, name, lookup, version, at } = write
  bumpVersion(tx, 'login-roles')
  const columns = {
    lookup,
    settings: JSON.stringify(write.settings),
    version: version === undefined ? at : version + 1,
    updated_at: at,
  }
  if (version === undefined) {
    const insert = tx.insertInto('login_roles').values({ id, mount_id: mountId, name, ...columns })
    const inserted = await insert
      .onConflict((conflict) => conflict.columns(['mount_id', 'name']).doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const role = tx.updateTable('login_roles').set(columns).where('id', '=', id).where('version', '=', version)
  return (await role.executeTakeFirst()).numUpdatedRows === 1n
}

/** Removes a role. */
export async function deleteStoredRole(tx: Tx, mountId: string, name: string): Promise<void> {
  await tx.deleteFrom('login_roles').where('mount_id', '=', mountId).where('name', '=', roleNameOf(name)).execute()
  bumpVersion(tx, 'login-roles')
}

/** Removes up to `limit` roles of a mount that is gone; returns how many are left. */
export async function removeSomeRoles(tx: Tx, mountId: string, limit: number): Promise<number> {
  const some = tx.selectFrom('login_roles').select('id').where('mount_id', '=', mountId).limit(limit)
  await tx.deleteFrom('login_roles').where('id', 'in', some).execute()
  bumpVersion(tx, 'login-roles')
  const left = tx
    .selectFrom('login_roles')
    .select((eb) => eb.fn.countAll().as('rows'))
    .where('mount_id', '=', mountId)
  return Number((await left.executeTakeFirstOrThrow()).rows)
}

/** A role as a list over all mounts shows it. */
export type ListedRole = Pick<LoginRoleRow, 'id' | 'name'> & { readonly mountPath: string; readonly settings: object }

/** A page of the roles of all mounts, by id. */
export async function pageOfRoles(db: Queryable, { after, most }: ListPlace): Promise<ListedRole[]> {
  const rows = await db
    .selectFrom('login_roles as role')
    .innerJoin('mounts', 'mounts.id', 'role.mount_id')
    .select(['role.id', 'role.name', 'role.settings', 'mounts.path'])
    .where('role.id', '>', after)
    .orderBy('role.id')
    .limit(most)
    .execute()
  return rows.map(({ id, name, settings, path }) => ({
    id,
    name,
    mountPath: path,
    settings: JSON.parse(settings) as object,
  }))
}
