import { setImmediate as nextTurn } from 'node:timers/promises'
import { canOnWorkspace, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { isOutdated } from '../../../../kit/still-allowed.ts'
import { countAfterName, listAfterName } from '../listing/list-actions.ts'
import type { WorkspaceFilter } from '../listing/workspace-list.ts'
import { lockInForce } from '../locking/lock.ts'
import { forceUnlockWorkspace, lockWorkspace, releaseRefusal, unlockWorkspace } from '../locking/lock-actions.ts'
import { addTags, removeTags } from '../tagging/tag-actions.ts'
import type { KeyValue } from '../tagging/tag-binding.ts'
import { mergeWorkspaceBindings } from '../tagging/tag-binding-actions.ts'
import { loadBindings } from '../tagging/tag-binding-store.ts'
import type { Workspace } from '../workspace.ts'
import {
  type BulkOutcome,
  type BulkRequest,
  type BulkResult,
  type BulkRun,
  changedResult,
  maxResults,
  notAllowedResult,
  predictResult,
  requiredRights,
} from './bulk.ts'

type BulkDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'parts' | 'keyring'>

/** The workspaces of an operation, by name, of which those count that a caller with these rights can see. */
type BulkSelection = {
  next(grants: OrganizationGrants, after: string, limit: number): Promise<readonly Workspace[]>
  countAfter(grants: OrganizationGrants, name: string): Promise<number>
}

/** The workspaces that a filter finds. */
export const selectionOf = (
  deps: Pick<Deps, 'db' | 'reads' | 'store' | 'clock'>,
  filter: WorkspaceFilter,
): BulkSelection => ({
  next: (grants, name, limit) => listAfterName(deps, grants, filter, { name, limit }),
  countAfter: (grants, name) => countAfterName(deps, grants, filter, name),
})

/** A bulk operation on workspaces that the caller can see. */
export type BulkOperation = {
  readonly author: Author
  readonly grants: OrganizationGrants
  /** The caller's rights as of now; throws if it has been locked out. */
  readonly currentGrants: () => Promise<OrganizationGrants>
  readonly request: BulkRequest
  readonly selection: BulkSelection
  /** The name to begin after. */
  readonly after: string
  readonly dryRun: boolean
  /** True when the call has to be answered soon. At least one workspace is handled before that. */
  readonly isTimeUp: () => boolean
  /** Aborted when the client has gone; workspaces not reached by then stay as they are. */
  readonly signal: AbortSignal
}

/** So many workspaces are read at once. */
const batchSize = 200

/**
 * Does to each workspace what a single call would do, one after the other; a refusal of one does not stop the others. It
 * may take minutes, so the rights of the caller are looked up again and again, and the workspaces are read as it goes:
 * by name, since the operation itself changes which of them a filter finds.
 */
export async function runBulkOperation(deps: BulkDeps, operation: BulkOperation): Promise<BulkRun> {
  const { request, selection, signal } = operation
  const outcomes: BulkOutcome[] = []
  let { grants, after } = operation
  let knownSince = deps.clock.monotonic()
  for (;;) {
    const batch = await selection.next(grants, after, batchSize)
    const bindings = await bindingsOf(deps, request, batch)
    for (const workspace of batch) {
      signal.throwIfAborted()
      if (isOutdated(deps.clock, knownSince)) {
        grants = await operation.currentGrants()
        knownSince = deps.clock.monotonic()
      }
      const result = await handleOne(deps, { ...operation, grants }, workspace, bindings.get(workspace.id) ?? [])
      after = workspace.name
      outcomes.push({ ...result, id: workspace.id, name: after })
      if (outcomes.length < maxResults && !operation.isTimeUp()) continue
      const count = await selection.countAfter(grants, after)
      return { outcomes, rest: count > 0 ? { after, count } : undefined }
    }
    if (batch.length < batchSize) return { outcomes, rest: undefined }
    // On SQLite, reads alone let nobody else in.
    await nextTurn()
  }
}

async function handleOne(
  deps: BulkDeps,
  operation: BulkOperation,
  workspace: Workspace,
  bindings: readonly KeyValue[],
): Promise<BulkResult> {
  const { request, grants, dryRun } = operation
  if (!canOnWorkspace(grants, requiredRights[request.action], workspace)) return notAllowedResult
  const lock = lockInForce(workspace.lock, deps.clock.now())
  const foreseen = predictResult(request, { lock, tagNames: workspace.tagNames, bindings })
  if (foreseen.result !== 'changed') return foreseen
  return dryRun ? await simulate(deps, operation, workspace) : await tryAction(deps, operation, workspace)
}

/** For dry runs: the result of a change that nothing known about the workspace forbids. */
async function simulate(deps: BulkDeps, { request }: BulkOperation, workspace: Workspace): Promise<BulkResult> {
  const refusal = request.action === 'unlock' ? await releaseRefusal(deps, workspace) : undefined
  return refusal ? { result: 'refused', detail: refusal.message } : changedResult
}

async function bindingsOf({ db }: BulkDeps, { action }: BulkRequest, workspaces: readonly Workspace[]) {
  const ids = action === 'add-bindings' ? workspaces.map(({ id }) => id) : []
  return Map.groupBy(await loadBindings(db, 'workspace_id', ids), ({ workspaceId }) => workspaceId ?? '')
}

/** Makes the change. Something may have changed since it was foreseen, so this can be refused too. */
async function tryAction(deps: BulkDeps, operation: BulkOperation, workspace: Workspace): Promise<BulkResult> {
  try {
    await applyAction(deps, operation, workspace)
    return changedResult
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.kind !== 'internal') return { result: 'refused', detail: thrown.message }
    throw thrown
  }
}

function applyAction(
  deps: BulkDeps,
  { author, request, grants }: BulkOperation,
  workspace: Workspace,
): Promise<unknown> {
  const { lock, tagNames, bindings } = request
  const seen = {
    workspace,
    allows: (current: Workspace) => canOnWorkspace(grants, requiredRights[request.action], current),
  }
  switch (request.action) {
    case 'lock':
      return lockWorkspace(deps, author, seen, lock)
    case 'unlock':
      return unlockWorkspace(deps, author, seen, lock.holder)
    case 'force-unlock':
      return forceUnlockWorkspace(deps, author, seen, { lockedAt: undefined, reason: lock.reason })
    case 'add-tags':
      return addTags(deps, author, workspace, { ids: [], names: tagNames })
    case 'remove-tags':
      return removeTags(deps, author, workspace, { ids: [], names: tagNames })
    case 'add-bindings':
      return mergeWorkspaceBindings(deps, author, workspace.id, bindings)
  }
}
