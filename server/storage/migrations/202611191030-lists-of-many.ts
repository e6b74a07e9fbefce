import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Lists of members, people, flat tags and changes read what they search, sort and count by from one index or row. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('organization_memberships').addColumn('username_key', types.text).execute()
  await sql`update organization_memberships
    set username_key = (select username_key from users where users.id = organization_memberships.user_id)`.execute(db)
  await sql`create index organization_memberships_listed
    on organization_memberships (organization_id, email_key, id, username_key, status)`.execute(db)
  await sql`create index users_listed on users (username_key, email_key, id)`.execute(db)

  const count = types.integer
  await db.schema
    .alterTable('tags')
    .addColumn('workspaces', count, (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update tags
    set workspaces = (select count(*) from workspace_tags where workspace_tags.tag_id = tags.id)`.execute(db)

  await sql`create index change_log_type on change_log (organization_id, subject_type, position, id)`.execute(db)
}
