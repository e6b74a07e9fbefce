import { type Kysely, sql } from 'kysely'

/** The leases of a path in the order of their names, in which lists read them page by page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index tokens_leases on tokens (path, id) where revoked = 0 and expires_at is not null`.execute(db)
}
