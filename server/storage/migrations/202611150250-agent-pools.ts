import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Pools of executors; organizations and projects name one as their default. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('agent_pools')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('organization_scoped', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('agent_pools_name', ['organization_id', 'name'])
    .execute()
}
