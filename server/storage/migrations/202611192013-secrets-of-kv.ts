import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Versioned secrets: paths and what is said about them in clear, values sealed, and who has read them when. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createMounts(db, types)
  await createSecrets(db, types)
  await createVersions(db, types)
}

async function createMounts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('kv_mounts')
    .addColumn('mount_id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('max_versions', types.integer, (column) => column.notNull())
    .addColumn('cas_required', types.integer, (column) => column.notNull())
    .addColumn('metadata_cas_required', types.integer, (column) => column.notNull())
    .addColumn('delete_version_after', types.integer, (column) => column.notNull())
    .addColumn('history', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('kv_totals')
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('slot', types.integer, (column) => column.notNull())
    .addColumn('secrets', types.integer, (column) => column.notNull())
    .addColumn('versions', types.integer, (column) => column.notNull())
    .addColumn('bytes', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('kv_totals_key', ['mount_id', 'slot'])
    .execute()
}

async function createSecrets(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('kv_secrets')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('folder', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('current_version', types.integer, (column) => column.notNull())
    .addColumn('oldest_version', types.integer, (column) => column.notNull())
    .addColumn('max_versions', types.integer, (column) => column.notNull())
    .addColumn('cas_required', types.integer, (column) => column.notNull())
    .addColumn('delete_version_after', types.integer, (column) => column.notNull())
    .addColumn('metadata_version', types.integer, (column) => column.notNull())
    .addColumn('metadata_cas_required', types.integer, (column) => column.notNull())
    .addColumn('custom_metadata', types.text)
    .addColumn('ends_at', types.integer)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('kv_secrets_path', ['mount_id', 'folder', 'name'])
    .execute()
  await db.schema
    .createIndex('kv_secrets_ends')
    .on('kv_secrets')
    .columns(['ends_at'])
    .where(sql<boolean>`ends_at is not null`)
    .execute()
}

async function createVersions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('kv_versions')
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('secret_id', types.text, (column) => column.notNull())
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('deletion_at', types.integer)
    .addColumn('destroyed', types.integer, (column) => column.notNull())
    .addColumn('created_by', types.text, (column) => column.notNull())
    .addColumn('deleted_by', types.text)
    .addColumn('size', types.integer, (column) => column.notNull())
    .addColumn('value', types.bytes)
    .addPrimaryKeyConstraint('kv_versions_key', ['mount_id', 'secret_id', 'number'])
    .execute()
  await db.schema
    .createTable('kv_uses')
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('secret_id', types.text, (column) => column.notNull())
    .addColumn('entity_id', types.text, (column) => column.notNull())
    .addColumn('operation', types.text, (column) => column.notNull())
    .addColumn('display_name', types.text, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('first_at', types.integer, (column) => column.notNull())
    .addColumn('last_at', types.integer, (column) => column.notNull())
    .addColumn('count', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('kv_uses_key', ['mount_id', 'secret_id', 'entity_id', 'operation'])
    .execute()
}
