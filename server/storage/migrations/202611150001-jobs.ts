import type { Expression, Kysely } from 'kysely'

type Types = Record<'text' | 'integer', Expression<unknown>>

/** Background work and the lease of the node that leads it. */
export async function up(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('next_run_at', types.integer, (column) => column.notNull())
    .addColumn('every_ms', types.integer)
    .addColumn('payload', types.text, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('owner', types.text)
    .addColumn('lease_until', types.integer, (column) => column.notNull())
    .addColumn('lease_ms', types.integer, (column) => column.notNull())
    .addColumn('fence', types.integer, (column) => column.notNull())
    .addColumn('attempts', types.integer, (column) => column.notNull())
    .addColumn('last_started_at', types.integer)
    .addColumn('last_finished_at', types.integer)
    .addColumn('last_ok_at', types.integer)
    .addColumn('last_error', types.text)
    .addPrimaryKeyConstraint('jobs_key', ['kind', 'key'])
    .execute()
  await db.schema.createIndex('jobs_by_time').on('jobs').column('next_run_at').execute()

  await db.schema
    .createTable('leases')
    .addColumn('name', types.text, (column) => column.primaryKey().notNull())
    .addColumn('owner', types.text)
    .addColumn('node', types.text, (column) => column.notNull())
    .addColumn('address', types.text, (column) => column.notNull())
    .addColumn('lease_until', types.integer, (column) => column.notNull())
    .addColumn('since', types.integer, (column) => column.notNull())
    .addColumn('fence', types.integer, (column) => column.notNull())
    .execute()
}
