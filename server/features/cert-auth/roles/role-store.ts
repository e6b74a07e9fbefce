import { hash } from 'node:crypto'
import { type Name, nameKey } from '../../../pki/index.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { CertRoleRow } from '../../../storage/tables/cert-auth.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { blankRole, type CertRole, nameKeyOf } from './role.ts'
import type { RoleTrust } from './role-rules.ts'

const byName = hotQuery('cert-roles.by-name', (db, by: { mountId: string; nameKey: string }) =>
  db.selectFrom('cert_roles').selectAll().where('mount_id', '=', by.mountId).where('name_key', '=', by.nameKey),
)

/** A role by name, whatever its case. */
export async function findRole(db: Queryable, mountId: string, name: string): Promise<CertRole | undefined> {
  const row = await byName.first(db, { mountId, nameKey: nameKeyOf(name) })
  return row && toRole(row)
}

/** A page of role names as first written, in the order of the bytes of their keys. */
export async function listRoleNames(
  db: Queryable,
  mountId: string,
  page: { after: string; limit: number },
): Promise<string[]> {
  let query = db.selectFrom('cert_roles').select('name').where('mount_id', '=', mountId).orderBy('name_key')
  if (page.after !== '') query = query.where('name_key', '>', nameKeyOf(page.after))
  if (page.limit > 0) query = query.limit(page.limit)
  return (await query.execute()).map((row) => row.name)
}

/** Stores a role, new or known, and what it trusts. */
export async function saveRole(
  tx: Tx,
  mountId: string,
  role: CertRole,
  written: { trust: RoleTrust; at: number },
): Promise<void> {
  const key = { mount_id: mountId, name_key: nameKeyOf(role.name) }
  const { name, certificate, ...settings } = role
  const columns = {
    name,
    settings: JSON.stringify(settings),
    certificate,
    certificate_digest: digestOf(certificate),
    updated_at: written.at,
  }
  await tx
    .insertInto('cert_roles')
    .values({ ...key, ...columns })
    .onConflict((conflict) => conflict.columns(['mount_id', 'name_key']).doUpdateSet(columns))
    .execute()
  await tx
    .deleteFrom('cert_role_anchors')
    .where('mount_id', '=', mountId)
    .where('name_key', '=', key.name_key)
    .execute()
  for (const anchor of anchorsOf(written.trust)) {
    await tx
      .insertInto('cert_role_anchors')
      .values({ ...key, ...anchor })
      .execute()
  }
  await bumpVersion(tx, 'roles')
}

/** What names the text of a role's certificates. */
export const digestOf = (pem: string): string => hash('sha256', pem, 'hex')

/** How the CAs of a name are found; names are hashed, since they may be long. */
export const subjectKeyOf = (name: Name): string => hash('sha256', nameKey(name), 'hex')

/** A pinned leaf is found by itself alone; behind it may stand its issuer, which is not trusted to issue others. */
function anchorsOf({ kind, certificates }: RoleTrust): { fingerprint: string; subject_key: string; key_id: string }[] {
  if (kind === 'leaf')
    return certificates.slice(0, 1).map(({ fingerprint }) => ({ fingerprint, subject_key: '', key_id: '' }))
  const unique = new Map(certificates.map((each) => [each.fingerprint, each]))
  return [...unique.values()].map((each) => ({
    fingerprint: each.fingerprint,
    subject_key: subjectKeyOf(each.subject),
    key_id: each.subjectKeyId?.toString('hex') ?? '',
  }))
}

/** Removes a role; false when there is none. */
export async function deleteRole(tx: Tx, mountId: string, name: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('cert_roles')
    .where('mount_id', '=', mountId)
    .where('name_key', '=', nameKeyOf(name))
    .executeTakeFirst()
  await bumpVersion(tx, 'roles')
  return result.numDeletedRows === 1n
}

/** Removes every role of a mount that goes away. */
export async function deleteRolesOfMount(tx: Tx, mountId: string): Promise<void> {
  await tx.deleteFrom('cert_roles').where('mount_id', '=', mountId).execute()
  await bumpVersion(tx, 'roles')
}

/** A stored role; fields it was written without have their present default. */
export const toRole = (row: Pick<CertRoleRow, 'name' | 'settings' | 'certificate'>): CertRole => ({
  ...blankRole(row.name),
  ...(JSON.parse(row.settings) as Partial<CertRole>),
  certificate: row.certificate,
})
