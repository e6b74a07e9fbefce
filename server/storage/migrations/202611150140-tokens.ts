import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Service tokens, token roles, and the values tokens keep for themselves. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTokens(db, types)
  await db.schema
    .createTable('token_roles')
    .ifNotExists()
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('terms', types.text, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('cubbyholes')
    .ifNotExists()
    .addColumn('token_id', types.text, (column) => column.notNull().references('tokens.id').onDelete('cascade'))
    .addColumn('path', types.text, (column) => column.notNull())
    .addColumn('sealed', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('cubbyholes_key', ['token_id', 'path'])
    .execute()
}

async function createTokens(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  let table = db.schema
    .createTable('tokens')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('accessor', types.text, (column) => column.notNull().unique())
    .addColumn('expires_at', types.integer)
    .addColumn('last_renewed_at', types.integer)
  const texts = ['parent_id', 'policies', 'path', 'display_name', 'metadata', 'entity_id', 'role', 'mount_id']
  for (const name of [...texts, 'bound_cidrs', 'certificate_fingerprint', 'platform_team', 'auth_data']) {
    table = table.addColumn(name, types.text, (column) => column.notNull())
  }
  const numbers = ['created_at', 'creation_ttl', 'explicit_max_ttl', 'period', 'renewable', 'num_uses', 'uses_left']
  for (const name of [...numbers, 'orphan', 'wrapping', 'revoked']) {
    table = table.addColumn(name, types.integer, (column) => column.notNull())
  }
  await table.execute()
  await createIndexes(db)
}

/** Most tokens are orphans and none stays revoked for long, so these two indexes hold only what they are asked for. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  for (const column of ['expires_at', 'path']) {
    await db.schema.createIndex(`tokens_${column}`).ifNotExists().on('tokens').column(column).execute()
  }
  const children = db.schema.createIndex('tokens_parent_id').ifNotExists().on('tokens').column('parent_id')
  await children.where(sql.ref('parent_id'), '<>', sql.lit('')).execute()
  const dead = db.schema.createIndex('tokens_revoked').ifNotExists().on('tokens').column('revoked')
  await dead.where(sql.ref('revoked'), '=', sql.lit(1)).execute()
}
