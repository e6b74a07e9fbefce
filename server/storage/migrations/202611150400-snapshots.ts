import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Automated snapshots: configurations, how they stand, and what was tried. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('snapshot_configurations')
    .ifNotExists()
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('interval_s', types.integer, (column) => column.notNull())
    .addColumn('retain', types.integer, (column) => column.notNull())
    .addColumn('path_prefix', types.text, (column) => column.notNull())
    .addColumn('file_prefix', types.text, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('dialect', types.text, (column) => column.notNull())
    .addColumn('settings', types.text, (column) => column.notNull())
    .addColumn('secrets', types.bytes)
    .addColumn('verify', types.text, (column) => column.notNull())
    .addColumn('paused', types.integer, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
  await createStatus(db, types)
  await createAttempts(db, types)
}

async function createStatus(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('snapshot_status')
    .ifNotExists()
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('anchor', types.integer, (column) => column.notNull())
    .addColumn('consecutive_errors', types.integer, (column) => column.notNull())
    .addColumn('last_number', types.text, (column) => column.notNull())
    .addColumn('prune_error', types.text, (column) => column.notNull())
    .addColumn('stored', types.integer, (column) => column.notNull())
    .addColumn('used_bytes', types.integer, (column) => column.notNull())
    .execute()
}

async function createAttempts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('snapshot_attempts')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('sequence', types.integer, (column) => column.notNull())
    .addColumn('trigger_kind', types.text, (column) => column.notNull())
    .addColumn('started_at', types.integer)
    .addColumn('ended_at', types.integer)
    .addColumn('object', types.text, (column) => column.notNull())
    .addColumn('url', types.text, (column) => column.notNull())
    .addColumn('size', types.integer)
    .addColumn('sha256', types.text)
    .addColumn('error', types.text, (column) => column.notNull())
    .addColumn('pruned', types.text, (column) => column.notNull())
    .addColumn('verified_at', types.integer)
    .addColumn('verify_error', types.text, (column) => column.notNull())
    .addColumn('node', types.text, (column) => column.notNull())
    .addUniqueConstraint('snapshot_attempts_order', ['name', 'sequence'])
    .execute()
}
