import { type FeatureParts, partsOf } from '../../../../kit/parts.ts'
import { removeDependents } from '../../../../storage/cascade.ts'
import type { Tx } from '../../../../storage/open.ts'
import { deleteUncounted } from '../workspace-store.ts'
import { loadNext, type Place } from './organization-content-store.ts'

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /**
     * Removes up to about `limit` rows that a feature keeps for these workspaces and no foreign key removes, and returns
     * how many. None are left if they are fewer.
     */
    workspaceContent: (tx: Tx, workspaceIds: readonly string[], limit: number) => Promise<number>
  }
}

/** Rows that a workspace usually consists of, so that a batch begins with no more workspaces than it can remove. */
const rowsEach = 8

/** Removes workspaces of an organization that is gone, with everything in them. */
export const removeSomeWorkspaces: FeatureParts['organizationContent'] = async (deps, tx, removal, limit) => {
  const { subjectId: organizationId, rowsLeft } = removal
  const after = (removal.payload as Place | null) ?? undefined
  const found = await loadNext(tx, organizationId, { after, limit: Math.ceil(limit / rowsEach) })
  const last = found.at(-1)
  // Others may have been created meanwhile, by requests that began before, so the end is reached from the start.
  if (!last) return after && { left: rowsLeft, payload: null }
  const ids = found.map(({ id }) => id)
  const contents = [
    (most: number) => removeDependents(tx, 'workspaces', ids, most),
    ...partsOf(deps, 'workspaceContent').map((remove) => (most: number) => remove(tx, ids, most)),
  ]
  let rest = limit
  for (const removeContent of contents) {
    rest -= await removeContent(rest)
    if (rest <= 0) return { left: rowsLeft }
  }
  await deleteUncounted(tx, ids)
  const { createdAt, id } = last
  return { left: Math.max(1, rowsLeft - found.length), payload: { createdAt, id } }
}
