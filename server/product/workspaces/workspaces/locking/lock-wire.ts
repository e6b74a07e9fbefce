import { maybeIso, toIso } from '../../../../kernel/clock.ts'
import { Type } from '../../../../kit/endpoint.ts'
import {
  attribute,
  documentSchema,
  type Resource,
  resourceSchema,
  shown,
  toOne,
} from '../../../../kit/jsonapi/index.ts'
import { holderShown } from '../rendering/workspace-wire.ts'
import type { Workspace, WorkspaceLock } from '../workspace-rules.ts'
import { expiryProblem, longestReason } from './lock-rules.ts'

/** What can be sent with a lock. */
export const lockAttributes = {
  reason: attribute.text('Why the workspace is locked.', {
    nullable: true,
    maxLength: longestReason,
    example: 'Migrating',
  }),
  expiresAfter: attribute.text('Release the lock automatically after this time.', {
    nullable: true,
    check: expiryProblem,
    example: '2h',
  }),
} as const

/** What is sent to let a lock end later. */
export const extensionAttributes = {
  expiresAfter: attribute.text('Release the lock automatically after this time, counted from now.', {
    required: true,
    check: expiryProblem,
    example: '10m',
  }),
  lockedAt: attribute.time('The `locked-at` of the lock that is meant; any lock of the caller if it is left out.', {
    nullable: true,
  }),
} as const

const lockSchema = resourceSchema('workspace-locks', {
  attributes: {
    reason: shown.text('Reason for the lock.'),
    'locked-at': shown.time('When the workspace was locked.'),
    'expires-at': shown.maybeTime('When the lock expires, if it does.'),
    'holder-name': shown.maybeText('Name of the holder; null for a team that you cannot see.'),
  },
  relationships: {
    'locked-by': 'The holder: a user, a team or a run.',
    workspace: 'The workspace that is locked.',
  },
})

/** A document with the lock of a workspace; its data is null while the workspace is unlocked. */
export const lockDocument = {
  ...documentSchema(Type.Union([lockSchema, Type.Null()])),
  title: 'WorkspaceLockDocument',
}

/** A lock as a resource. A workspace has one at a time, so its id is that of the workspace. */
export const toLockResource = (
  { id }: Pick<Workspace, 'id'>,
  lock: WorkspaceLock,
  holderName: string | null,
): Resource => ({
  type: 'workspace-locks',
  id,
  attributes: {
    reason: lock.reason,
    'locked-at': toIso(lock.since),
    'expires-at': maybeIso(lock.expiresAt),
    'holder-name': holderName,
  },
  relationships: {
    'locked-by': holderShown(lock.holder),
    workspace: toOne('workspaces', id, `/api/v2/workspaces/${id}`),
  },
  links: { self: `/api/v2/workspaces/${id}/lock` },
})
