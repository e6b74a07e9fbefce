import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Who may use which pool of executors, and connections to version control, which workspaces refer to. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createAgentPoolScopes(db, types)
  await createOauthClients(db, types)
}

async function createAgentPoolScopes(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('agent_pool_scopes')
    .ifNotExists()
    .addColumn('pool_id', types.text, (column) => column.notNull().references('agent_pools.id').onDelete('cascade'))
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('target_id', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_pool_scopes_key', ['pool_id', 'kind', 'target_id'])
    .execute()
  const byTarget = db.schema.createIndex('agent_pool_scopes_target').ifNotExists()
  await byTarget.on('agent_pool_scopes').column('target_id').execute()
}

async function createOauthClients(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('oauth_clients')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text)
    .addColumn('service_provider', types.text, (column) => column.notNull())
    .addColumn('http_url', types.text, (column) => column.notNull())
    .addColumn('api_url', types.text, (column) => column.notNull())
    .addColumn('organization_scoped', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
  const byOrganization = db.schema.createIndex('oauth_clients_organization').ifNotExists()
  await byOrganization.on('oauth_clients').columns(['organization_id', 'created_at']).execute()
  await db.schema
    .createTable('oauth_tokens')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('oauth_client_id', types.text, (column) =>
      column.notNull().references('oauth_clients.id').onDelete('cascade'),
    )
    .addColumn('token', types.bytes)
    .addColumn('service_provider_user', types.text)
    .addColumn('has_ssh_key', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  const byClient = db.schema.createIndex('oauth_tokens_client').ifNotExists()
  await byClient.on('oauth_tokens').column('oauth_client_id').execute()
}
