import { resolveTokenType, type TokenTypeSetting } from '../../../access/token-plan.ts'
import { ungrantablePolicies } from '../../../access/token-policies.ts'
import type { MountTtls } from '../../../access/ttl.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Mount } from '../../../kit/mount.ts'
import { checkMetadata } from '../identity/entity.ts'
import type { TokenTerms } from './login-role-fields.ts'

/** What every role has besides its own fields. */
export type LoginRole = TokenTerms & {
  readonly name: string
  /** The team that `platformTeam` named when the link was written; empty if there was none. */
  readonly platformTeamId: string
}

/** The key under which a name is found: names are compared without case. */
export const roleNameOf = (name: string): string => name.toLowerCase()

/** The paths of a role below a mount that mean the same as this one, since names have no case. */
export function equivalentRolePaths({ path: at }: Pick<Mount, 'path'>, path: string): string[] {
  const [, name, rest = ''] = /^role\/([^/]+)(\/.*)?$/s.exec(path.slice(at.length)) ?? []
  return name === undefined ? [] : [`${at}role/${roleNameOf(name)}${rest}`]
}

/** Throws at the first thing that makes the terms of a role unusable. */
export function checkTokenTerms(role: TokenTerms): void {
  if (role.tokenMaxTtl > 0 && role.tokenTtl > role.tokenMaxTtl)
    throw invalid(
      'ttl',
      `Field 'token_ttl' (${role.tokenTtl} s) must not exceed 'token_max_ttl' (${role.tokenMaxTtl} s).`,
    )
  if (role.tokenNumUses < 0) throw invalid('num-uses', "Field 'token_num_uses' must not be negative.")
  if (role.tokenStrictlyBindIp && role.tokenBoundCidrs.length > 0)
    throw invalid('bound-twice', "Field 'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one.")
  if (role.tokenType === 'batch' && role.tokenPeriod > 0)
    throw invalid('batch', "Batch tokens cannot be periodic: 'token_period' must be 0.")
  if (role.tokenType === 'batch' && role.tokenNumUses > 0)
    throw invalid('batch', "Uses of batch tokens cannot be counted: 'token_num_uses' must be 0.")
  checkMetadata('alias_metadata', role.aliasMetadata)
  if (role.platformTeam !== '' && !/^[^/\s]+\/[^/]/.test(role.platformTeam))
    throw invalid('platform-team', "Field 'platform_team' must have the form organization/team.")
}

const invalid = (code: string, text: string) => failure('invalid', `login-role.${code}`, text)

/** Warnings about the terms of a role that is stored all the same. */
export function termWarnings(
  role: TokenTerms,
  { defaultLeaseTtl, maxLeaseTtl, tokenType }: MountTtls & { readonly tokenType: TokenTypeSetting },
): string[] {
  const above = (name: string, seconds: number, limit: number, what: string): string[] =>
    seconds > limit ? [`'${name}' is ${seconds} seconds, above the mount's ${what} of ${limit} seconds.`] : []
  const type = resolveTokenType(tokenType, role.tokenType)
  return [
    ...above('token_ttl', role.tokenTtl, defaultLeaseTtl, 'default lifetime'),
    ...above('token_max_ttl', role.tokenMaxTtl, maxLeaseTtl, 'maximum lifetime'),
    ...above('token_period', role.tokenPeriod, maxLeaseTtl, 'maximum lifetime'),
    ...(type === 'batch' && role.tokenNumUses > 0 ? [uncountedText] : []),
    ...ungrantablePolicies(role.tokenPolicies).map(ungrantableText),
  ]
}

const ungrantableText = (name: string): string =>
  `'token_policies' holds '${name}', which no login can grant: every login by this role is refused.`

const uncountedText = "'token_num_uses' has no effect: this mount issues batch tokens, whose uses cannot be counted."
