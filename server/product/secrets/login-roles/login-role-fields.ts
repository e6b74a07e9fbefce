import { normalizeCidrs } from '../../../access/cidr.ts'
import { failure } from '../../../kernel/failure.ts'
import { field } from '../../../kit/fields.ts'
import { type HeldBy, jsonFields } from '../../../kit/json-fields.ts'

/** What every role says about the tokens of its logins. Durations are whole seconds; 0 means not set. */
export const tokenTermFields = {
  tokenTtl: field.seconds('Lifetime of tokens; 0 for the default of the mount.', { shown: 'Lifetime of tokens.' }),
  tokenMaxTtl: field.seconds('Maximum lifetime including renewals; 0 for that of the mount.', {
    shown: 'Maximum lifetime of tokens.',
  }),
  tokenExplicitMaxTtl: field.seconds('Hard limit on the lifetime of tokens, regardless of the other lifetimes.'),
  tokenPeriod: field.seconds('Makes tokens periodic: each renewal resets their lifetime to this value.', {
    shown: 'Period of periodic tokens.',
  }),
  tokenPolicies: field.list('Policies of tokens.'),
  tokenBoundCidrs: field.list('Addresses and CIDR blocks from which a login and its token are accepted.'),
  tokenStrictlyBindIp: field.flag('Accept a token only from the address of its login.', { default: false }),
  tokenNoDefaultPolicy: field.flag('Do not add the policy `default`.', { default: false }),
  tokenNumUses: field.whole('How many times a token can be used; 0 for no limit.', { default: 0 }),
  tokenType: field.text('`service`, `batch` or `default` for the type set on the mount.'),
  aliasMetadata: field.textMap('Metadata to set on the alias at login.'),
  platformTeam: field.text('`organization/team` that tokens act as, if the team allows logins by this method.'),
} as const

function tokenTypeOf(sent: string): 'service' | 'batch' | 'default' {
  if (sent === '' || sent === 'default') return 'default'
  if (sent === 'service' || sent === 'batch') return sent
  throw failure('invalid', 'login-role.token-type', "Field 'token_type' must be one of: default, service, batch.")
}

/** Addresses and blocks in their one spelling; throws at the first entry that is neither. */
export function cidrsOf(name: string, sent: readonly string[]): readonly string[] {
  const bounds = normalizeCidrs(sent)
  if (bounds.ok) return bounds.cidrs
  throw failure(
    'invalid',
    'login-role.cidr',
    `Field '${name}' holds '${bounds.entry}', which is neither an address nor a block such as 10.0.0.0/8.`,
  )
}

/** How these fields are stored. */
export const storedTokenTerms = {
  tokenBoundCidrs: (sent: readonly string[]) => cidrsOf('token_bound_cidrs', sent),
  tokenType: tokenTypeOf,
} as const

/** The fields that every role has, as a set of their own. */
export const tokenTerms = jsonFields(tokenTermFields, { stored: storedTokenTerms })

/** What every role says about the tokens of its logins. */
export type TokenTerms = HeldBy<typeof tokenTerms>

/** The old names of some of these fields. */
export const oldTermFields = {
  policies: field.list('Deprecated name of `token_policies`.'),
  ttl: field.seconds('Deprecated name of `token_ttl`.'),
  max_ttl: field.seconds('Deprecated name of `token_max_ttl`.'),
  period: field.seconds('Deprecated name of `token_period`.'),
  num_uses: field.whole('Deprecated name of `token_num_uses`.'),
  bound_cidrs: field.list('Deprecated name of `token_bound_cidrs`.'),
} as const
