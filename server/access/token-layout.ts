import { parseSeconds } from '../kernel/duration.ts'
import type { ParentToken, TokenCircumstances, TokenDecision, TokenRequest, TokenRole } from './token-plan.ts'
import { includesRoot } from './token-policies.ts'
import type { TokenType } from './token-type.ts'
import { computeTtl, lesserLimit, pastMaxTtlText, type TtlDecision } from './ttl.ts'

/** A request for a token whose parent, role and kind are decided. */
export type ResolvedTokenRequest = {
  readonly request: TokenRequest
  readonly parent: ParentToken
  readonly role: TokenRole | undefined
  readonly type: TokenType
}

/** A duration as sent in whole seconds: 0 where nothing was sent, undefined where it cannot be read. */
export const secondsOf = (value: unknown): number | undefined => parseSeconds(value ?? 0)

/** Lays out a token that may be made; the one thing left to refuse is a token without end from one that has an end. */
export function layOutToken(
  resolved: ResolvedTokenRequest,
  at: TokenCircumstances,
  policies: readonly string[],
): TokenDecision {
  const { request, parent, role, type } = resolved
  const limits = mergeLimits(resolved)
  const lifetime = lifetimeOf(resolved, at, includesRoot(policies), limits)
  if (!lifetime.ok) return { ok: false, text: pastMaxTtlText }
  const { ttl } = lifetime
  if (ttl === 0 && parent.expires)
    return { ok: false, text: 'a root token that expires cannot create one that does not' }
  const orphan = role ? role.orphan : request.noParent || at.orphanPath
  const plan = {
    type,
    policies,
    orphan,
    entity: request.entityAlias !== '' ? 'alias' : orphan ? 'none' : 'parent',
    path: tokenPath(role),
    displayName: tokenDisplayName(request.displayName),
    numUses: limits.numUses,
    renewable: type === 'service' && ttl > 0 && request.renewable && (role?.renewable ?? true),
    ttl,
    explicitMaxTtl: limits.explicitMaxTtl,
    period: limits.period,
    boundCidrs: ttl === 0 ? [] : (role ?? parent).boundCidrs,
    warnings: [...limits.warnings, ...lifetime.warnings, ...idWarnings(request)],
  } as const
  return { ok: true, plan }
}

/** A root token lives without end unless the request sets one; an explicit maximum is an end too. */
function lifetimeOf(
  resolved: ResolvedTokenRequest,
  at: TokenCircumstances,
  root: boolean,
  limits: Limits,
): TtlDecision {
  const { period, explicitMaxTtl } = limits
  const requested = secondsOf(resolved.request.ttl) || 0
  const ttl = root && requested === 0 ? explicitMaxTtl : requested
  if (root && ttl === 0 && period === 0) return { ok: true, ttl: 0, warnings: [] }
  return computeTtl({ now: at.now, issuedAt: at.now, mount: at.mount, ttl, period, explicitMaxTtl })
}

type Limits = {
  readonly explicitMaxTtl: number
  readonly period: number
  readonly numUses: number
  readonly warnings: readonly string[]
}

/** Where role and request both set a limit the lesser holds. Batch tokens ignore the lifetimes of the role. */
function mergeLimits({ request, role, type }: ResolvedTokenRequest): Limits {
  if (type === 'batch') return { explicitMaxTtl: 0, period: 0, numUses: 0, warnings: [] }
  const explicitMaxTtl = lesser(secondsOf(request.explicitMaxTtl) ?? 0, role?.explicitMaxTtl ?? 0)
  const period = lesser(secondsOf(request.period) ?? 0, role?.period ?? 0)
  const both = { explicit_max_ttl: explicitMaxTtl, period }
  const warnings = Object.entries(both)
    .filter(([, limit]) => limit.setTwice)
    .map(([field, { value }]) => `'${field}' is set by request and role; the lesser, ${value} seconds, is used`)
  const numUses = lesserLimit(request.numUses, role?.numUses ?? 0)
  return { explicitMaxTtl: explicitMaxTtl.value, period: period.value, numUses, warnings }
}

const lesser = (a: number, b: number) => ({ value: lesserLimit(a, b), setTwice: a > 0 && b > 0 })

/** The path a token is filed under. */
export function tokenPath(role: Pick<TokenRole, 'name' | 'pathSuffix'> | undefined): string {
  if (!role) return 'auth/token/create'
  return role.pathSuffix === '' ? `auth/token/create/${role.name}` : `auth/token/create/${role.name}/${role.pathSuffix}`
}

/** `token-` and the given name, with every sign but letters, digits and dashes turned into a dash. */
export const tokenDisplayName = (given: string): string =>
  given === '' ? 'token' : `token-${given}`.replace(/[^A-Za-z0-9-]/g, '-')

const idWarnings = ({ id }: TokenRequest): string[] =>
  id === '' ? [] : ['a chosen token id is easier to guess than a generated one']
