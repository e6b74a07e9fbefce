import { hotQuery } from '../../../../storage/hot.ts'
import type { Db } from '../../../../storage/open.ts'

/** A role without its certificates, which are named by their digest. */
export type ListedRole = { name: string; name_key: string; settings: string; certificate_digest: string }

/** Where to find roles: those that trust exactly this certificate, or a CA of this name. */
export type RoleKey =
  | { readonly by: 'fingerprint'; readonly fingerprint: string }
  /** `fits`: the CA's key identifier is this one, or it has none. Otherwise: all others. */
  | { readonly by: 'subject'; readonly subjectKey: string; readonly keyId: string; readonly fits: boolean }

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

/** The keys of the names of the roles at a place, sorted by their bytes. */
export async function roleNamesAt(db: Db, mountId: string, key: RoleKey): Promise<string[]> {
  const rows =
    key.by === 'fingerprint'
      ? await byFingerprint.all(db, { mountId, fingerprint: key.fingerprint })
      : (await bySubject.all(db, { mountId, subjectKey: key.subjectKey })).filter(({ key_id: id }) => fits(key, id))
  return [...new Set(rows.map((row) => row.name_key))].sort()
}

/** A certificate without the key identifier of its issuer fits every issuer. */
const fits = (key: Extract<RoleKey, { by: 'subject' }>, id: string): boolean =>
  (key.keyId === '' || id === '' || id === key.keyId) === key.fits

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
