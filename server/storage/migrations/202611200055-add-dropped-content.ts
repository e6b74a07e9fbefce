import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** When logs, plans and configuration of a run were dropped, and the runs that have ended, by when they did. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('runs').addColumn('content_dropped_at', types.integer).execute()
  await sql`create index runs_ended on runs (updated_at)
    where status in ('planned_and_finished', 'applied', 'errored', 'canceled', 'discarded')`.execute(db)
}
