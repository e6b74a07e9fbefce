import { canSeeWorkspace, type OrganizationGrants, visibleWorkspaces } from '../../../../access/permissions/index.ts'
import type { Members, RecordedChange } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { loadWorkspaces } from '../workspace-store.ts'

const member = 'remote-state-consumers'

/** Consumers as the change log shows them. */
export const describeConsumers = (consumers: readonly { readonly id: string }[]): Members => ({
  [member]: consumers.map(({ id }) => id),
})

const consumersIn = (members: Members | undefined): readonly string[] => {
  const ids = members?.[member]
  return Array.isArray(ids) ? ids : []
}

/** Changes as a caller may read them: of the consumers they name, only those that this caller can see. */
export async function withVisibleConsumers(
  { db }: Pick<Deps, 'db'>,
  grants: OrganizationGrants,
  changes: readonly RecordedChange[],
): Promise<readonly RecordedChange[]> {
  if (visibleWorkspaces(grants).kind === 'all') return changes
  const named = new Set(changes.flatMap(({ before, after }) => [...consumersIn(before), ...consumersIn(after)]))
  if (named.size === 0) return changes
  const visible = (await loadWorkspaces(db, [...named])).filter((each) => canSeeWorkspace(grants, each))
  const ids = new Set<string>(visible.map(({ id }) => id))
  const shown = (members: Members): Members =>
    member in members ? { ...members, [member]: consumersIn(members).filter((id) => ids.has(id)) } : members
  return changes.map((change) => ({
    ...change,
    ...(change.before ? { before: shown(change.before) } : {}),
    ...(change.after ? { after: shown(change.after) } : {}),
  }))
}
