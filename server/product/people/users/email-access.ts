import { actorOf, canInOrganization, grantsOf } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { membersAmong } from './user-store.ts'

/**
 * Those of the people whose e-mail address the caller sees: the caller, members of organizations whose people the
 * caller manages, and everyone for site administrators.
 */
export async function visibleEmailOwners(
  { deps, caller }: Pick<Call, 'deps' | 'caller'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const actor = actorOf(caller)
  if (actor.siteAdmin) return new Set(userIds)
  const others = userIds.filter((id) => id !== actor.id)
  const grants = [...(await grantsOf(deps, actor)).byId.values()]
  const managing = grants.filter((each) => canInOrganization(each, 'can-manage-users'))
  const managed = managing.map((each) => each.organizationId)
  return new Set([...(await membersAmong(deps.db, others, managed)), ...(actor.kind === 'user' ? [actor.id] : [])])
}
