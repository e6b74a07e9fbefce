import { type Instant, instant } from '../../../../../kernel/clock.ts'
import type { Queryable } from '../../../../../storage/open.ts'
import { contains } from '../../../../../storage/search.ts'
import { type CertRole, nameKeyOf } from './role.ts'
import { toRole } from './role-store.ts'

/** A role as lists show it. */
export type RoleSummary = {
  readonly role: CertRole
  readonly updatedAt: Instant
  /** Whether it pins one certificate, how many it trusts, and when the first of them expires. */
  readonly isPinned: boolean
  readonly certificates: number
  readonly firstExpiry: Instant
}

/** A page of roles whose name contains a text, in the order of the bytes of their keys, and how many there are. */
export async function summarizeRoles(
  db: Queryable,
  mountId: string,
  { after, limit, search }: { readonly after: string; readonly limit: number; readonly search: string },
): Promise<{ roles: RoleSummary[]; total: number }> {
  const own = db.selectFrom('cert_roles').where('mount_id', '=', mountId)
  const found = search === '' ? own : own.where(contains('name_key', nameKeyOf(search)))
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const page = found.select(['name', 'name_key', 'settings', 'updated_at']).where('name_key', '>', nameKeyOf(after))
  const rows = await page.orderBy('name_key').limit(limit).execute()
  const keys = rows.map((row) => row.name_key)
  const anchors = await anchorsByRole(db, mountId, keys)
  const roles = rows.map((row) => ({
    role: toRole({ ...row, certificate: '' }),
    updatedAt: instant(row.updated_at),
    ...(anchors.get(row.name_key) ?? { isPinned: false, certificates: 0, firstExpiry: instant(0) }),
  }))
  return { roles, total: Number(total) }
}

async function anchorsByRole(db: Queryable, mountId: string, nameKeys: readonly string[]) {
  const rows = await db
    .selectFrom('cert_role_anchors')
    .where('mount_id', '=', mountId)
    .where('name_key', 'in', [...nameKeys])
    .select(({ fn }) => ['name_key', fn.countAll().as('certificates')])
    .select(({ fn }) => [fn.min('not_after').as('first'), fn.max('subject_key').as('subject')])
    .groupBy('name_key')
    .execute()
  return new Map(
    rows.map(({ name_key, certificates, first, subject }) => [
      name_key,
      { isPinned: subject === '', certificates: Number(certificates), firstExpiry: instant(Number(first)) },
    ]),
  )
}

/** A certificate that roles of a mount trust, and the PEM of one of those roles. */
export type TrustedCertificate = {
  readonly fingerprint: string
  readonly isPinned: boolean
  readonly roles: number
  readonly pem: string
}

/** The certificates that roles of a mount trust, the first to expire first, and how many there are. */
export async function trustedCertificates(
  db: Queryable,
  mountId: string,
  limit: number,
): Promise<{ certificates: TrustedCertificate[]; total: number }> {
  const own = db.selectFrom('cert_role_anchors as anchor').where('anchor.mount_id', '=', mountId)
  const { total } = await own
    .select(({ fn }) => fn.count('anchor.fingerprint').distinct().as('total'))
    .executeTakeFirstOrThrow()
  const found = await own
    .select(({ fn }) => ['anchor.fingerprint', 'anchor.not_after', fn.countAll().as('roles')])
    .select(({ fn }) => [fn.min('anchor.name_key').as('name_key'), fn.max('anchor.subject_key').as('subject')])
    .groupBy(['anchor.fingerprint', 'anchor.not_after'])
    .orderBy('anchor.not_after')
    .limit(limit)
    .execute()
  const keys = [...new Set(found.map((row) => row.name_key))]
  const roles = db.selectFrom('cert_roles').select(['name_key', 'certificate']).where('mount_id', '=', mountId)
  const pems = new Map(
    (await roles.where('name_key', 'in', keys).execute()).map((row) => [row.name_key, row.certificate]),
  )
  const certificates = found.map(({ fingerprint, subject, roles, name_key }) => ({
    fingerprint,
    isPinned: subject === '',
    roles: Number(roles),
    pem: pems.get(name_key) ?? '',
  }))
  return { certificates, total: Number(total) }
}

/** Some of the roles that trust these certificates, by fingerprint. */
export async function rolesTrusting(
  db: Queryable,
  mountId: string,
  { fingerprints, limit }: { readonly fingerprints: readonly string[]; readonly limit: number },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('cert_role_anchors as anchor')
    .innerJoin('cert_roles as role', (join) =>
      join.onRef('role.mount_id', '=', 'anchor.mount_id').onRef('role.name_key', '=', 'anchor.name_key'),
    )
    .select(['anchor.fingerprint', 'role.name'])
    .where('anchor.mount_id', '=', mountId)
    .where('anchor.fingerprint', 'in', [...fingerprints])
    .orderBy('role.name_key')
    .limit(limit)
    .execute()
  const byFingerprint = Map.groupBy(rows, ({ fingerprint }) => fingerprint)
  return new Map([...byFingerprint].map(([fingerprint, each]) => [fingerprint, each.map(({ name }) => name)]))
}
