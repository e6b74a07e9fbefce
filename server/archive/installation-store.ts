import type { Queryable, Tx } from '../storage/open.ts'

/**
 * The one row that tells this installation apart from every other. It is in no archive, so it stays what it is when the
 * data of another installation is restored here. All nodes of one database are one installation.
 */
export interface InstallationRow {
  id: string
  /** Written into every archive that is taken here. */
  uuid: string
  /** The cluster that was here when the row was made: archives of earlier versions name only that. */
  cluster_id: string
}

declare module '../storage/tables.ts' {
  interface DescribedTables {
    installation: InstallationRow
  }
}

const rowId = 'installation'

/** What tells this installation apart from others; undefined until somebody has asked for it. */
export const findInstallation = (db: Queryable): Promise<InstallationRow | undefined> =>
  db.selectFrom('installation').selectAll().where('id', '=', rowId).executeTakeFirst()

/** Stores what tells this installation apart from others, unless that is known already; returns what is known then. */
export async function ensureInstallation(tx: Tx, fresh: Omit<InstallationRow, 'id'>): Promise<InstallationRow> {
  const row = { id: rowId, ...fresh }
  await tx
    .insertInto('installation')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return (await findInstallation(tx)) ?? row
}
