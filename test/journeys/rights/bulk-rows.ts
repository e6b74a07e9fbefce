import type { BulkRequest } from '../../../server/product/workspaces/workspaces/bulk/bulk.ts'
import type { Right } from './holders.ts'
import type { Caller } from './levels.ts'
import { lockFor, lockForOwner, release, type Scene } from './scene.ts'

/** An action on many workspaces: the right it needs on each of them, what is sent, and what must be so beforehand. */
export type BulkRow = readonly [
  action: BulkRequest['action'],
  right: Right,
  sent?: object,
  ready?: (scene: Scene, caller: Caller) => Promise<undefined>,
]

/** Every action of a bulk operation. */
export const bulkRows: readonly BulkRow[] = [
  ['lock', 'workspace:can-lock', {}, release],
  ['unlock', 'workspace:can-unlock', {}, lockFor],
  ['force-unlock', 'workspace:can-force-unlock', {}, lockForOwner],
  ['add-tags', 'workspace:can-manage-tags', { tags: ['bulk'] }],
  ['remove-tags', 'workspace:can-manage-tags', { tags: ['rights-tag'] }],
  ['add-bindings', 'workspace:can-manage-tags', { bindings: [{ key: 'bulk', value: 'x' }] }],
]
