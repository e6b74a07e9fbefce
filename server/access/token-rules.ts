import { parseSeconds } from '../kernel/duration.ts'
import { globMatches } from './policies/policy-names.ts'
import {
  type ParentToken,
  resolveTokenType,
  type TokenCircumstances,
  type TokenDecision,
  type TokenRequest,
  type TokenRole,
  type TokenType,
} from './token-plan.ts'
import { choosePolicies, includesRoot } from './token-policies.ts'
import { computeTtl, lesserLimit, pastMaxTtlText, type TtlDecision } from './ttl.ts'

/** A request for a token whose parent, role and kind are decided. */
type ResolvedTokenRequest = {
  readonly request: TokenRequest
  readonly parent: ParentToken
  readonly role: TokenRole | undefined
  readonly type: TokenType
}

/** A duration as sent in whole seconds: 0 where nothing was sent, undefined where it cannot be read. */
export const secondsOf = (value: unknown): number | undefined => parseSeconds(value ?? 0)

/** Lays out a token that may be made; the one thing left to refuse is a token without end from one that has an end. */
function layOutToken(
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

/** Decides about a request for a token, refusing in the order clients know, and lays out the token. */
export function planToken(request: TokenRequest, at: TokenCircumstances): TokenDecision {
  const { parent, role, sudo } = at
  const type = requestedType(request, role)
  const resolved: ResolvedTokenRequest = { request, parent, role, type: type ?? 'service' }
  const early = refusalByParent(parent) ?? refusalByKind(request, type, role) ?? refusalByIdentity(resolved, sudo)
  if (early !== undefined) return refuse(early)
  const choice = choosePolicies({
    requested: request.policies,
    noDefaultPolicy: request.noDefaultPolicy,
    parentPolicies: parent.policies,
    sudo,
    role,
  })
  if (!choice.ok) return refuse(choice.text)
  const late =
    refusalByRoot(resolved, choice.policies) ?? refusalByPrivilege(resolved, sudo) ?? refusalByDuration(request)
  return late === undefined ? layOutToken(resolved, at, choice.policies) : refuse(late)
}

const refuse = (text: string): TokenDecision => ({ ok: false, text })

function requestedType({ type }: TokenRequest, role: TokenRole | undefined): TokenType | undefined {
  if (type !== '' && type !== 'service' && type !== 'batch') return undefined
  return resolveTokenType(role?.type ?? 'default-service', type)
}

function refusalByParent(parent: ParentToken): string | undefined {
  if (parent.type === 'batch') return 'batch tokens cannot create tokens'
  return parent.limitedUses ? 'a token with a limited number of uses cannot create tokens' : undefined
}

function refusalByKind(
  request: TokenRequest,
  type: TokenType | undefined,
  role: TokenRole | undefined,
): string | undefined {
  const unfit = type === 'batch' ? fieldUnfitForBatch(request) : undefined
  if (unfit !== undefined) return `batch tokens cannot have '${unfit}' set`
  if (type === 'batch' && role && role.numUses > 0) {
    return 'the role limits the number of uses, which batch tokens do not have'
  }
  if (type === undefined) return `unknown token type '${request.type}'`
  return request.numUses < 0 ? 'the number of uses cannot be negative' : undefined
}

function fieldUnfitForBatch(request: TokenRequest): string | undefined {
  if (secondsOf(request.explicitMaxTtl) !== 0) return 'explicit_max_ttl'
  if (request.numUses !== 0) return 'num_uses'
  return secondsOf(request.period) === 0 ? undefined : 'period'
}

function refusalByIdentity({ request, role, type }: ResolvedTokenRequest, sudo: boolean): string | undefined {
  const { entityAlias, id } = request
  if (entityAlias !== '') {
    if (!role) return "'entity_alias' needs a token role"
    const alias = entityAlias.toLowerCase()
    const allowed = role.allowedEntityAliases.some((glob) => globMatches(glob.toLowerCase(), alias))
    if (!allowed) return `the role does not allow the entity alias '${entityAlias}'`
  }
  if (id === '') return undefined
  if (!sudo) return 'root or sudo privileges are needed to choose a token id'
  if (type === 'batch') return 'the id of a batch token cannot be chosen'
  return /^[!-~]{1,256}$/.test(id) && !id.includes('.')
    ? undefined
    : 'a token id is printable ASCII without blanks and dots'
}

function refusalByRoot({ parent, type }: ResolvedTokenRequest, policies: readonly string[]): string | undefined {
  if (!includesRoot(policies)) return undefined
  if (!includesRoot(parent.policies)) return 'root tokens can only be created by root tokens'
  return type === 'batch' ? 'batch tokens cannot be root tokens' : undefined
}

/** With a role the role says whether the token is an orphan, so the request need not be allowed to. */
function refusalByPrivilege({ request, role }: ResolvedTokenRequest, sudo: boolean): string | undefined {
  if (sudo) return undefined
  if (request.noParent && !role) return 'root or sudo privileges are needed to create an orphan token'
  const periodic = (secondsOf(request.period) ?? 0) > 0
  return periodic ? 'root or sudo privileges are needed to create a periodic token' : undefined
}

function refusalByDuration({ ttl, explicitMaxTtl, period }: TokenRequest): string | undefined {
  const fields = { ttl, explicit_max_ttl: explicitMaxTtl, period }
  const unread = Object.entries(fields).find(([, value]) => secondsOf(value) === undefined)
  return unread && `'${unread[0]}' is not a duration`
}
