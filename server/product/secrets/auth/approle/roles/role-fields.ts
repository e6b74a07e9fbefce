import { type Static, Type } from 'typebox'
import { field } from '../../../../../kit/fields.ts'
import { jsonFields } from '../../../../../kit/json-fields.ts'
import { cidrsOf, oldTermFields, storedTokenTerms, tokenTermFields } from '../../../login-roles/login-role-fields.ts'

/** Blocks as they were sent, since clients compare them; throws at the first entry that is no block. */
export function sentCidrs(name: string, sent: readonly string[]): readonly string[] {
  cidrsOf(name, sent)
  return sent.map((each) => each.trim())
}

/** Everything a role says. Durations are whole seconds; 0 means not set. */
export const roleFields = jsonFields(
  {
    bindSecretId: field.flag('Ask for a secret id at every login.', { default: true }),
    secretIdBoundCidrs: field.list('Addresses and CIDR blocks from which secret ids are accepted.'),
    secretIdNumUses: field.whole('How many logins a secret id is good for; 0 for no limit.', {
      default: 0,
      minimum: 0,
    }),
    secretIdTtl: field.seconds('How long a secret id is good for; 0 for no end.'),
    localSecretIds: field.flag('Stored when the role is created; has no effect.', { default: false }),
    ...tokenTermFields,
  },
  {
    stored: {
      ...storedTokenTerms,
      secretIdBoundCidrs: (sent: readonly string[]) => sentCidrs('secret_id_bound_cidrs', sent),
      // Other servers of this family take these names too.
      tokenType: (sent: string) => storedTokenTerms.tokenType(sent.replace(/^default-/, '')),
    },
  },
)

/** The body of a role write. Absent fields keep what is stored. */
export const RoleBody = Type.Object({
  ...roleFields.body,
  role_id: field.text('The role id to log in with; generated for a new role unless it is sent.'),
  bound_cidr_list: field.list('Older name of `secret_id_bound_cidrs`.'),
  policies: oldTermFields.policies,
  period: oldTermFields.period,
})

/** The names by which older clients know fields of a role write. */
export const roleAliases = {
  secret_id_bound_cidrs: ['bound_cidr_list'],
  token_policies: ['policies'],
  token_period: ['period'],
} as const

/** The fields of a role write. */
export type RoleInput = Static<typeof RoleBody>
