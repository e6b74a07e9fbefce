import { hash } from 'node:crypto'
import type { ListPlace } from '../../../../../kit/list.ts'
import { type Name, nameKey } from '../../../../../pki/index.ts'
import { hotQuery } from '../../../../../storage/hot.ts'
import type { Db, Queryable, Tx } from '../../../../../storage/open.ts'
import { bumpVersion } from '../../../../../storage/versions.ts'
import { blankRole, type CertRole, nameKeyOf } from './role.ts'
import type { RoleTrust } from './role-trust.ts'

/** A role of certificate login. */
interface CertRoleRow {
  mount_id: string
  /** The name in lower case, by which it is found. */
  name_key: string
  /** The name as first written. */
  name: string
  /** Everything but the certificate, as JSON. */
  settings: string
  /** PEM as sent. */
  certificate: string
  /** SHA-256 of the PEM: roles that trust the same CAs share what was read from it. */
  certificate_digest: string
  /** Moves with every write. */
  version: number
  updated_at: number
}

/** A certificate a role trusts, by what a client's chain says about its issuer. */
interface CertRoleAnchorRow {
  mount_id: string
  name_key: string
  fingerprint: string
  /** Hash of the subject name; empty for a pinned leaf, which issues nothing. */
  subject_key: string
  /** Subject key identifier in hex; empty for none. */
  key_id: string
  not_after: number
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    cert_roles: CertRoleRow
    cert_role_anchors: CertRoleAnchorRow
  }
}

const byName = hotQuery('cert-roles.by-name', (db, by: { mountId: string; nameKey: string }) =>
  db.selectFrom('cert_roles').selectAll().where('mount_id', '=', by.mountId).where('name_key', '=', by.nameKey),
)

/** A role by name, whatever its case. */
export async function findRole(db: Queryable, mountId: string, name: string): Promise<CertRole | undefined> {
  return (await findRoleVersion(db, mountId, name))?.role
}

/** A role as read, and the version to hand back when it is written. */
export type RoleVersion = { readonly role: CertRole; readonly version: number }

/** A role together with its version. */
export async function findRoleVersion(db: Queryable, mountId: string, name: string): Promise<RoleVersion | undefined> {
  const row = await byName.first(db, { mountId, nameKey: nameKeyOf(name) })
  return row && { role: toRole(row), version: row.version }
}

/** A page of role names as first written, in the order of the bytes of their keys. */
export async function listRoleNames(db: Queryable, mountId: string, { after, most }: ListPlace): Promise<string[]> {
  const roles = db.selectFrom('cert_roles').select('name').where('mount_id', '=', mountId)
  const page = roles.where('name_key', '>', nameKeyOf(after)).orderBy('name_key').limit(most)
  return (await page.execute()).map((row) => row.name)
}

/** A page of roles, in the order of the bytes of their keys. */
export async function pageOfRoles(
  db: Queryable,
  mountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<CertRole[]> {
  const rows = await db
    .selectFrom('cert_roles')
    .select(['name', 'settings', 'certificate'])
    .where('mount_id', '=', mountId)
    .where('name_key', '>', nameKeyOf(after))
    .orderBy('name_key')
    .limit(limit)
    .execute()
  return rows.map(toRole)
}

/** A role to be stored in place of the one that was read, and what it trusts. */
export type RoleWrite = {
  readonly role: CertRole
  readonly trust: RoleTrust
  /** What was read before; undefined when there was none. */
  readonly version: number | undefined
  readonly at: number
}

/** Stores a role unless somebody changed it since it was read; false when somebody did. */
export async function swapRole(tx: Tx, mountId: string, write: RoleWrite): Promise<boolean> {
  const key = { mount_id: mountId, name_key: nameKeyOf(write.role.name) }
  if (!(await swapRow(tx, key, write))) return false
  await tx
    .deleteFrom('cert_role_anchors')
    .where('mount_id', '=', mountId)
    .where('name_key', '=', key.name_key)
    .execute()
  for (const anchor of anchorsOf(write.trust)) {
    await tx
      .insertInto('cert_role_anchors')
      .values({ ...key, ...anchor })
      .execute()
  }
  bumpVersion(tx, 'roles')
  return true
}

async function swapRow(tx: Tx, key: { mount_id: string; name_key: string }, write: RoleWrite): Promise<boolean> {
  const { name, certificate, ...settings } = write.role
  const columns = {
    name,
    settings: JSON.stringify(settings),
    certificate,
    certificate_digest: digestOf(certificate),
    // Starting from the time, so that a role that is deleted and created again never has a version it had before.
    version: write.version === undefined ? write.at : write.version + 1,
    updated_at: write.at,
  }
  if (write.version === undefined) {
    const row = { ...key, ...columns }
    const insert = tx.insertInto('cert_roles').values(row)
    const inserted = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('cert_roles')
    .set(columns)
    .where('mount_id', '=', key.mount_id)
    .where('name_key', '=', key.name_key)
    .where('version', '=', write.version)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** The digest that identifies the text of a role's certificates. */
export const digestOf = (pem: string): string => hash('sha256', pem, 'hex')

const subjectKeys = new WeakMap<Name, string>()

/** The key by which CAs of a name are found; names are hashed, since they may be long. */
export function subjectKeyOf(name: Name): string {
  const known = subjectKeys.get(name) ?? hash('sha256', nameKey(name), 'hex')
  subjectKeys.set(name, known)
  return known
}

/** Key identifiers usually have twenty bytes; an index of PostgreSQL cannot hold one of thousands. */
const longestKeyId = 64

/** The key by which a CA is found by its key identifier; empty text for none. Long ones are hashed. */
export function keyIdText(keyId: Buffer | undefined): string {
  if (keyId === undefined) return ''
  return keyId.length > longestKeyId ? hash('sha256', keyId, 'hex') : keyId.toString('hex')
}

/** A pinned leaf is found only by itself; its issuer may follow it in the PEM, but is not trusted to issue others. */
function anchorsOf({ kind, certificates }: RoleTrust): Omit<CertRoleAnchorRow, 'mount_id' | 'name_key'>[] {
  const isLeaf = kind === 'leaf'
  const trusted = isLeaf ? certificates.slice(0, 1) : certificates
  const unique = new Map(trusted.map((each) => [each.fingerprint, each]))
  return [...unique.values()].map((each) => ({
    fingerprint: each.fingerprint,
    subject_key: isLeaf ? '' : subjectKeyOf(each.subject),
    key_id: isLeaf ? '' : keyIdText(each.subjectKeyId),
    not_after: each.notAfter,
  }))
}

/** When the first certificate that roles of each mount trust expires. */
export async function firstExpiries(db: Queryable): Promise<{ mountPath: string; notAfter: number }[]> {
  const rows = await db
    .selectFrom('cert_role_anchors as anchor')
    .innerJoin('mounts', 'mounts.id', 'anchor.mount_id')
    .select((eb) => ['mounts.path', eb.fn.min('anchor.not_after').as('not_after')])
    .groupBy('mounts.path')
    .orderBy('mounts.path')
    .execute()
  return rows.map(({ path, not_after }) => ({ mountPath: path, notAfter: not_after }))
}

/** A CA that a role trusts, and when it expires. */
export type ExpiringCa = { readonly mountPath: string; readonly name: string; readonly notAfter: number }

/** Thousands of roles may trust one CA; this many warnings are enough. */
const maxExpiring = 100

/**
 * The CAs that expire in a span of time, the first ones first. Pinned certificates may be short-lived, and are left
 * out.
 */
export async function expiringCas(db: Queryable, span: { from: number; until: number }): Promise<ExpiringCa[]> {
  const rows = await db
    .selectFrom('cert_role_anchors as anchor')
    .innerJoin('mounts', 'mounts.id', 'anchor.mount_id')
    .innerJoin('cert_roles as role', (join) =>
      join.onRef('role.mount_id', '=', 'anchor.mount_id').onRef('role.name_key', '=', 'anchor.name_key'),
    )
    .select(['mounts.path', 'role.name', 'anchor.not_after'])
    .where('anchor.subject_key', '<>', '')
    .where('anchor.not_after', '>=', span.from)
    .where('anchor.not_after', '<', span.until)
    .orderBy('anchor.not_after')
    .orderBy('mounts.path')
    .orderBy('role.name_key')
    .limit(maxExpiring)
    .execute()
  return rows.map(({ path, name, not_after }) => ({ mountPath: path, name, notAfter: not_after }))
}

/** Removes a role; false when there is none. */
export async function deleteRole(tx: Tx, mountId: string, name: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('cert_roles')
    .where('mount_id', '=', mountId)
    .where('name_key', '=', nameKeyOf(name))
    .executeTakeFirst()
  bumpVersion(tx, 'roles')
  return result.numDeletedRows === 1n
}

/** Removes up to `limit` roles of a mount that is gone; returns how many are left. */
export async function removeSomeRoles(tx: Tx, mountId: string, limit: number): Promise<number> {
  await tx
    .deleteFrom('cert_roles')
    .where('mount_id', '=', mountId)
    .where('name_key', 'in', (eb) =>
      eb.selectFrom('cert_roles').select('name_key').where('mount_id', '=', mountId).limit(limit),
    )
    .execute()
  bumpVersion(tx, 'roles')
  const left = tx
    .selectFrom('cert_roles')
    .select((eb) => eb.fn.countAll().as('rows'))
    .where('mount_id', '=', mountId)
  return Number((await left.executeTakeFirstOrThrow()).rows)
}

/** A stored role; fields added since it was written have their default. */
export const toRole = (row: Pick<CertRoleRow, 'name' | 'settings' | 'certificate'>): CertRole => ({
  ...blankRole(row.name),
  ...(JSON.parse(row.settings) as Partial<CertRole>),
  certificate: row.certificate,
})

/** A role without its certificates, which are named by their digest. */
export type ListedRole = { name: string; name_key: string; settings: string; certificate_digest: string }

/**
 * How to look for roles: by the exact certificate they trust, or by the name of a CA, with one key identifier or with
 * any.
 */
export type RoleKey =
  | { readonly by: 'fingerprint'; readonly fingerprint: string }
  | { readonly by: 'subject'; readonly subjectKey: string; readonly keyId?: string }

/** A role found in this way, and the key identifier of the CA by which it was found; empty for none. */
export type FoundRole = { readonly name_key: string; readonly key_id: string }

const byFingerprint = hotQuery('cert-roles.trusting-certificate', (db, by: { mountId: string; fingerprint: string }) =>
  db
    .selectFrom('cert_role_anchors')
    .select('name_key')
    .where('mount_id', '=', by.mountId)
    .where('fingerprint', '=', by.fingerprint),
)

const bySubject = hotQuery('cert-roles.trusting-name', (db, by: { mountId: string; subjectKey: string }) =>
  db
    .selectFrom('cert_role_anchors')
    .select(['name_key', 'key_id'])
    .where('mount_id', '=', by.mountId)
    .where('subject_key', '=', by.subjectKey),
)

const keyIds = hotQuery('cert-roles.key-identifiers-of-name', (db, by: { mountId: string; subjectKey: string }) =>
  db
    .selectFrom('cert_role_anchors')
    .select('key_id')
    .distinct()
    .where('mount_id', '=', by.mountId)
    .where('subject_key', '=', by.subjectKey),
)

/** The key identifiers of all CAs of a name that roles trust; empty text for those that have none. */
export async function loadKeyIds(db: Db, mountId: string, subjectKey: string): Promise<ReadonlySet<string>> {
  return new Set((await keyIds.all(db, { mountId, subjectKey })).map((row) => row.key_id))
}

/** The roles found by a key, sorted by the bytes of their names. One that trusts several such CAs is found by each. */
export async function findRolesByKey(db: Db, mountId: string, key: RoleKey): Promise<FoundRole[]> {
  const rows =
    key.by === 'fingerprint'
      ? (await byFingerprint.all(db, { mountId, fingerprint: key.fingerprint })).map((row) => ({ ...row, key_id: '' }))
      : await bySubject.all(db, { mountId, subjectKey: key.subjectKey })
  const keyId = key.by === 'subject' ? key.keyId : undefined
  return rows
    .filter((row) => keyId === undefined || row.key_id === keyId)
    .sort((a, b) => (a.name_key < b.name_key ? -1 : 1))
}

/** Roles by the keys of their names, in the order of these. */
export async function listedRoles(db: Db, mountId: string, nameKeys: readonly string[]): Promise<ListedRole[]> {
  return await db
    .selectFrom('cert_roles')
    .select(['name', 'name_key', 'settings', 'certificate_digest'])
    .where('mount_id', '=', mountId)
    .where('name_key', 'in', [...nameKeys])
    .orderBy('name_key')
    .execute()
}

/** A role as a list over all mounts shows it, and where that list goes on. */
type RoleOfAnyMount = { readonly after: string; readonly mountPath: string; readonly role: CertRole }

/** A page of the roles of all mounts. */
export async function pageOfAllRoles(db: Queryable, { after, most }: ListPlace): Promise<RoleOfAnyMount[]> {
  const [mountId = '', ...nameKey] = after.split('/')
  const rows = await db
    .selectFrom('cert_roles as role')
    .innerJoin('mounts', 'mounts.id', 'role.mount_id')
    .select(['role.mount_id', 'role.name_key', 'role.name', 'role.settings', 'mounts.path'])
    .where((eb) =>
      eb.or([
        eb('role.mount_id', '>', mountId),
        eb.and([eb('role.mount_id', '=', mountId), eb('role.name_key', '>', nameKey.join('/'))]),
      ]),
    )
    .orderBy('role.mount_id')
    .orderBy('role.name_key')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    after: `${row.mount_id}/${row.name_key}`,
    mountPath: row.path,
    role: toRole({ ...row, certificate: '' }),
  }))
}
