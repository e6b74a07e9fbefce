import { normalizeCidrs } from '../../../../access/cidr.ts'
import { normalizePolicyName } from '../../../../access/policies/policy-names.ts'
import type { TokenRole, TokenTypeSetting } from '../../../../access/token-plan.ts'
import type { HeldBy } from '../../../../kit/json-fields.ts'
import { roleFields } from './token-role-fields.ts'

/** Changes to a role; what is undefined stays as it is. `type` is as sent. */
export type RoleChanges = Partial<HeldBy<typeof roleFields>> & Pick<TokenRole, 'boundCidrsNamed'>

/** The role after the changes, or why it would be invalid. */
export type RoleDecision =
  | { readonly ok: true; readonly role: TokenRole }
  | { readonly ok: false; readonly text: string }

/** A role with defaults only. */
export const newRole = (name: string): TokenRole => ({ ...roleFields.initial, name, type: 'default-service' })

/** Applies changes to a role and checks the result. */
export function changeRole(role: TokenRole, changes: RoleChanges): RoleDecision {
  const type = 'type' in changes ? typeSetting(changes.type) : role.type
  if (type === undefined) return refuse("'token_type' must be service, batch, default-service or default-batch")
  const cidrs = normalizeCidrs(changes.boundCidrs ?? role.boundCidrs)
  if (!cidrs.ok) {
    const name = changes.boundCidrsNamed ? 'bound_cidrs' : 'token_bound_cidrs'
    return refuse(`'${name}' holds '${cidrs.entry}', which is neither an address nor a block such as 10.0.0.0/8`)
  }
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const next: TokenRole = { ...role, ...given, type, boundCidrs: cidrs.cidrs, ...policyLists({ ...role, ...given }) }
  const refusal = roleRefusal(next)
  return refusal === undefined ? { ok: true, role: next } : refuse(refusal)
}

const refuse = (text: string): RoleDecision => ({ ok: false, text })

const settings: ReadonlySet<unknown> = new Set(['service', 'batch', 'default-service', 'default-batch'])

/** `default`, which other kinds of roles allow, means the type that a token has by default. */
function typeSetting(sent: unknown): TokenTypeSetting | undefined {
  if (sent === '' || sent === 'default') return 'default-service'
  return settings.has(sent) ? (sent as TokenTypeSetting) : undefined
}

type Lists = Pick<
  TokenRole,
  'allowedPolicies' | 'allowedPoliciesGlob' | 'disallowedPolicies' | 'disallowedPoliciesGlob'
>

const policyLists = (role: Lists): Lists => ({
  allowedPolicies: names(role.allowedPolicies),
  allowedPoliciesGlob: names(role.allowedPoliciesGlob),
  disallowedPolicies: names(role.disallowedPolicies),
  disallowedPoliciesGlob: names(role.disallowedPoliciesGlob),
})

const names = (sent: readonly string[]): string[] => [...new Set(sent.map(normalizePolicyName))].filter(Boolean).sort()

function roleRefusal(role: TokenRole): string | undefined {
  if (role.numUses < 0) return "'token_num_uses' cannot be negative"
  if (role.pathSuffix !== '' && (!/^\w[\w.-]+\w$/.test(role.pathSuffix) || role.pathSuffix.includes('..'))) {
    return `'path_suffix' must match \\w[\\w.-]+\\w and hold no '..'`
  }
  return role.type === 'batch' ? batchRefusal(role) : undefined
}

/** Batch tokens have no stored parent, cannot be renewed, and have no limit but their lifetime. */
function batchRefusal(role: TokenRole): string | undefined {
  if (!role.orphan) return "a role for batch tokens needs 'orphan' set to true"
  if (role.period > 0) return "a role for batch tokens cannot have 'token_period' set"
  if (role.numUses > 0) return "a role for batch tokens cannot have 'token_num_uses' set"
  if (role.renewable) return "a role for batch tokens needs 'renewable' set to false"
  return role.explicitMaxTtl > 0 ? "a role for batch tokens cannot have 'token_explicit_max_ttl' set" : undefined
}
