import type { Expression, Kysely } from 'kysely'

type Types = Record<'text' | 'integer' | 'bytes', Expression<unknown>>

/** Versions of cached areas, operation ids, and blobs. */
export async function up(db: Kysely<unknown>, types: Types): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('area', types.text, (column) => column.primaryKey().notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('operations')
    .addColumn('id', types.text, (column) => column.primaryKey().notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('operations_by_age').on('operations').column('created_at').execute()

  await db.schema
    .createTable('blobs')
    .addColumn('upload', types.text, (column) => column.primaryKey().notNull())
    .addColumn('scope', types.text, (column) => column.notNull())
    .addColumn('id', types.text)
    .addColumn('size', types.integer, (column) => column.notNull())
    .addColumn('chunks', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('blobs_by_content').unique().on('blobs').columns(['scope', 'id']).execute()
  await db.schema
    .createTable('blob_chunks')
    .addColumn('upload', types.text, (column) => column.notNull().references('blobs.upload').onDelete('cascade'))
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('bytes', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_chunks_key', ['upload', 'seq'])
    .execute()
}
