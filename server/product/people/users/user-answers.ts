import { actorOf } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { visibleEmailOwners } from './email-access.ts'
import { loadUsers } from './user-store.ts'
import { toUserResource } from './user-wire.ts'

/** People as they are included with something else: as the caller sees them at their own address. */
export async function renderUsers(call: Pick<Call, 'deps' | 'caller'>, ids: readonly string[]): Promise<Resource[]> {
  if (ids.length === 0) return []
  const users = await loadUsers(call.deps.db, ids)
  const withAddress = await visibleEmailOwners(call, ids)
  const actor = actorOf(call.caller)
  return users.map((user) => toUserResource(user, { email: withAddress.has(user.id), self: actor.id === user.id }))
}
