import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The record of certificate logins: what is searched for in clear, who it was and what was sent sealed. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('cert_logins')
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('id', types.text, (column) => column.notNull())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('last_at', types.integer, (column) => column.notNull())
    .addColumn('count', types.integer, (column) => column.notNull())
    .addColumn('accepted', types.integer, (column) => column.notNull())
    .addColumn('role', types.text, (column) => column.notNull())
    .addColumn('digest', types.text, (column) => column.notNull())
    .addColumn('anchor', types.text, (column) => column.notNull())
    .addColumn('reason', types.text, (column) => column.notNull())
    .addColumn('facts', types.bytes, (column) => column.notNull())
    .addColumn('chain', types.bytes)
    .addPrimaryKeyConstraint('cert_logins_key', ['mount_id', 'id'])
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`cert_logins_${name}`).on('cert_logins').columns(columns).execute()
  await index('verdict', ['accepted', 'id'])
  await index('role', ['mount_id', 'role', 'accepted', 'id'])
  await index('digest', ['mount_id', 'digest', 'id'])
  await db.schema
    .createIndex('cert_logins_reason')
    .on('cert_logins')
    .columns(['mount_id', 'reason', 'id'])
    .where(sql<boolean>`accepted = 0`)
    .execute()
}
