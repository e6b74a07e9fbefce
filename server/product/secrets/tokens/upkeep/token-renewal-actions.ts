import { secondsOf } from '../../../../access/token-rules.ts'
import { computeTtl, lesserLimit, pastMaxTtlText, type TtlInputs, ttlsOf } from '../../../../access/ttl.ts'
import { type Instant, later } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { toPrincipal } from '../known-token-actions.ts'
import type { Token } from '../records/token.ts'
import { extendToken } from '../records/token-store.ts'
import { findRole } from '../roles/token-role-store.ts'

/** A renewed token: its new facts, and how long it lives from now on. */
export type Renewed = { readonly token: Token; readonly ttl: number; readonly warnings: readonly string[] }

type Terms = Required<Pick<TtlInputs, 'ttl' | 'period' | 'maxTtl' | 'explicitMaxTtl'>>

/** Gives a living token more time, as far as its terms allow. */
export async function renewToken(
  deps: Deps,
  token: Token,
  requested: { increment: number; request: RequestFacts },
): Promise<Renewed> {
  if (token.type === 'batch') throw failure('invalid', 'token.batch', 'batch tokens cannot be renewed')
  if (!token.renewable) throw failure('invalid', 'token.not-renewable', 'lease is not renewable')
  const mount = await deps.mounts.find(`${token.path}/`)
  const terms = await termsOf(deps, token, mount, requested.request)
  const now = deps.clock.now()
  const { increment } = requested
  const lifetime = computeTtl({ now, issuedAt: token.createdAt, mount: ttlsOf(deps, mount), increment, ...terms })
  if (!lifetime.ok) throw failure('invalid', 'token.past-max-ttl', pastMaxTtlText)
  const { period, explicitMaxTtl } = terms
  const renewal = { at: now, expiresAt: later(now, lifetime.ttl * 1_000), period, explicitMaxTtl }
  await save(deps, token.id, renewal)
  const renewed = { ...token, expiresAt: renewal.expiresAt, lastRenewedAt: now, period, explicitMaxTtl }
  return { token: renewed, ttl: lifetime.ttl, warnings: lifetime.warnings }
}

/** A token that was revoked in the meantime stays revoked. */
async function save(
  deps: Deps,
  id: string,
  renewal: { at: Instant; expiresAt: Instant; period: number; explicitMaxTtl: number },
): Promise<void> {
  const saved = await inTransaction(deps.db, async (tx) => {
    bumpVersion(tx, 'tokens')
    return await extendToken(tx, id, renewal)
  })
  if (!saved) throw failure('invalid', 'token.gone', 'token not found')
}

/** The terms in force now: those of the auth method and the token role may have changed since the token was made. */
async function termsOf(deps: Deps, token: Token, mount: Mount | undefined, request: RequestFacts): Promise<Terms> {
  const own = { ttl: token.creationTtl, maxTtl: 0, period: token.period, explicitMaxTtl: token.explicitMaxTtl }
  if (token.mountId !== '') return { ...own, ...(await methodTerms(deps, token, mount, request)) }
  return token.role === '' ? own : { ...own, ...(await roleTerms(deps, token)) }
}

async function methodTerms(
  deps: Deps,
  token: Token,
  mount: Mount | undefined,
  request: RequestFacts,
): Promise<Partial<Terms>> {
  const askMethod = mount && deps.mountKinds.get(mount.type)?.renewalTerms
  if (!askMethod) throw failure('invalid', 'token.no-method', 'the auth method of the token cannot renew it')
  const renewing = { ...(await toPrincipal(deps, token)), authData: token.authData }
  const { ttl, maxTtl, period } = await askMethod(deps, renewing, { mount, request })
  return { ttl, maxTtl, period }
}

/** Limits set by the creator hold for ever; those of the role are taken as they are now. */
async function roleTerms(deps: Deps, token: Token): Promise<Partial<Terms>> {
  const role = await findRole(deps.db, token.role)
  if (!role) throw failure('invalid', 'token-role.gone', `the role '${token.role}' of the token was not found`)
  const requested = (token.authData.asked ?? {}) as { period?: unknown; explicitMaxTtl?: unknown }
  return {
    period: lesserLimit(secondsOf(requested.period) ?? 0, role.period),
    explicitMaxTtl: lesserLimit(secondsOf(requested.explicitMaxTtl) ?? 0, role.explicitMaxTtl),
  }
}
