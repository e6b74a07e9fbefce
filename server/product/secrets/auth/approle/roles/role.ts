import { isWithin } from '../../../../../access/cidr.ts'
import { normalizePolicyNames } from '../../../../../access/policies/policy-names.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { HeldBy } from '../../../../../kit/json-fields.ts'
import { type RoleInput, roleFields } from './role-fields.ts'

/** A role of an application: with which ids it logs in, and what it gets. */
export type AppRole = HeldBy<typeof roleFields> & {
  readonly name: string
  /** Which role a login means. It is no secret. */
  readonly roleId: string
  readonly platformTeamId: string
}

/** A role with nothing but a name. */
export const blankRole = (name: string): AppRole => ({
  name,
  ...roleFields.initial,
  tokenType: 'default',
  roleId: '',
  platformTeamId: '',
})

const invalid = (code: string, text: string) => failure('invalid', `approle-role.${code}`, text)

/** The longest role id; indexes cannot hold texts of any length. */
const longestRoleId = 512

/** The role after a write: what was sent replaces what is stored, the rest stays. */
export function mergeRole(stored: AppRole, sent: RoleInput, newRoleId: string | undefined): AppRole {
  const isNew = newRoleId !== undefined
  const { local_secret_ids: local } = sent
  if (!isNew && local !== undefined && local !== stored.localSecretIds)
    throw invalid('local-secret-ids', 'local_secret_ids can only be modified during role creation')
  const given = roleFields.given({
    ...sent,
    secret_id_bound_cidrs: sent.secret_id_bound_cidrs ?? sent.bound_cidr_list,
    token_policies: sent.token_policies ?? (sent.policies && normalizePolicyNames(sent.policies)),
    token_period: sent.token_period ?? sent.period,
  })
  return { ...stored, ...given, roleId: sent.role_id ?? newRoleId ?? stored.roleId }
}

/** Throws at the first thing that makes a role unusable. */
export function checkRole(role: AppRole, { maxLeaseTtl }: { readonly maxLeaseTtl: number }): void {
  if (role.roleId === '') throw invalid('role-id', "Field 'role_id' must not be empty.")
  if (Buffer.byteLength(role.roleId) > longestRoleId)
    throw invalid('role-id', `Field 'role_id' has more than ${longestRoleId} bytes.`)
  if (!role.bindSecretId && role.secretIdBoundCidrs.length === 0 && role.tokenBoundCidrs.length === 0)
    // Clients look for these words.
    throw invalid('no-constraint', 'at least one constraint should be enabled on the role')
  if (role.tokenPeriod > maxLeaseTtl)
    throw invalid(
      'period',
      `Field 'token_period' (${role.tokenPeriod} s) must not exceed the maximum lifetime of the mount (${maxLeaseTtl} s).`,
    )
}

/** The refusal of a role id that another role of the mount has. */
export const roleIdTaken = () => invalid('role-id-taken', "Another role of this mount has the 'role_id' that was sent.")

/** Warnings about a write of a role. */
export const roleWarnings = (_role: AppRole, { token_type: type = '' }: RoleInput): readonly string[] =>
  /^default-./.test(type) ? [`'token_type' was stored as '${type.replace(/^default-/, '')}'.`] : []

/** Throws if blocks of a secret id reach beyond those of its role. */
export function requireWithin(name: string, blocks: readonly string[], bounds: readonly string[]): void {
  const outside = bounds.length === 0 ? undefined : blocks.find((block) => !isWithin(block, bounds))
  if (outside === undefined) return
  throw invalid('cidr-outside', `Field '${name}' holds '${outside}', which is not within the blocks of the role.`)
}
