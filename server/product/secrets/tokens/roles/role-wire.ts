import type { Static } from 'typebox'
import type { TokenRole } from '../../../../access/token-plan.ts'
import { model, type ParseNotes, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { roleFields } from './role-fields.ts'
import type { RoleChanges } from './role-rules.ts'

/** The fields of a token role. */
export const RoleFields = Type.Object({
  ...roleFields.body,
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
  const bounds = body.token_bound_cidrs ?? body.bound_cidrs
  return {
    ...roleFields.given({
      ...body,
      token_bound_cidrs: bounds,
      token_explicit_max_ttl: body.token_explicit_max_ttl ?? body.explicit_max_ttl,
      token_period: body.token_period ?? body.period,
    }),
    ...(bounds === undefined ? {} : { boundCidrsNamed: body.token_bound_cidrs === undefined }),
  }
}

/** A role as it is read; period and explicit maximum under both of their names. */
export function roleData(role: TokenRole): Record<string, unknown> {
  const { token_bound_cidrs: bounds, token_num_uses: uses, ...others } = roleFields.toDocument(role)
  return {
    name: role.name,
    ...others,
    explicit_max_ttl: role.explicitMaxTtl,
    period: role.period,
    ...(role.boundCidrs.length > 0 ? { token_bound_cidrs: bounds } : {}),
    ...(role.boundCidrs.length > 0 && role.boundCidrsNamed ? { bound_cidrs: bounds } : {}),
    ...(role.numUses > 0 ? { token_num_uses: uses } : {}),
  }
}

/** A role's answer, for the reference. */
export const RoleShape = model('TokenRole', {
  name: Type.String({ description: 'Name of the role.' }),
  ...roleFields.shown,
  explicit_max_ttl: Type.Integer({ description: 'The old name of `token_explicit_max_ttl`.' }),
  period: Type.Integer({ description: 'The old name of `token_period`.' }),
  token_type: Type.String({ description: 'Type of its tokens.' }),
  token_bound_cidrs: Type.Optional(roleFields.shown.token_bound_cidrs),
  bound_cidrs: Type.Optional(
    Type.Array(Type.String(), { description: 'The old name of `token_bound_cidrs`, if they were set under it.' }),
  ),
  token_num_uses: Type.Optional(roleFields.shown.token_num_uses),
})
