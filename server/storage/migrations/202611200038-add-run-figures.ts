import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What the last runs of a workspace were like; null until one was applied or failed. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const name of ['plan_duration_average', 'apply_duration_average', 'run_failures', 'runs_counted']) {
    await db.schema.alterTable('workspaces').addColumn(name, types.integer).execute()
  }
}
