import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { lockedNames, unlockName } from './lockout-actions.ts'

const count = Type.Integer({ description: 'How many names wait.' })

const MountLocks = Type.Object({
  mount_accessor: Type.String({ description: 'Accessor of the mount.' }),
  counts: count,
  alias_identifiers: Type.Array(Type.String(), { description: 'The names.' }),
})

/** Names that have to wait after logins with wrong credentials. */
export const lockoutEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'locked-users.list',
    route: 'GET /locked-users',
    summary: 'List the names whose logins wait after wrong credentials.',
    access: acl(),
    query: Type.Object({ mount_accessor: field.text('Only names at this mount.') }),
    returns: {
      200: Type.Object({
        total: count,
        by_namespace: Type.Array(
          Type.Object({
            namespace_id: Type.String({ description: 'Always `root`.' }),
            namespace_path: Type.String({ description: 'Always empty.' }),
            counts: count,
            mount_accessors: Type.Array(MountLocks),
          }),
        ),
      }),
    },
    handle: async ({ deps, query }) => {
      const locked = await lockedNames(deps, query.mount_accessor ?? '')
      const mounts = [...locked].map(([accessor, names]) => ({
        mount_accessor: accessor,
        counts: names.length,
        alias_identifiers: names,
      }))
      const total = mounts.reduce((sum, { counts }) => sum + counts, 0)
      const root = { namespace_id: 'root', namespace_path: '', counts: total, mount_accessors: mounts }
      return data({ by_namespace: [root], total })
    },
  }),
  endpoint({
    id: 'locked-users.unlock',
    route: 'POST /locked-users/:accessor/unlock/*alias',
    summary: 'End the waits of a name at a mount.',
    access: acl(),
    params: {
      accessor: { description: 'Accessor of the mount.', example: 'auth_approle_1a2b3c4d' },
      alias: { description: 'The name, as the list has it.', example: 'web' },
    },
    returns: { 204: null },
    handle: async ({ deps, params: { accessor = '', alias = '' } }) => {
      await unlockName(deps, accessor, alias)
      return nothing()
    },
  }),
])
