import type { Static } from 'typebox'
import type { TokenRole } from '../../../../access/token-plan.ts'
import { ttlsOf } from '../../../../access/ttl.ts'
import { fields, narrowingRoleFields } from '../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint, model, type ParseNotes, Type } from '../../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../../kit/envelope.ts'
import { field } from '../../../../kit/fields.ts'
import { listTerms, namesReply } from '../../../../kit/list.ts'
import { data, nothing } from '../../../../kit/reply.ts'
import type { RoleChanges } from './token-role.ts'
import { writeRole } from './token-role-actions.ts'
import { roleFields } from './token-role-fields.ts'
import { deleteRole, findRole, listRoleNames } from './token-role-store.ts'

/** The fields of a token role. */
const RoleFields = Type.Object({
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
const roleAliases = Object.fromEntries(oldNames.map(([old, present]) => [present, [old]]))

/** The changes that were sent; of two spellings of a field the present one counts. */
function toChanges(body: Sent, notes: Pick<ParseNotes, 'warn'>): RoleChanges {
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
function roleData(role: TokenRole): Record<string, unknown> {
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
const RoleShape = model('TokenRole', {
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

const params = { role_name: { description: 'Name of the token role.', example: 'nightly' } } as const

/** Token roles: terms for tokens that callers who may use the role create. */
export const roleEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...listTerms,
    id: 'token-roles.list',
    route: 'LIST /roles',
    summary: 'List token roles.',
    access: acl(),
    returns: { 200: KeyList },
    handle: (call) => namesReply(call, listRoleNames),
  }),
  endpoint({
    id: 'token-roles.read',
    route: 'GET /roles/:role_name',
    summary: 'Read a token role.',
    access: acl(),
    params,
    returns: { 200: RoleShape },
    fails: ['missing'],
    handle: async ({ deps, params: { role_name = '' } }) => {
      const role = await findRole(deps.db, role_name)
      return role ? data(roleData(role)) : nothing()
    },
  }),
  endpoint({
    id: 'token-roles.write',
    route: 'POST /roles/:role_name',
    summary: 'Create or update a token role.',
    description: 'Omitted fields keep their values.',
    access: acl(),
    params,
    body: fields(RoleFields, { aliases: roleAliases, narrowing: narrowingRoleFields }),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: { request: { allowed_policies: ['web'], orphan: true, token_period: '24h' } },
    exists: async ({ deps, params: { role_name = '' } }) => (await findRole(deps.db, role_name)) !== undefined,
    handle: async ({ deps, params: { role_name = '' }, body, request, warn }) => {
      const changes = toChanges(body, { warn })
      await writeRole(deps, role_name, changes)
      const { maxLeaseTtl } = ttlsOf(deps, request.mount)
      if ((changes.explicitMaxTtl ?? 0) > maxLeaseTtl) {
        warn(`'token_explicit_max_ttl' is above the maximum of the mount, ${maxLeaseTtl} seconds, which will be used.`)
      }
      return nothing()
    },
  }),
  endpoint({
    id: 'token-roles.delete',
    route: 'DELETE /roles/:role_name',
    summary: 'Delete a token role.',
    description: 'Its tokens stay valid, but can no longer be renewed.',
    access: acl(),
    params,
    returns: { 204: null },
    handle: async ({ deps, params: { role_name = '' } }) => {
      await deleteRole(deps.db, role_name)
      return nothing()
    },
  }),
]
