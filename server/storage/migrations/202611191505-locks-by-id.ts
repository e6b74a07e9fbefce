import { type Kysely, sql } from 'kysely'

/** Locked workspaces are looked up by id; what a lock changes in the index is less so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index workspaces_locked`.execute(db)
  await sql`create index workspaces_locked on workspaces (organization_id, id, lock_expires_at)
    where locked_at is not null`.execute(db)
}
