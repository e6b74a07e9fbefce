import { canOnWorkspace, type OrganizationGrants } from '../../../access/permissions/index.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { isOutdated } from '../../../kit/freshness.ts'
import type { Author } from '../../change-log/index.ts'
import { forceUnlockWorkspace, lockWorkspace, releaseRefusal, unlockWorkspace } from '../locking/lock-actions.ts'
import { lockInForce } from '../locking/lock-rules.ts'
import { mergeWorkspaceBindings } from '../tagging/binding-actions.ts'
import { loadBindings } from '../tagging/binding-store.ts'
import { addTags, removeTags } from '../tagging/tag-actions.ts'
import type { Workspace } from '../workspace-rules.ts'
import {
  type BulkOutcome,
  type BulkRequest,
  type BulkResult,
  changedResult,
  notAllowedResult,
  predictResult,
  requiredRights,
} from './bulk-rules.ts'

type BulkDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** A bulk operation on workspaces that the caller can see. */
type BulkOperation = {
  readonly author: Author
  readonly grants: OrganizationGrants
  /** The caller's rights as of now; throws if it has been locked out. */
  readonly currentGrants: () => Promise<OrganizationGrants>
  readonly request: BulkRequest
  readonly workspaces: readonly Workspace[]
  readonly dryRun: boolean
  /** Aborted when the client has gone; workspaces not reached by then stay as they are. */
  readonly signal: AbortSignal
}

/**
 * Does to each workspace what a single call would do, one after the other; a refusal of one does not stop the others. It
 * may take minutes, so the rights of the caller are looked up again and again.
 */
export async function runBulkOperation(deps: BulkDeps, operation: BulkOperation): Promise<BulkOutcome[]> {
  const { request, workspaces, signal } = operation
  const bindings = await bindingsOf(deps, operation)
  const outcomes: BulkOutcome[] = []
  let { grants } = operation
  let knownSince = deps.clock.monotonic()
  for (const workspace of workspaces) {
    signal.throwIfAborted()
    if (isOutdated(deps.clock, knownSince)) {
      grants = await operation.currentGrants()
      knownSince = deps.clock.monotonic()
    }
    const allowed = canOnWorkspace(grants, requiredRights[request.action], workspace)
    const facts = {
      lock: lockInForce(workspace.lock, deps.clock.now()),
      tagNames: workspace.tagNames,
      bindings: bindings.get(workspace.id) ?? [],
    }
    const foreseen = allowed ? predictResult(request, facts) : notAllowedResult
    const carryOut = operation.dryRun ? simulate : tryAction
    const outcome = foreseen.result === 'changed' ? await carryOut(deps, { ...operation, grants }, workspace) : foreseen
    outcomes.push({ ...outcome, workspace })
  }
  return outcomes
}

/** For dry runs: the result of a change that nothing known about the workspace forbids. */
async function simulate(deps: BulkDeps, { request }: BulkOperation, workspace: Workspace): Promise<BulkResult> {
  const refusal = request.action === 'unlock' ? await releaseRefusal(deps, workspace) : undefined
  return refusal ? { result: 'refused', detail: refusal.message } : changedResult
}

async function bindingsOf({ db }: BulkDeps, { request, workspaces }: BulkOperation) {
  const ids = request.action === 'add-bindings' ? workspaces.map(({ id }) => id) : []
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
      return forceUnlockWorkspace(deps, author, seen, lock.holder)
    case 'add-tags':
      return addTags(deps, author, workspace, { ids: [], names: tagNames })
    case 'remove-tags':
      return removeTags(deps, author, workspace, { ids: [], names: tagNames })
    case 'add-bindings':
      return mergeWorkspaceBindings(deps, author, workspace.id, bindings)
  }
}
