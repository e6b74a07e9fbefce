import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What the tokens of a mount's logins carry; it changes when the mount is moved. Empty stands for the id of the mount. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('mounts')
    .addColumn('login_id', types.text, (column) => column.notNull().defaultTo(''))
    .execute()
}
