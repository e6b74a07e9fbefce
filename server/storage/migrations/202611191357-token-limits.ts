import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** How long tokens may last in an organization, in milliseconds, and the role of its owners in single sign-on. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const change = () => db.schema.alterTable('organizations')
  const twoYears = 63_072_000_000
  await change().addColumn('owners_team_saml_role_id', types.text).execute()
  await change()
    .addColumn('max_ttl_enabled', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  for (const name of ['organization_token_ttl', 'team_token_ttl', 'user_token_ttl', 'audit_trails_token_ttl'])
    await change()
      .addColumn(name, types.integer, (column) => column.notNull().defaultTo(twoYears))
      .execute()
}
