import { type Static, Type } from 'typebox'
import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import { field } from '../../../../../kit/fields.ts'
import { model } from '../../../../../kit/model.ts'
import type { CertRole } from './role.ts'
import { roleFields } from './role-fields.ts'

/** The body of a role write. Absent fields keep what is stored. */
export const RoleBody = Type.Object({
  name: field.text('Ignored: the path names the role.'),
  certificate: field.text('The CA certificates to trust, or one client certificate to pin, in PEM.'),
  ...roleFields.body,
  policies: field.list('Deprecated name of `token_policies`.'),
  ttl: field.seconds('Deprecated name of `token_ttl`.'),
  max_ttl: field.seconds('Deprecated name of `token_max_ttl`.'),
  period: field.seconds('Deprecated name of `token_period`.'),
  bound_cidrs: field.list('Deprecated name of `token_bound_cidrs`.'),
  lease: field.whole('Older name of `ttl`, in seconds.', { minimum: 0 }),
})

/** The names by which older clients know fields of a role write. */
export const roleAliases = {
  token_policies: ['policies'],
  token_ttl: ['ttl', 'lease'],
  token_max_ttl: ['max_ttl'],
  token_period: ['period'],
  token_bound_cidrs: ['bound_cidrs'],
} as const satisfies Partial<Record<keyof RoleInput, readonly (keyof RoleInput)[]>>

/** The fields of a role write. */
export type RoleInput = Static<typeof RoleBody>

const texts = (description: string) => Type.Array(Type.String(), { description })
const seconds = (description: string) => Type.Integer({ description })

/** What a role read answers. */
export const RoleAnswer = model('CertRole', {
  name: Type.String({ description: 'Name of the role.' }),
  certificate: Type.String({ description: 'The certificates in PEM, as they were sent.' }),
  ...roleFields.shown,
  policies: texts('Old name of `token_policies`.'),
  ttl: seconds('Old name of `token_ttl`.'),
  max_ttl: seconds('Old name of `token_max_ttl`.'),
  period: seconds('Old name of `token_period`.'),
  bound_cidrs: Type.Optional(texts('Old name of `token_bound_cidrs`, if they were set under it.')),
  ca_info: Type.Array(Type.Object({}), {
    description: 'Subject, expiry and fingerprint of each certificate of the role.',
  }),
})

/** A role as it is read: every field, lists always as lists, old names beside the new ones, and facts about its CAs. */
export const roleAnswer = (role: CertRole, cas: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  name: role.name,
  certificate: role.certificate,
  ...roleFields.toDocument(role),
  ocsp_servers_override: role.ocspServersOverride.map(shownAddress),
  policies: role.tokenPolicies,
  ttl: role.tokenTtl,
  max_ttl: role.tokenMaxTtl,
  period: role.tokenPeriod,
  ...(role.boundCidrsNamed ? { bound_cidrs: role.tokenBoundCidrs } : {}),
  ca_info: cas,
})
