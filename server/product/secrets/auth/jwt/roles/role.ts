import { normalizePolicyNames } from '../../../../../access/policies/policy-names.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { HeldBy } from '../../../../../kit/json-fields.ts'
import { type RoleInput, roleFields } from './role-fields.ts'

/** A role: which tokens of a provider may log in, and what they get. */
export type JwtRole = HeldBy<typeof roleFields> & { readonly name: string; readonly platformTeamId: string }

/** A role with nothing but a name. */
export const blankRole = (name: string): JwtRole => ({
  name,
  ...roleFields.initial,
  boundClaimsType: 'string',
  tokenType: 'default',
  platformTeamId: '',
})

const invalid = (text: string) => failure('invalid', 'jwt-role.invalid', text)

/** The role after a write: what was sent replaces what is stored, the rest stays. */
export const mergeRole = (stored: JwtRole, sent: RoleInput): JwtRole => ({
  ...stored,
  ...roleFields.given({
    ...sent,
    token_policies: sent.token_policies ?? (sent.policies && normalizePolicyNames(sent.policies)),
    token_ttl: sent.token_ttl ?? sent.ttl,
    token_max_ttl: sent.token_max_ttl ?? sent.max_ttl,
    token_period: sent.token_period ?? sent.period,
    token_num_uses: sent.token_num_uses ?? sent.num_uses,
    token_bound_cidrs: sent.token_bound_cidrs ?? sent.bound_cidrs,
  }),
})

/** Throws at the first thing that makes a role unusable. */
export function checkRole(role: JwtRole): void {
  checkKind(role)
  if (role.userClaim === '') throw invalid("a user claim must be defined on the role: set 'user_claim'.")
  const bounds = [role.boundAudiences, Object.keys(role.boundClaims), role.tokenBoundCidrs]
  if (role.boundSubject === '' && bounds.every((list) => list.length === 0))
    throw invalid(
      'must have at least one bound constraint when creating/updating a role: ' +
        "'bound_audiences', 'bound_subject', 'bound_claims' or 'token_bound_cidrs'.",
    )
  if (role.boundClaimsType === 'glob') {
    const isText = (value: unknown): boolean => (Array.isArray(value) ? value.every(isText) : typeof value === 'string')
    if (!Object.values(role.boundClaims).every(isText))
      throw invalid("With 'bound_claims_type' glob, all values of 'bound_claims' must be texts.")
  }
  const keys = Object.values(role.claimMappings)
  if (keys.includes('role')) throw invalid("Field 'claim_mappings' must not map to 'role', which names the role.")
  const twice = keys.find((key, index) => keys.indexOf(key) < index)
  if (twice !== undefined) throw invalid(`Field 'claim_mappings' maps to '${twice}' twice.`)
}

/** Refuses what is not built, so that nobody believes that it protects or signs in. */
function checkKind(role: JwtRole): void {
  if (role.roleType !== 'jwt')
    throw invalid(
      role.roleType === '' || role.roleType === 'oidc'
        ? "Roles of the type 'oidc', which is the default, are not supported yet: send 'role_type' as 'jwt'."
        : "Field 'role_type' must be 'jwt'.",
    )
  if (role.callbackMode !== '' && role.callbackMode !== 'client')
    throw invalid("Field 'callback_mode' must be 'client': nothing else is supported yet.")
  if (role.oauth2Metadata.length > 0)
    throw invalid("Field 'oauth2_metadata' must be empty: tokens of others are not kept.")
  if (role.tokenPoliciesTemplateClaims)
    throw invalid("Field 'token_policies_template_claims' must be off: policies are not made of claims.")
}

/** Warnings about a write of a role. */
export const roleWarnings = (role: JwtRole): readonly string[] => [
  ...(role.verboseOidcLogging
    ? ["'verbose_oidc_logging' has no effect: tokens and their claims are never logged."]
    : []),
  ...(role.groupsClaim === ''
    ? []
    : ["'groups_claim' is checked at logins and has no other effect yet: there are no groups."]),
]
