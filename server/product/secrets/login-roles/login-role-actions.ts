import { boundOf, matchesCidrs } from '../../../access/cidr.ts'
import { defaultPolicyName, normalizePolicyNames } from '../../../access/policies/index.ts'
import type { HolderSource, PolicyHolder } from '../../../access/policy-holder.ts'
import { ttlsOf } from '../../../access/ttl.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { permissionDenied } from '../../../kit/access.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import type { Presentation, RenewalTerms, RenewingToken } from '../../../kit/mount-kind.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import { untilWritten } from '../../../kit/until-written.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Queryable } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { requireMount } from '../mounts/index.ts'
import { type Alongside, type IssuedLogin, issueLoginToken, type LoginGrant } from '../tokens/index.ts'
import { checkTokenTerms, type LoginRole, roleNameOf, termWarnings } from './login-role.ts'
import { tokenTerms } from './login-role-fields.ts'
import { deleteStoredRole, findStoredRole, pageOfRoles, type StoredRole, swapStoredRole } from './login-role-store.ts'
import { closedTeamText, lostTeam, teamIdOf, teamLinkOf, teamWarnings } from './team-link-actions.ts'

/** What a method says about its roles; `I` is the body of a write. */
export type RoleKind<R extends LoginRole, I> = {
  /** The type of its mounts. */
  readonly method: string
  /** A role with nothing but a name. Stored roles that lack a newer field get its value from here. */
  readonly blank: (name: string) => R
  /** The role after a write of what was sent; throws to refuse. */
  readonly merge: (stored: R, sent: I, at: { readonly isNew: boolean; readonly ids: Ids; readonly mount: Mount }) => R
  /** Throws at the first thing that makes a role unusable. */
  readonly check: (role: R, limits: { readonly maxLeaseTtl: number }) => void
  /** What else to say about a role that is stored all the same. */
  readonly warnings?: (role: R, sent: I) => readonly string[]
  /** The other text by which logins find the role, and the refusal of one that another role has. */
  readonly lookup?: { readonly of: (role: R) => string; readonly taken: () => Error }
}

/** A role and the id that no other role ever has. */
export type KnownRole<R> = { readonly id: string; readonly role: R }

const toKnown = <R extends LoginRole>(kind: RoleKind<R, never>, stored: StoredRole): KnownRole<R> => ({
  id: stored.id,
  role: { ...kind.blank(stored.name), ...stored.settings },
})

/** A role by its name, whatever its case. */
export async function findRole<R extends LoginRole>(
  db: Queryable,
  kind: RoleKind<R, never>,
  mountId: string,
  name: string,
): Promise<KnownRole<R> | undefined> {
  const stored = await findStoredRole(db, mountId, { name })
  return stored && toKnown(kind, stored)
}

const roleCache = perApp(
  (deps) => new VersionedCache<string, KnownRole<LoginRole>>(deps.store.versions, 'login-roles', { max: 10_000 }),
)

/** The role that a login names, remembered until a role changes. */
export async function roleForLogin<R extends LoginRole>(
  deps: Pick<Deps, 'db' | 'store'>,
  kind: RoleKind<R, never>,
  mountId: string,
  by: { readonly name: string } | { readonly lookup: string },
): Promise<KnownRole<R> | undefined> {
  const key = JSON.stringify([mountId, 'name' in by ? { name: roleNameOf(by.name) } : by])
  const found = await roleCache(deps).recall(key, async () => {
    const stored = await findStoredRole(deps.db, mountId, by)
    return stored && toKnown(kind, stored)
  })
  return found as KnownRole<R> | undefined
}

type RoleDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'settings'>

/** A write of a role, and what refuses callers who may not write roles that give access to the other API. */
export type RoleRequest<I> = {
  readonly name: string
  readonly input: I & { readonly platform_team?: string | undefined }
  /** Refuses to make a role that is not there yet. */
  readonly mustExist?: boolean
  readonly checkLink: () => Promise<void>
}

/** Creates a role or changes one, and returns warnings. Nothing is stored unless all of it is valid. */
export async function writeRole<R extends LoginRole, I>(
  deps: RoleDeps,
  mount: Mount,
  kind: RoleKind<R, I>,
  request: RoleRequest<I>,
): Promise<readonly string[]> {
  refuseLongName('The name of the role', request.name)
  const contended = () =>
    failure('conflict', 'role.contended', `The role '${request.name}' is being changed by others; try again.`)
  return await untilWritten(() => tryWrite(deps, mount, kind, request), contended)
}

/** Reads, decides, and swaps; undefined when another write came first. */
async function tryWrite<R extends LoginRole, I>(
  deps: RoleDeps,
  mount: Mount,
  kind: RoleKind<R, I>,
  { name, input, mustExist, checkLink }: RoleRequest<I>,
): Promise<readonly string[] | undefined> {
  const stored = await findStoredRole(deps.db, mount.id, { name })
  if (!stored && mustExist) throw noRole(name)
  const before = stored ? toKnown(kind as RoleKind<R, never>, stored).role : kind.blank(roleNameOf(name))
  const merged = kind.merge(before, input, { isNew: !stored, ids: deps.ids, mount })
  // Before, too: whoever loosens a linked role takes over its link.
  if (before.platformTeam !== '' || merged.platformTeam !== '') await checkLink()
  const ttls = ttlsOf(deps, mount)
  checkTokenTerms(merged)
  kind.check(merged, ttls)
  const platformTeamId =
    input.platform_team === undefined ? merged.platformTeamId : await teamIdOf(deps.db, merged.platformTeam)
  const role: R = { ...merged, platformTeamId }
  const isSwapped = await unlessTaken(kind.lookup?.taken ?? noLookup, () =>
    inTransaction(deps.db, async (tx) => {
      await requireMount(tx, mount.id)
      return await swapStoredRole(tx, mount.id, {
        id: stored?.id ?? deps.ids.uuid(),
        name: role.name,
        lookup: kind.lookup?.of(role) ?? null,
        settings: role,
        version: stored?.version,
        at: deps.clock.now(),
      })
    }),
  )
  if (!isSwapped) return undefined
  const team = await teamWarnings(deps.db, role, kind.method)
  return [
    ...termWarnings(role, { ...ttls, tokenType: mount.config.tokenType }),
    ...team,
    ...(kind.warnings?.(role, input) ?? []),
  ]
}

const noLookup = () => new Error('A role without another name cannot clash with one.')

/** The refusal of calls about a role that is not there. */
export const noRole = (name: string) => failure('missing', 'role.missing', `role "${name}" does not exist`)

/** Removes a role. Tokens of its logins stay, but cannot be renewed any more. */
export const removeRole = (deps: Pick<Deps, 'db'>, mountId: string, name: string): Promise<void> =>
  inTransaction(deps.db, (tx) => deleteStoredRole(tx, mountId, name))

/** What a token that asks for more time may have: what its role says now. */
export async function renewalTermsOf<R extends LoginRole>(
  deps: Pick<Deps, 'db'>,
  kind: RoleKind<R, never>,
  token: RenewingToken,
  { mount }: Presentation,
): Promise<RenewalTerms> {
  const found = await findRole(deps.db, kind, mount.id, String(token.authData.role ?? ''))
  if (!found) throw failure('invalid', 'role.gone', 'The role of the token no longer exists; log in by another one.')
  const { tokenTtl, tokenMaxTtl, tokenPeriod } = found.role
  return { ttl: tokenTtl, maxTtl: tokenMaxTtl, period: tokenPeriod }
}

/** Refuses a login from an address outside of these bounds. */
export function requireAddress(bounds: readonly string[], { request }: Presentation, what: string): void {
  if (matchesCidrs(bounds, request.remoteAddress)) return
  throw permissionDenied({ cause: new Error(`The address ${request.remoteAddress} is outside of ${what}.`) })
}

/** Who logs in by a role. */
export type RoleLogin = {
  readonly role: LoginRole
  readonly aliasName: string
  readonly displayName: string
  readonly metadata: Readonly<Record<string, string>>
  /** The bounds of the token in place of those of the role. */
  readonly boundCidrs?: readonly string[]
  readonly alongside?: Alongside
}

/** Issues the token of a login whose credentials were checked, on the terms of its role. */
export async function issueRoleToken(deps: Deps, by: Presentation, login: RoleLogin): Promise<IssuedLogin> {
  const { type: method } = by.mount
  const link = await teamLinkOf(deps, login.role, method)
  if (link === 'lost') throw lostTeam(login.role)
  const issued = await issueLoginToken(deps, grantOf(by, login), login.alongside)
  return link === 'closed' ? { ...issued, warnings: [...issued.warnings, closedTeamText(method)] } : issued
}

function grantOf({ mount, request }: Presentation, login: RoleLogin): LoginGrant {
  const { role, aliasName, displayName, metadata, boundCidrs = role.tokenBoundCidrs } = login
  return {
    mount,
    path: request.path,
    alias: { name: aliasName, metadata, customMetadata: role.aliasMetadata },
    displayName,
    metadata,
    ...termsOf(role),
    boundCidrs: role.tokenStrictlyBindIp ? [boundOf(request.remoteAddress)] : boundCidrs,
    authData: { role: role.name },
  }
}

/** What every role says about the tokens of its logins, as a grant. */
export const termsOf = (role: LoginRole) => ({
  policies: role.tokenPolicies,
  noDefaultPolicy: role.tokenNoDefaultPolicy,
  tokenType: role.tokenType,
  ttl: role.tokenTtl,
  maxTtl: role.tokenMaxTtl,
  period: role.tokenPeriod,
  explicitMaxTtl: role.tokenExplicitMaxTtl,
  numUses: role.tokenNumUses,
  platformTeam: role.platformTeamId === '' ? '' : role.platformTeam,
  platformTeamId: role.platformTeamId,
})

/** Counts a login by how it ended. */
export async function countedLogin<T>({ metrics }: Deps, { mount }: Presentation, work: () => Promise<T>): Promise<T> {
  const logins = metrics.counter('holdfast_logins_total', 'Logins by mount, method and outcome.', [
    'mount',
    'method',
    'outcome',
  ])
  const count = (outcome: string) => logins.inc({ mount: mount.path, method: mount.type, outcome })
  try {
    const done = await work()
    count('accepted')
    return done
  } catch (thrown) {
    count('refused')
    throw thrown
  }
}

/** What a role of any method hands out, for those who ask who may do something. */
export function roleHolder(
  terms: Pick<LoginRole, 'tokenPolicies' | 'tokenNoDefaultPolicy'>,
  named: Pick<PolicyHolder, 'id' | 'name' | 'mount'>,
): PolicyHolder {
  const given = terms.tokenNoDefaultPolicy ? terms.tokenPolicies : [...terms.tokenPolicies, defaultPolicyName]
  const together = normalizePolicyNames(given)
  return { ...named, carries: (policy) => together.includes(policy), together }
}

/** The roles of all mounts whose methods keep them here. */
export const pageOfHolders: HolderSource['page'] = async ({ reads }, place) =>
  (await pageOfRoles(reads, place)).map(({ id, name, mountPath, settings }) => ({
    after: id,
    holder: roleHolder({ ...tokenTerms.initial, ...settings }, { id, name, mount: mountPath }),
  }))
