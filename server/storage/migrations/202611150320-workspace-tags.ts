import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** What is tied to workspaces by others: flat tags, tag bindings, consumers of their state. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTags(db, types)
  await createTagBindings(db, types)
  await createConsumers(db, types)
}

async function createTags(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('tags')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('tags_name', ['organization_id', 'name'])
    .execute()
  await db.schema
    .createTable('workspace_tags')
    .ifNotExists()
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('tag_id', types.text, (column) => column.notNull().references('tags.id').onDelete('cascade'))
    .addColumn('position', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('workspace_tags_key', ['tag_id', 'workspace_id'])
    .execute()
  const byWorkspace = db.schema.createIndex('workspace_tags_workspace').ifNotExists()
  await byWorkspace.on('workspace_tags').columns(['workspace_id', 'position']).execute()
}

async function createTagBindings(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('tag_bindings')
    .ifNotExists()
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('organization_id', types.text, (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('workspace_id', types.text, (column) => column.references('workspaces.id').onDelete('cascade'))
    .addColumn('project_id', types.text, (column) => column.references('projects.id').onDelete('cascade'))
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('value', types.text, (column) => column.notNull())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addUniqueConstraint('tag_bindings_workspace', ['workspace_id', 'key'])
    .addUniqueConstraint('tag_bindings_project', ['project_id', 'key'])
    .execute()
  const byKey = db.schema.createIndex('tag_bindings_key').ifNotExists()
  const columns = ['organization_id', 'key', 'value', 'workspace_id', 'project_id']
  await byKey.on('tag_bindings').columns(columns).execute()
  const byValue = db.schema.createIndex('tag_bindings_value').ifNotExists()
  await byValue.on('tag_bindings').columns(['organization_id', 'value']).execute()
}

async function createConsumers(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('remote_state_consumers')
    .ifNotExists()
    .addColumn('workspace_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('consumer_id', types.text, (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('remote_state_consumers_key', ['workspace_id', 'consumer_id'])
    .execute()
  const byConsumer = db.schema.createIndex('remote_state_consumers_consumer').ifNotExists()
  await byConsumer.on('remote_state_consumers').column('consumer_id').execute()
}
