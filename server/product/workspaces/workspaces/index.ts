import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { autoDestroyJob } from './auto-destroy/destruction-actions.ts'
import { bulkEndpoints } from './bulk/bulk-endpoints.ts'
import { consumerEndpoints } from './consumers/consumer-endpoints.ts'
import { deletionEndpoints } from './deletion/deletion-endpoints.ts'
import { seedWorkspace } from './dev-seed.ts'
import { endStreams } from './events/event-actions.ts'
import { eventEndpoints } from './events/event-endpoints.ts'
import { historyEndpoints } from './history/history-endpoints.ts'
import { expiredLocksJob } from './locking/lock-actions.ts'
import { lockEndpoints } from './locking/lock-endpoints.ts'
import { workspaceRetentionEndpoints } from './retention/workspace-retention-endpoints.ts'
import { bindingEndpoints } from './tagging/binding-endpoints.ts'
import { tagEndpoints } from './tagging/tag-endpoints.ts'
import { ensureCatalogue } from './tool-versions/tool-version-actions.ts'
import { shippedReleases, toolVersionEndpoints } from './tool-versions/tool-version-endpoints.ts'
import { firstSource, workspaceEndpoints } from './workspace-endpoints.ts'

export { rescheduleWithProject } from './auto-destroy/destruction-actions.ts'
export { currentStateMembers } from './current-state-actions.ts'
export { renderWorkspace, renderWorkspaces } from './document.ts'
export { includeHolders, includeWith } from './including/include-answers.ts'
export { listPage } from './listing/list-actions.ts'
export { everyWorkspace } from './listing/list-rules.ts'
export { holderOf, holderText, isSameHolder, lockInForce, longestReason, newLock } from './locking/lock.ts'
export {
  forceUnlockShown,
  lockWorkspace,
  type UnlockStep,
  unlockWorkspace,
} from './locking/lock-actions.ts'
export { confirmLockForUpdate } from './locking/lock-store.ts'
export {
  type AgentPool,
  type PoolDetails,
  type PoolWorkspace,
  type VisiblePool,
  visiblePool,
} from './pools/pool-rules.ts'
export { scopeKinds, toPool, withDetails } from './pools/pool-store.ts'
export { toPoolResource } from './pools/pool-wire.ts'
export { moveWorkspaces } from './settings/update-actions.ts'
export { changeBindings, storeBindings } from './tagging/binding-actions.ts'
export { bindingListFaults, describeBindings, type KeyValue, type TagBinding } from './tagging/binding-rules.ts'
export { loadBindings, mergeBindings, replaceBindings } from './tagging/binding-store.ts'
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
} from './tagging/binding-wire.ts'
export {
  filterAllowed,
  mayOnWorkspace,
  namedWorkspaceInPath,
  type OnWorkspace,
  onWorkspace,
  workspaceInPath,
} from './workspace-access.ts'
export { changeInTransaction } from './workspace-actions.ts'
export { describeRepo, workspaceSubject } from './workspace-changes.ts'
export { filteredWorkspace, workspaceFilters } from './workspace-filters.ts'
export type { WorkspacePart } from './workspace-parts.ts'
export type { LockHolder, Workspace, WorkspaceLock } from './workspace-rules.ts'
export { workspaceDocument } from './workspace-schemas-wire.ts'
export {
  loadWorkspace,
  loadWorkspaces,
  lockWorkspaceForUpdate,
  touchWorkspace,
  updateWorkspaces,
} from './workspace-store.ts'
export { holderShown } from './workspace-wire.ts'

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
  start: (deps) => ensureCatalogue(deps, shippedReleases),
  drain: endStreams,
  devSeed: (deps) => seedWorkspace(deps, firstSource),
})
