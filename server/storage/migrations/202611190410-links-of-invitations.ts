import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** The link that an invitation is accepted with; it goes when it was used, and with the invitation. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const alter = () => db.schema.alterTable('organization_memberships')
  await alter().addColumn('link_hash', types.text).execute()
  await alter().addColumn('link_expires_at', types.integer).execute()
  const byLink = db.schema.createIndex('organization_memberships_link').on('organization_memberships')
  await byLink.column('link_hash').unique().execute()
}
