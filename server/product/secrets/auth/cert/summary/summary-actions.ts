import { type Instant, later, maybeIso, toIso } from '../../../../../kernel/clock.ts'
import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { nameText, readPemCertificates } from '../../../../../pki/index.ts'
import { viewCertificates } from '../certificate-fields.ts'
import { forgedSigner, type StoredCrl } from '../crls/crl.ts'
import { seeLog } from '../crls/crl-actions.ts'
import { crlsUnlessLost } from '../crls/crl-memory-actions.ts'
import { loadCrls } from '../crls/crl-store.ts'
import { isInForce } from '../crls/signer-actions.ts'
import { writeRecord } from '../record/login-record-actions.ts'
import { countByAnchor, countByRole, type RoleCount } from '../record/login-record-store.ts'
import { type RoleSummary, rolesTrusting, summarizeRoles, trustedCertificates } from '../roles/role-summary-store.ts'
import { daysLeft } from '../roles/role-trust.ts'

type Shown = Record<string, unknown>

/** Which roles are wanted, and since when their logins are counted. */
type RolesWanted = {
  readonly after: string
  readonly limit: number
  readonly search: string
  readonly seconds: number
}

/** Roles with what they trust and how many logins they accepted and refused. */
export async function summaryOfRoles(
  deps: Deps,
  mountId: string,
  { seconds, ...page }: RolesWanted,
): Promise<{ roles: Shown[]; total: number }> {
  await writeRecord(deps)
  const now = deps.clock.now()
  const { roles, total } = await summarizeRoles(deps.reads, mountId, page)
  const names = roles.map(({ role }) => role.name)
  const counts = await countByRole(deps.reads, mountId, { roles: names, since: later(now, -seconds * 1_000) })
  return { roles: roles.map((each) => roleShown(each, counts, now)), total }
}

function roleShown({ role, ...rest }: RoleSummary, counts: readonly RoleCount[], now: Instant): Shown {
  const own = (accepted: boolean) => counts.find((each) => each.role === role.name && each.accepted === accepted)
  const [accepted, refused] = [own(true), own(false)]
  return {
    name: role.name,
    pinned: rest.isPinned,
    certificates: rest.certificates,
    not_after: toIso(rest.firstExpiry),
    days_left: daysLeft(rest.firstExpiry, now),
    token_policies: role.tokenPolicies,
    platform_team: role.platformTeam,
    updated_at: toIso(rest.updatedAt),
    accepted: accepted?.count ?? 0,
    refused: refused?.count ?? 0,
    clients: accepted?.clients ?? 0,
    last_login: maybeIso(accepted?.lastAt ?? null),
    last_refusal: maybeIso(refused?.lastAt ?? null),
  }
}

/** What is told about each list but its entries. */
export async function summaryOfLists(deps: Deps, mountId: string, maySeeCalls: boolean): Promise<Shown[]> {
  const lists = await loadCrls(deps.reads, mountId)
  const inMemory = lists.length > 0 ? await crlsUnlessLost(deps, mountId) : undefined
  return await Promise.all(
    lists.map(async (list) => {
      const known = inMemory?.get(list.name)
      const in_force = known !== undefined && (await isInForce(deps, mountId, known))
      return { ...listShown(list, maySeeCalls, deps.clock.now()), in_force }
    }),
  )
}

const listShown = (list: StoredCrl, maySeeCalls: boolean, now: Instant): Shown => ({
  name: list.name,
  url: shownAddress(list.url),
  issuer: list.issuer,
  number: list.number ?? null,
  entries: list.entries,
  size: list.size,
  this_update: toIso(list.thisUpdate),
  next_update: maybeIso(list.nextUpdate ?? null),
  stale: list.nextUpdate !== undefined && list.nextUpdate <= now,
  updated_at: toIso(list.updatedAt),
  next_fetch: list.refreshAt === 0 ? null : toIso(list.refreshAt),
  signature_verified: list.signerKey !== '' && list.signerKey !== forgedSigner,
  last_error: list.lastError === '' || maySeeCalls ? list.lastError : seeLog,
  last_error_at: list.lastError === '' ? null : toIso(list.lastErrorAt),
})

/** Names of roles that are told of one certificate, and read for all of them. */
const namesPerCertificate = 20
const namesInAll = 2_000

/** What roles trust: each certificate with its roles, its lists and the clients that came by it. */
export async function summaryOfTrust(
  deps: Deps,
  mountId: string,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
): Promise<{ certificates: Shown[]; total: number }> {
  await writeRecord(deps)
  const now = deps.clock.now()
  const { certificates, total } = await trustedCertificates(deps.reads, mountId, limit)
  const anchors = certificates.map(({ fingerprint }) => fingerprint)
  const counts = await countByAnchor(deps.reads, mountId, { anchors, since: later(now, -seconds * 1_000) })
  const roles = await rolesTrusting(deps.reads, mountId, { fingerprints: anchors, limit: namesInAll })
  const lists = Map.groupBy(await loadCrls(deps.reads, mountId), ({ issuer }) => issuer)
  const shown = certificates.flatMap(({ fingerprint, isPinned, pem, ...rest }) => {
    const certificate = readPemCertificates(pem).certificates.find((each) => each.fingerprint === fingerprint)
    if (!certificate) return []
    const seen = counts.get(fingerprint)
    return [
      {
        ...viewCertificates([certificate])[0],
        pinned: isPinned,
        days_left: daysLeft(certificate.notAfter, now),
        roles: rest.roles,
        role_names: (roles.get(fingerprint) ?? []).slice(0, namesPerCertificate),
        lists: (lists.get(nameText(certificate.subject)) ?? []).map(({ name }) => name),
        logins: seen?.count ?? 0,
        clients: seen?.clients ?? 0,
        last_login: maybeIso(seen?.lastAt ?? null),
      },
    ]
  })
  return { certificates: shown, total }
}
