export { type Progress, type Removal, type RemovalKey, type RemovalKind, removalKinds, requesterOf } from './removal.ts'
export { beginRemoval, measureRemovals, type Remover, removalJob } from './removal-actions.ts'
export { loadRemovals, lockRemovalForUpdate, removedIds, saveRemoval } from './removal-store.ts'
