import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Environment variables that only applies see: those of workspaces, and the copies that runs have. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const table of ['variables', 'run_variables']) {
    await db.schema
      .alterTable(table)
      .addColumn('apply_only', types.integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
