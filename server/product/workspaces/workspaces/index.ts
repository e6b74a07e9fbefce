import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { autoDestroyJob } from './auto-destroy/destruction-actions.ts'
import { bulkEndpoints } from './bulk/bulk-endpoints.ts'
import { consumerEndpoints } from './consumers/consumer-endpoints.ts'
import { deletionEndpoints } from './deletion/deletion-endpoints.ts'
import { removeSomeWorkspaces } from './deletion/organization-content-actions.ts'
import { seedWorkspaces } from './dev-seed.ts'
import { endStreams } from './events/event-actions.ts'
import { eventEndpoints } from './events/event-endpoints.ts'
import { historyEndpoints } from './history/history-endpoints.ts'
import { searchWorkspaces } from './listing/list-actions.ts'
import { expiredLocksJob } from './locking/lock-actions.ts'
import { lockEndpoints } from './locking/lock-endpoints.ts'
import { watchLocks } from './locking/long-lock-actions.ts'
import { workspaceRetentionEndpoints } from './retention/workspace-retention-endpoints.ts'
import { bindingEndpoints } from './tagging/tag-binding-endpoints.ts'
import { tagEndpoints } from './tagging/tag-endpoints.ts'
import { tagRemover } from './tagging/tag-removal-actions.ts'
import { ensureCatalogue } from './tool-versions/tool-version-actions.ts'
import { shippedReleases, toolVersionEndpoints } from './tool-versions/tool-version-endpoints.ts'
import { firstSource, workspaceEndpoints } from './workspace-endpoints.ts'

export { isDue as isDestructionDue } from './auto-destroy/destruction.ts'
export { rescheduleWithProject } from './auto-destroy/destruction-actions.ts'
export { currentStateMembers } from './current-state-actions.ts'
export { renderWorkspace, renderWorkspaces } from './document-actions.ts'
export { includeHolders, includeWith } from './including/include-endpoints.ts'
export { holderOf, holderText, isSameHolder, lockInForce } from './locking/lock.ts'
export { type LockDeps, type RunQueue, releasedByRun, takenByRun, type UnlockStep } from './locking/lock-actions.ts'
export { wakeFirstWaiter } from './locking/lock-queue-actions.ts'
export { confirmLockForUpdate } from './locking/lock-store.ts'
export {
  type AgentPool,
  type PoolDetails,
  type PoolWorkspace,
  type VisiblePool,
  visiblePool,
} from './pools/usable-pool.ts'
export { toPoolResource } from './pools/usable-pool-fields.ts'
export { loadPools, mayUsePool, scopeKinds, toPool, withDetails } from './pools/usable-pool-store.ts'
export { projectDefaultsOf } from './settings/settings-actions.ts'
export { moveWorkspaces } from './settings/update-actions.ts'
export { bindingListFaults, describeBindings, type KeyValue, type TagBinding } from './tagging/tag-binding.ts'
export { changeBindings, storeBindings } from './tagging/tag-binding-actions.ts'
export { loadBindings, mergeBindings, replaceBindings } from './tagging/tag-binding-store.ts'
export {
  anyBindingsBody,
  bindingAttributes,
  bindingSchema,
  bindingsBody,
  effectiveBindingId,
  effectiveBindingSchema,
  sentBindings,
  toBindingResource,
  withBindingsLinked,
} from './tagging/tag-fields.ts'
export { catalogueOf } from './tool-versions/tool-version-actions.ts'
export { loadToolVersions } from './tool-versions/tool-version-store.ts'
export {
  describeRepo,
  effectiveExecution,
  inheritedExecution,
  type LockHolder,
  type Workspace,
  type WorkspaceLock,
  workspaceSubject,
} from './workspace.ts'
export {
  filterAllowed,
  filteredWorkspace,
  mayOnWorkspace,
  type OnWorkspace,
  onWorkspace,
  workspaceFilters,
  workspaceInPath,
} from './workspace-access-actions.ts'
export { changeInTransaction, type Entry, handOn, type WorkspaceChange } from './workspace-actions.ts'
export { holderShown, workspaceDocument } from './workspace-document-fields.ts'
export type { WorkspacePart } from './workspace-parts-actions.ts'
export {
  type ChangedMembers,
  loadWorkspace,
  loadWorkspaces,
  lockWorkspaceForUpdate,
  touchWorkspace,
  updateWorkspaces,
} from './workspace-store.ts'

/** Workspaces: settings, lists, and the catalogue of tool versions. */
export const workspacesFeature: Feature = defineFeature({
  name: 'workspaces',
  endpoints: [
    ...workspaceEndpoints,
    ...toolVersionEndpoints,
    ...bindingEndpoints,
    ...tagEndpoints,
    ...consumerEndpoints,
    ...deletionEndpoints,
    ...lockEndpoints,
    ...workspaceRetentionEndpoints,
    ...eventEndpoints,
    ...historyEndpoints,
    ...bulkEndpoints,
  ],
  jobs: [expiredLocksJob, autoDestroyJob],
  parts: {
    organizationContent: removeSomeWorkspaces,
    remover: tagRemover,
    searcher: searchWorkspaces,
    organizationWatch: watchLocks,
  },
  start: (deps) => ensureCatalogue(deps, shippedReleases),
  drain: endStreams,
  devSeed: (deps) => seedWorkspaces(deps, firstSource),
})
