import { hotQuery } from '../../../../../../storage/hot.ts'
import type { Db } from '../../../../../../storage/open.ts'

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
