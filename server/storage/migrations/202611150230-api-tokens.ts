import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Tokens of people, teams and organizations, as keyed hashes. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('hash', types.text, (column) => column.notNull().unique())
    .addColumn('hint', types.text, (column) => column.notNull())
    .addColumn('owner_kind', types.text, (column) => column.notNull())
    .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('team_id', types.text, (column) => column.references('teams.id').onDelete('cascade'))
    .addColumn('organization_id', types.text, (column) => column.references('organizations.id').onDelete('cascade'))
    .addColumn('slot', types.text, (column) => column.unique())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('created_by_kind', types.text, (column) => column.notNull())
    .addColumn('created_by_id', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('last_used_at', types.integer)
    .addColumn('expires_at', types.integer)
    .execute()
  for (const column of ['user_id', 'team_id', 'organization_id'] as const) {
    await db.schema.createIndex(`api_tokens_${column}`).ifNotExists().on('api_tokens').column(column).execute()
  }
}
