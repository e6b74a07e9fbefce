import type { Static } from 'typebox'
import type { TokenRole } from '../../../../access/token-plan.ts'
import { model, type ParseNotes, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import type { RoleChanges } from './role-rules.ts'

/** The fields of a token role. */
export const RoleFields = Type.Object({
  allowed_policies: field.list('Policies that tokens of this role may have.', { examples: [['web']] }),
  allowed_policies_glob: field.list('Same as `allowed_policies`, with `*` as a wildcard.'),
  disallowed_policies: field.list('Policies that tokens of this role must not have.'),
  disallowed_policies_glob: field.list('Same as `disallowed_policies`, with `*` as a wildcard.'),
  orphan: field.flag('Whether tokens of this role have no parent; false by default.'),
  renewable: field.flag('Whether tokens of this role can be renewed; true by default.', { default: true }),
  path_suffix: field.text('Suffix added to the path of tokens, so that they can be revoked together.'),
  allowed_entity_aliases: field.list('Entity aliases that may be requested, with `*` as a wildcard; case-insensitive.'),
  token_bound_cidrs: field.list('Addresses that tokens of this role are accepted from.', {
    examples: [['10.0.0.0/8']],
  }),
  token_explicit_max_ttl: field.seconds('Maximum lifetime, regardless of renewals; 0 for none.'),
  token_period: field.seconds('Lifetime that each renewal resets to; 0 for tokens that are not periodic.'),
  token_num_uses: field.whole('How many times a token can be used; 0 for no limit.'),
  token_no_default_policy: field.flag('Do not add the policy `default`.'),
  token_type: field.any('`service`, `batch`, `default-service` (the default) or `default-batch`.'),
  bound_cidrs: field.list('The old name of `token_bound_cidrs`.'),
  explicit_max_ttl: field.seconds('The old name of `token_explicit_max_ttl`.'),
  period: field.seconds('The old name of `token_period`.'),
})

type Sent = Static<typeof RoleFields>

const oldNames = [
  ['bound_cidrs', 'token_bound_cidrs'],
  ['explicit_max_ttl', 'token_explicit_max_ttl'],
  ['period', 'token_period'],
] as const

/** The old names by the present ones, for policies. */
export const roleAliases = Object.fromEntries(oldNames.map(([old, present]) => [present, [old]]))

/** The changes that were sent; of two spellings of a field the present one counts. */
export function toChanges(body: Sent, notes: ParseNotes): RoleChanges {
  for (const [old, present] of oldNames) {
    if (body[old] === undefined || body[present] === undefined) continue
    notes.warn(`Both '${present}' and its old name '${old}' were sent; '${present}' is used.`)
  }
  return {
    allowedPolicies: body.allowed_policies,
    allowedPoliciesGlob: body.allowed_policies_glob,
    disallowedPolicies: body.disallowed_policies,
    disallowedPoliciesGlob: body.disallowed_policies_glob,
    orphan: body.orphan,
    renewable: body.renewable,
    pathSuffix: body.path_suffix,
    allowedEntityAliases: body.allowed_entity_aliases,
    ...boundsOf(body),
    explicitMaxTtl: body.token_explicit_max_ttl ?? body.explicit_max_ttl,
    period: body.token_period ?? body.period,
    numUses: body.token_num_uses,
    noDefaultPolicy: body.token_no_default_policy,
    ...(Object.hasOwn(body, 'token_type') ? { type: body.token_type } : {}),
  }
}

function boundsOf({ token_bound_cidrs: present, bound_cidrs: old }: Sent): RoleChanges {
  if (present !== undefined) return { boundCidrs: present, boundCidrsNamed: false }
  return old === undefined ? {} : { boundCidrs: old, boundCidrsNamed: true }
}

/** A role as it is read; period and explicit maximum under both of their names. */
export const roleData = (role: TokenRole): Record<string, unknown> => ({
  name: role.name,
  allowed_policies: role.allowedPolicies,
  allowed_policies_glob: role.allowedPoliciesGlob,
  disallowed_policies: role.disallowedPolicies,
  disallowed_policies_glob: role.disallowedPoliciesGlob,
  orphan: role.orphan,
  renewable: role.renewable,
  path_suffix: role.pathSuffix,
  allowed_entity_aliases: role.allowedEntityAliases,
  explicit_max_ttl: role.explicitMaxTtl,
  token_explicit_max_ttl: role.explicitMaxTtl,
  period: role.period,
  token_period: role.period,
  token_no_default_policy: role.noDefaultPolicy,
  token_type: role.type,
  ...(role.boundCidrs.length > 0 ? boundsData(role) : {}),
  ...(role.numUses > 0 ? { token_num_uses: role.numUses } : {}),
})

const boundsData = ({ boundCidrs, boundCidrsNamed }: TokenRole): Record<string, unknown> => ({
  token_bound_cidrs: boundCidrs,
  ...(boundCidrsNamed ? { bound_cidrs: boundCidrs } : {}),
})

const list = (description: string) => Type.Array(Type.String(), { description })

/** A role's answer, for the reference. */
export const RoleShape = model('TokenRole', {
  name: Type.String({ description: 'Name of the role.' }),
  allowed_policies: list('Policies that tokens of this role may have.'),
  allowed_policies_glob: list('Same as `allowed_policies`, with `*` as a wildcard.'),
  disallowed_policies: list('Policies that tokens of this role must not have.'),
  disallowed_policies_glob: list('Same as `disallowed_policies`, with `*` as a wildcard.'),
  orphan: Type.Boolean({ description: 'Whether its tokens have no parent.' }),
  renewable: Type.Boolean({ description: 'Whether its tokens can be renewed.' }),
  path_suffix: Type.String({ description: 'Suffix of the path of its tokens.' }),
  allowed_entity_aliases: list('Entity aliases that may be requested.'),
  explicit_max_ttl: Type.Integer({ description: 'The old name of `token_explicit_max_ttl`.' }),
  token_explicit_max_ttl: Type.Integer({
    description: 'Maximum lifetime in seconds, regardless of renewals; 0 for none.',
  }),
  period: Type.Integer({ description: 'The old name of `token_period`.' }),
  token_period: Type.Integer({ description: 'Lifetime in seconds that each renewal resets to; 0 for none.' }),
  token_no_default_policy: Type.Boolean({ description: 'Whether the policy `default` is not added.' }),
  token_type: Type.String({ description: 'Type of its tokens.' }),
  token_bound_cidrs: Type.Optional(list('Addresses that its tokens are accepted from.')),
  bound_cidrs: Type.Optional(list('The old name of `token_bound_cidrs`, if they were set under it.')),
  token_num_uses: Type.Optional(Type.Integer({ description: 'How many times a token can be used.' })),
})
