import { normalizePolicyNames } from '../../../../../access/policies/index.ts'
import type { HolderSource } from '../../../../../access/policy-holder.ts'
import { ttlsOf } from '../../../../../access/ttl.ts'
import type { Instant } from '../../../../../kernel/clock.ts'
import { Failure, failure } from '../../../../../kernel/failure.ts'
import { sentAddress, shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { refuseLongName } from '../../../../../kit/name-length.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import { withoutPrivateKeys } from '../../../../../pki/index.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { roleHolder, termWarnings } from '../../../login-roles/index.ts'
import { requireMount } from '../../../mounts/index.ts'
import { recheckSigners } from '../crls/signer-actions.ts'
import { linkWarnings, withLinkIds } from './link-actions.ts'
import { blankRole, type CertRole, isLinked } from './role.ts'
import { checkRole, responderUrl, roleWarnings } from './role-check.ts'
import type { RoleInput } from './role-fields.ts'
import { roleFields, withoutResponderKeys } from './role-fields.ts'
import { deleteRole, expiringCas, findRoleVersion, firstExpiries, pageOfAllRoles, swapRole } from './role-store.ts'
import { dayMs, daysLeft, type RoleTrust, warningDays } from './role-trust.ts'

/** The role after a write: what was sent replaces what is stored, the rest stays. */
function mergeRole(stored: CertRole, input: RoleInput): CertRole {
  const sent = withPresentNames(input)
  const merged: CertRole = {
    ...stored,
    ...roleFields.given(sent),
    ...(sent.certificate === undefined ? {} : { certificate: certificatesIn(sent.certificate) }),
    ...(sent.display_name === '' ? { displayName: stored.name } : {}),
    ...(sent.token_bound_cidrs === undefined ? {} : { boundCidrsNamed: sent.bound_cidrs !== undefined }),
  }
  return { ...merged, ocspServersOverride: serversAfter(stored, sent, merged.ocspCaCertificates) }
}

/** What was sent as certificates, without the keys that came along. */
function certificatesIn(sent: string): string {
  const bare = withoutPrivateKeys(sent)
  if (bare.trim() !== '' || sent.trim() === '') return bare
  const text =
    "Field 'certificate' could not be parsed: it is a private key, and must hold at least one certificate as PEM."
  throw failure('invalid', 'cert-role.certificate', `${text} The key was not stored.`)
}

/** The new name of a field wins; the old one counts where only that was sent. */
const withPresentNames = (input: RoleInput): RoleInput => ({
  ...input,
  token_policies: input.token_policies ?? (input.policies && normalizePolicyNames(input.policies)),
  token_ttl: input.token_ttl ?? input.ttl ?? input.lease,
  token_max_ttl: input.token_max_ttl ?? input.max_ttl,
  token_period: input.token_period ?? input.period,
  token_bound_cidrs: input.token_bound_cidrs ?? input.bound_cidrs,
})

/**
 * Servers are read without their credentials: written back as it was read, one is the stored one. Credentials are kept
 * for one address, and for the CAs by which its server is trusted.
 */
function serversAfter(stored: CertRole, sent: RoleInput, cas: string): readonly string[] {
  const isTrustChanged = cas !== stored.ocspCaCertificates
  if (sent.ocsp_servers_override === undefined && !isTrustChanged) return stored.ocspServersOverride
  const servers = sent.ocsp_servers_override ?? stored.ocspServersOverride.map(shownAddress)
  const known = isTrustChanged ? [] : stored.ocspServersOverride
  return servers.map((server, index) => wholeServer(server, [...known.slice(index), ...known]))
}

function wholeServer(sent: string, known: readonly string[]): string {
  const server = sentAddress(sent, known)
  if (server !== undefined) return server
  const rule = `Field 'ocsp_servers_override' must be sent with the credentials of '${sent}'`
  const reason = 'the stored ones are used with no other address, and no other ocsp_ca_certificates.'
  throw failure('invalid', 'cert-role.hidden-credentials', `${rule}: ${reason}`)
}

/** Warns about private keys that were sent and not stored. */
function keyWarnings({ certificate = '', ocsp_ca_certificates: responders = '' }: RoleInput): string[] {
  const fields = [
    ...(withoutPrivateKeys(certificate) === certificate ? [] : ['certificate']),
    ...(withoutResponderKeys(responders) === responders ? [] : ['ocsp_ca_certificates']),
  ]
  return fields.map((name) => `The private key in '${name}' was not stored: a role needs certificates alone.`)
}

/** Logs which CAs will soon expire or expired recently. One that expired long ago is not reported any more. */
export async function warnOfExpiries(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const span = warningDays * dayMs
  for (const { mountPath, name, notAfter } of await expiringCas(deps.db, { from: now - span, until: now + span }))
    deps.log.warn(
      { mount: mountPath, role: name, days: daysLeft(notAfter, now) },
      'a CA certificate that a role trusts expires soon or has expired',
    )
}

/** Measures, whenever metrics are collected, when the first certificate that roles of each mount trust expires. */
export function measureExpiries(deps: Deps): void {
  const gauge = deps.metrics.gauge(
    'holdfast_cert_trust_days_left',
    'Days until the first of the certificates trusted by roles of a mount expires; negative once it has.',
    ['mount'],
    { stored: true },
  )
  const refresh = async (): Promise<void> => {
    const first = await firstExpiries(deps.reads)
    gauge.reset()
    for (const { mountPath, notAfter } of first) gauge.set({ mount: mountPath }, daysLeft(notAfter, deps.clock.now()))
  }
  deps.metrics.onRender(
    throttledRefresh(deps, { refresh, goodFor: 60_000, failed: 'expiry of trusted certificates not read' }),
  )
}

/** Background work on roles. */
export const roleJobs: readonly Job[] = [
  defineJob({ name: 'cert-auth.watch-expiries', every: '6h', jitter: '10m', run: warnOfExpiries }),
]

type RoleDeps = Pick<Deps, 'db' | 'store' | 'log' | 'clock' | 'settings' | 'outbound'>

/** A write of a role, and what refuses callers who may not write roles that give access to the other API. */
export type RoleRequest = { readonly name: string; readonly input: RoleInput; readonly checkLink: () => Promise<void> }

/** Creates a role or changes one, and returns warnings for the caller. Nothing is stored unless all of it is valid. */
export async function writeRole(deps: RoleDeps, mount: Mount, request: RoleRequest): Promise<string[]> {
  const { name } = request
  refuseLongName('The name of the role', name)
  const contended = () =>
    failure('conflict', 'cert-role.contended', `The role '${name}' is being changed by other requests; try again.`)
  const warnings = await untilWritten(() => tryWrite(deps, mount, request), contended)
  return [...warnings, ...(await recheckSigners(deps, mount.id))]
}

/** Warns about responders that will never be asked, so that every login by the role is refused. */
async function deniedServerWarnings({ outbound }: RoleDeps, { ocspServersOverride }: CertRole): Promise<string[]> {
  const denials = await Promise.all(
    ocspServersOverride.map((each) => outbound.denial({ url: responderUrl(each) ?? each })),
  )
  return denials
    .filter((denial) => denial !== undefined)
    .map((denial) => `'ocsp_servers_override' holds a server that is not asked, and logins are refused: ${denial}`)
}

/** A role as a write would store it, what it trusts, and which version it replaces. */
type PlannedRole = {
  readonly role: CertRole
  readonly trust: RoleTrust
  readonly version: number | undefined
  readonly at: Instant
}

async function planRole(deps: RoleDeps, mount: Mount, request: RoleRequest): Promise<PlannedRole> {
  const { name, input, checkLink } = request
  const current = await findRoleVersion(deps.db, mount.id, name)
  const before = current?.role ?? blankRole(name)
  const merged = mergeRole(before, input)
  // Before, too: whoever swaps the CA of a linked role takes over its link.
  if (isLinked(before) || isLinked(merged)) await checkLink()
  const trust = checkRole(merged)
  const role = await withLinkIds(deps.db, merged, input)
  return { role, trust, version: current?.version, at: deps.clock.now() }
}

async function warningsOf(deps: RoleDeps, mount: Mount, { role, trust, at: now }: PlannedRole): Promise<string[]> {
  const found = [...(await linkWarnings(deps.db, role)), ...(await deniedServerWarnings(deps, role))]
  const terms = termWarnings(role, { ...ttlsOf(deps, mount), tokenType: mount.config.tokenType })
  return [...terms, ...roleWarnings(role, trust, now), ...found]
}

/** Reads, decides, and swaps; undefined when another write came first. */
async function tryWrite(deps: RoleDeps, mount: Mount, request: RoleRequest): Promise<string[] | undefined> {
  const planned = await planRole(deps, mount, request)
  const isSwapped = await inTransaction(deps.db, async (tx) => {
    await requireMount(tx, mount.id)
    return await swapRole(tx, mount.id, planned)
  })
  return isSwapped ? [...keyWarnings(request.input), ...(await warningsOf(deps, mount, planned))] : undefined
}

/** What a write would say, without storing anything: warnings, or why it would be refused. */
export async function previewRole(
  deps: RoleDeps,
  mount: Mount,
  request: RoleRequest,
): Promise<{ readonly warnings: readonly string[]; readonly problem: string }> {
  const warnings = keyWarnings(request.input)
  try {
    const planned = await planRole(deps, mount, request)
    return { warnings: [...warnings, ...(await warningsOf(deps, mount, planned))], problem: '' }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.kind !== 'invalid') throw thrown
    return { warnings, problem: thrown.message }
  }
}

/**
 * Removes a role. Tokens issued through it stay, but cannot be renewed any more. A list that one of its CAs had proved
 * to be forged may belong to another CA of the same name, and is in force again.
 */
export async function removeRole(deps: RoleDeps, mount: Mount, name: string): Promise<void> {
  const isRemoved = await inTransaction(deps.db, (tx) => deleteRole(tx, mount.id, name))
  if (isRemoved) await recheckSigners(deps, mount.id)
}

/** The roles of all mounts, with the policies that they hand out. */
export const pageOfHolders: HolderSource['page'] = async ({ reads }, place) =>
  (await pageOfAllRoles(reads, place)).map(({ after, mountPath, role }) => ({
    after,
    holder: roleHolder(role, { id: after, name: role.name, mount: mountPath }),
  }))
