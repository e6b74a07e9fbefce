import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** Roles, revocation lists and settings of certificate login. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createRoles(db, types)
  await createAnchors(db, types)
  await createCrls(db, types)
  await db.schema
    .createTable('cert_config')
    .ifNotExists()
    .addColumn('mount_id', types.text, (column) => column.primaryKey())
    .addColumn('settings', types.text, (column) => column.notNull())
    .execute()
}

async function createRoles(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('cert_roles')
    .ifNotExists()
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('settings', types.text, (column) => column.notNull())
    .addColumn('certificate', types.text, (column) => column.notNull())
    .addColumn('certificate_digest', types.text, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('cert_roles_key', ['mount_id', 'name_key'])
    .execute()
}

async function createAnchors(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('cert_role_anchors')
    .ifNotExists()
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('fingerprint', types.text, (column) => column.notNull())
    .addColumn('subject_key', types.text, (column) => column.notNull())
    .addColumn('key_id', types.text, (column) => column.notNull())
    .addColumn('not_after', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('cert_role_anchors_key', ['mount_id', 'name_key', 'fingerprint'])
    .addForeignKeyConstraint(
      'cert_role_anchors_role',
      ['mount_id', 'name_key'],
      'cert_roles',
      ['mount_id', 'name_key'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('cert_role_anchors_by_subject')
    .ifNotExists()
    .on('cert_role_anchors')
    .columns(['mount_id', 'subject_key', 'key_id'])
    .execute()
  await db.schema
    .createIndex('cert_role_anchors_by_fingerprint')
    .ifNotExists()
    .on('cert_role_anchors')
    .columns(['mount_id', 'fingerprint'])
    .execute()
}

async function createCrls(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  let table = db.schema
    .createTable('cert_crls')
    .ifNotExists()
    .addColumn('mount_id', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('next_update', types.integer)
    .addColumn('number', types.text)
    .addPrimaryKeyConstraint('cert_crls_key', ['mount_id', 'name_key'])
  for (const name of ['name', 'url', 'blob_id', 'issuer', 'signer_key', 'last_error']) {
    table = table.addColumn(name, types.text, (column) => column.notNull())
  }
  for (const name of ['size', 'entries', 'this_update', 'updated_at', 'refresh_at', 'last_error_at']) {
    table = table.addColumn(name, types.integer, (column) => column.notNull())
  }
  await table.execute()
  await db.schema.createIndex('cert_crls_by_refresh').ifNotExists().on('cert_crls').column('refresh_at').execute()
}
