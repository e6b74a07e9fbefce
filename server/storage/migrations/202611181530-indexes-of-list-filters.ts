import type { Kysely } from 'kysely'

/** Finds the workspaces with a tool version, in their order, and those that have changed since a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).ifNotExists().on('workspaces').columns(columns).execute()
  await index('workspaces_tool_version', ['organization_id', 'tool_version', 'created_at', 'id'])
  await index('workspaces_updated', ['organization_id', 'updated_at', 'created_at', 'id'])
}
