import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** People, how they sign in, and what slows down guessing. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createUsers(db, types)
  await createSessions(db, types)
  await createOneTimeLinks(db, types)
  await db.schema
    .createTable('sign_in_failures')
    .ifNotExists()
    .addColumn('key', types.text, (column) => column.primaryKey())
    .addColumn('failures', types.integer, (column) => column.notNull())
    .addColumn('last_failure_at', types.integer, (column) => column.notNull())
    .addColumn('blocked_until', types.integer, (column) => column.notNull())
    .execute()
}

async function createUsers(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('users')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('username', types.text, (column) => column.notNull())
    .addColumn('username_key', types.text, (column) => column.notNull().unique())
    .addColumn('email', types.text, (column) => column.notNull())
    .addColumn('email_key', types.text, (column) => column.notNull().unique())
    .addColumn('password_hash', types.text)
    .addColumn('site_admin', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .execute()
}

async function createSessions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('sessions')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('hash', types.text, (column) => column.notNull().unique())
    .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('last_seen_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('remote_address', types.text, (column) => column.notNull())
    .addColumn('user_agent', types.text, (column) => column.notNull())
    .addColumn('service_token', types.bytes)
    .execute()
  await db.schema.createIndex('sessions_user').ifNotExists().on('sessions').column('user_id').execute()
  await db.schema.createIndex('sessions_expiry').ifNotExists().on('sessions').column('expires_at').execute()
}

async function createOneTimeLinks(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('one_time_links')
    .ifNotExists()
    .addColumn('hash', types.text, (column) => column.primaryKey())
    .addColumn('purpose', types.text, (column) => column.notNull())
    .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('one_time_links_user').ifNotExists().on('one_time_links').column('user_id').execute()
}
