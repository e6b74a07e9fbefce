import { globMatches } from './policies/policy-names.ts'
import { layOutToken, type ResolvedTokenRequest, secondsOf } from './token-layout.ts'
import type { ParentToken, TokenCircumstances, TokenDecision, TokenRequest, TokenRole } from './token-plan.ts'
import { choosePolicies, includesRoot } from './token-policies.ts'
import { resolveTokenType, type TokenType } from './token-type.ts'

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
