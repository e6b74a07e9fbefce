import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Tokens of agent pools. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('api_tokens')
    .addColumn('agent_pool_id', types.text, (column) => column.references('agent_pools.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('api_tokens_agent_pool_id').on('api_tokens').column('agent_pool_id').execute()
}
