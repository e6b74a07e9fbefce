import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Cubbyholes are listed by folder: what is before the last slash of a path, with that slash, and what is after it. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const text = (name: string) =>
    db.schema
      .alterTable('cubbyholes')
      .addColumn(name, types.text, (column) => column.notNull().defaultTo(''))
      .execute()
  await text('folder')
  await text('name')
  const folder = sql`rtrim(path, replace(path, '/', ''))`
  await sql`update cubbyholes set folder = ${folder}, name = substr(path, length(${folder}) + 1)`.execute(db)
  await db.schema.createIndex('cubbyholes_folder').on('cubbyholes').columns(['token_id', 'folder', 'name']).execute()
}
