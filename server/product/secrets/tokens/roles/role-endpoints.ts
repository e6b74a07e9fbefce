import { ttlsOf } from '../../../../access/ttl.ts'
import { fields } from '../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint } from '../../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../../kit/envelope-schemas.ts'
import { data, keys, nothing } from '../../../../kit/reply.ts'
import { writeRole } from './role-actions.ts'
import { deleteRole, findRole, listRoleNames } from './role-store.ts'
import { RoleFields, RoleShape, roleAliases, roleData, toChanges } from './role-wire.ts'

const params = { role_name: { description: 'Name of the token role.', example: 'nightly' } } as const

/** Token roles: terms for tokens that callers who may use the role create. */
export const roleEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'token-roles.list',
    route: 'LIST /roles',
    summary: 'List token roles.',
    access: acl(),
    returns: { 200: KeyList },
    fails: ['missing'],
    handle: async ({ deps }) => keys(await listRoleNames(deps.db)),
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
    body: fields(RoleFields, { aliases: roleAliases }),
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
