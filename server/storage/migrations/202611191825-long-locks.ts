import { type Kysely, sql } from 'kysely'

/** The locks of an organization by age, so that the oldest are found without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index workspaces_long_locked on workspaces (organization_id, locked_at, id, project_id)
    where locked_at is not null`.execute(db)
}
