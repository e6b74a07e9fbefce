import { field } from '../../../../kit/fields.ts'
import { jsonFields } from '../../../../kit/json-fields.ts'

/** The fields of a token role; durations in seconds, 0 means not set. */
export const roleFields = jsonFields(
  {
    allowedPolicies: field.list('Policies that tokens of this role may have.', { examples: [['web']] }),
    allowedPoliciesGlob: field.list('Same as `allowed_policies`, with `*` as a wildcard.'),
    disallowedPolicies: field.list('Policies that tokens of this role must not have.'),
    disallowedPoliciesGlob: field.list('Same as `disallowed_policies`, with `*` as a wildcard.'),
    orphan: field.flag('Whether tokens of this role have no parent; false by default.', {
      shown: 'Whether its tokens have no parent.',
    }),
    renewable: field.flag('Whether tokens of this role can be renewed; true by default.', {
      default: true,
      shown: 'Whether its tokens can be renewed.',
    }),
    pathSuffix: field.text('Suffix added to the path of tokens, so that they can be revoked together.', {
      shown: 'Suffix of the path of its tokens.',
    }),
    allowedEntityAliases: field.list(
      'Entity aliases that may be requested, with `*` as a wildcard; case-insensitive.',
      { shown: 'Entity aliases that may be requested.' },
    ),
    boundCidrs: field.list('Addresses that tokens of this role are accepted from.', {
      examples: [['10.0.0.0/8']],
      shown: 'Addresses that its tokens are accepted from.',
    }),
    explicitMaxTtl: field.seconds('Maximum lifetime, regardless of renewals; 0 for none.', {
      shown: 'Maximum lifetime in seconds, regardless of renewals; 0 for none.',
    }),
    period: field.seconds('Lifetime that each renewal resets to; 0 for tokens that are not periodic.', {
      shown: 'Lifetime in seconds that each renewal resets to; 0 for none.',
    }),
    numUses: field.whole('How many times a token can be used; 0 for no limit.', {
      shown: 'How many times a token can be used.',
    }),
    noDefaultPolicy: field.flag('Do not add the policy `default`.', {
      shown: 'Whether the policy `default` is not added.',
    }),
    type: field.any('`service`, `batch`, `default-service` (the default) or `default-batch`.'),
  },
  {
    names: {
      boundCidrs: 'token_bound_cidrs',
      explicitMaxTtl: 'token_explicit_max_ttl',
      period: 'token_period',
      numUses: 'token_num_uses',
      noDefaultPolicy: 'token_no_default_policy',
      type: 'token_type',
    },
  },
)
