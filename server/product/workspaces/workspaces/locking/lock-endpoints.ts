import type { WorkspaceRight } from '../../../../access/permissions/index.ts'
import { maybeIso, toIso } from '../../../../kernel/clock.ts'
import { parseDuration } from '../../../../kernel/duration.ts'
import { failure } from '../../../../kernel/failure.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import {
  answerOne,
  answerWritten,
  attribute,
  documentSchema,
  looseBody,
  parameter,
  type Resource,
  resourceSchema,
  shown,
  showQuery,
  toOne,
} from '../../../../kit/jsonapi/index.ts'
import { document, type Reply } from '../../../../kit/reply.ts'
import { currentCaller } from '../../../../kit/still-allowed.ts'
import { renderWorkspace } from '../document-actions.ts'
import { includeHolders } from '../including/include-endpoints.ts'
import type { Workspace, WorkspaceLock } from '../workspace.ts'
import {
  mayOnWorkspace,
  type OnWorkspace,
  onLastSeenWorkspace,
  onWorkspace,
  workspaceInPath,
} from '../workspace-access-actions.ts'
import { holderShown, workspaceDocument } from '../workspace-document-fields.ts'
import { expiryProblem, holderOf, lockInForce, longestReason, newLock, type RequestedLock } from './lock.ts'
import { extendLock, forceUnlockWorkspace, lockWorkspace, type SeenWorkspace, unlockWorkspace } from './lock-actions.ts'
import { countWaiting, lockWhenFree, type Waiter } from './lock-queue-actions.ts'

/** What can be sent with a lock. */
const lockAttributes = {
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
const extensionAttributes = {
  expiresAfter: attribute.text('Release the lock automatically after this time, counted from now.', {
    required: true,
    check: expiryProblem,
    example: '10m',
  }),
  lockedAt: attribute.time('The `locked-at` of the lock that is meant; any lock of the caller if it is left out.', {
    nullable: true,
  }),
} as const

/** What is sent to break a lock. */
const forceAttributes = {
  reason: attribute.text('Why the lock is broken; the history keeps it.', {
    nullable: true,
    maxLength: longestReason,
    example: 'The machine is gone',
  }),
  lockedAt: attribute.time('The `locked-at` of the lock that is meant; any lock if it is left out.', {
    nullable: true,
  }),
} as const

const lockSchema = resourceSchema('workspace-locks', {
  attributes: {
    reason: shown.text('Reason for the lock.'),
    'locked-at': shown.time('When the workspace was locked.'),
    'expires-at': shown.maybeTime('When the lock expires, if it does.'),
    'holder-name': shown.maybeText('Name of the holder; null for a team that you cannot see.'),
    waiting: shown.whole('How many calls wait for the lock at the node that answers.'),
  },
  relationships: {
    'locked-by': 'The holder: a user, a team or a run.',
    workspace: 'The workspace that is locked.',
  },
})

/** A document with the lock of a workspace; its data is null while the workspace is unlocked. */
const lockDocument = {
  ...documentSchema(Type.Union([lockSchema, Type.Null()])),
  title: 'WorkspaceLockDocument',
}

/** A lock as a resource. A workspace has one at a time, so its id is that of the workspace. */
const toLockResource = (
  { id }: Pick<Workspace, 'id'>,
  lock: WorkspaceLock,
  { holderName, waiting }: { holderName: string | null; waiting: number },
): Resource => ({
  type: 'workspace-locks',
  id,
  attributes: {
    reason: lock.reason,
    'locked-at': toIso(lock.since),
    'expires-at': maybeIso(lock.expiresAt),
    'holder-name': holderName,
    waiting,
  },
  relationships: {
    'locked-by': holderShown(lock.holder),
    workspace: toOne('workspaces', id, `/api/v2/workspaces/${id}`),
  },
  links: { self: `/api/v2/workspaces/${id}/lock` },
})

const longestWait = 60_000

/** `{reason}`, the same inside a resource without a type, or nothing: clients send all three. */
const lockBody = looseBody(lockAttributes)
const extensionBody = looseBody(extensionAttributes)
const forceBody = looseBody(forceAttributes)

const common = {
  params: workspaceInPath,
  query: showQuery(),
  returns: { 200: workspaceDocument },
  fails: ['missing', 'conflict'],
} as const
const at = (action: string) => `POST /workspaces/:workspaceId/actions/${action}` as const

type LockCall = Call<Record<string, string>, Parameters<typeof answerOne>[0]['query'], unknown, OnWorkspace>

/** The workspace of the call as it was seen, and the right that is needed. */
const toSeenWorkspace = ({ subject: { resource, grants } }: LockCall, right: WorkspaceRight): SeenWorkspace => ({
  workspace: resource,
  allows: (current) => mayOnWorkspace(grants, right, current),
})

async function answer(call: LockCall, workspace: Workspace): Promise<Reply> {
  const resource = await renderWorkspace(call, call.subject.grants, workspace)
  return call.query.fields?.size ? answerOne(call, resource) : answerWritten(resource)
}

const lockQuery = showQuery({
  parameters: { wait: parameter.text('wait', 'How long to wait for the lock, `30s` for example; at most 60 seconds.') },
})

/** How long the caller is willing to wait for the lock, in milliseconds. */
function waitOf(text: string | undefined): number {
  if (text === undefined) return 0
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined && milliseconds <= longestWait) return milliseconds
  const detail = 'wait must be a duration of at most 60s'
  throw failure('malformed', 'lock.wait', detail, { faults: [{ detail, parameter: 'wait' }] })
}

const lockable = onLastSeenWorkspace('can-lock')

function lock(call: LockCall, requested: RequestedLock): Promise<Workspace> {
  const { deps, subject } = call
  const wanted = newLock(subject.actor, requested, deps.clock.now())
  return lockWorkspace(deps, authorOf(call), toSeenWorkspace(call, 'can-lock'), wanted)
}

/** A caller may lose the right, or be locked out altogether, while it waits; so each try checks it. */
function waiterOf(call: LockCall, requested: RequestedLock): Waiter<Workspace> {
  const checked = async (): Promise<LockCall> => {
    const now = { ...call, caller: await currentCaller(call) }
    return { ...now, subject: await lockable.check(now) }
  }
  return { check: checked, lock: async () => await lock(await checked(), requested) }
}

/** Locking, unlocking, extending, and who holds the lock. */
export const lockEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...common,
    id: 'workspaces.lock',
    route: at('lock'),
    summary: 'Lock a workspace.',
    description:
      'With `?wait=30s`, the call waits for the lock to become free. With `expires-after`, the lock is released ' +
      'automatically after that time, unless its holder extends it.',
    access: lockable,
    waits: true,
    query: lockQuery,
    body: lockBody,
    fails: ['malformed', 'missing', 'conflict', 'invalid'],
    example: { request: { reason: 'Migrating the network' } },
    handle: async (call) => {
      const { deps, body, query, signal, subject } = call
      const { attributes: sent } = body
      const milliseconds = waitOf(query.wait)
      if (milliseconds === 0) return answer(call, await lock(call, sent))
      const patience = { milliseconds, signal }
      return answer(call, await lockWhenFree(deps, subject.resource.id, waiterOf(call, sent), patience))
    },
  }),
  endpoint({
    ...common,
    id: 'workspaces.unlock',
    route: at('unlock'),
    summary: 'Unlock a workspace you locked.',
    access: onLastSeenWorkspace('can-unlock'),
    fails: ['missing', 'conflict', 'unavailable'],
    handle: async (call) => {
      const { deps, subject } = call
      return answer(
        call,
        await unlockWorkspace(deps, authorOf(call), toSeenWorkspace(call, 'can-unlock'), holderOf(subject.actor)),
      )
    },
  }),
  endpoint({
    ...common,
    id: 'workspaces.force-unlock',
    route: at('force-unlock'),
    summary: 'Unlock a workspace, no matter who locked it.',
    description: 'With `locked-at`, a lock that somebody took since then stays, and the answer is 409.',
    access: onLastSeenWorkspace('can-force-unlock'),
    body: forceBody,
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { deps, body } = call
      const { reason, lockedAt } = body.attributes
      const force = { lockedAt: lockedAt ?? undefined, reason: reason ?? '' }
      const seen = toSeenWorkspace(call, 'can-force-unlock')
      return answer(call, await forceUnlockWorkspace(deps, authorOf(call), seen, force))
    },
  }),
  endpoint({
    ...common,
    id: 'workspaces.extend-lock',
    route: at('extend-lock'),
    summary: 'Let your lock of a workspace end later.',
    description:
      'For a lock with `expires-after`, while it is in force; the time counts from now, and never shortens the lock. ' +
      'Holders repeat this while they work. 409 means that the lock is lost, and says who holds the workspace now.',
    access: onWorkspace('can-lock'),
    body: extensionBody,
    fails: ['missing', 'conflict', 'invalid'],
    example: { request: { 'expires-after': '10m', 'locked-at': '2026-01-21T10:00:00.000Z' } },
    handle: async (call) => {
      const { deps, subject, body } = call
      const { expiresAfter, lockedAt } = body.attributes
      const requested = { by: holderOf(subject.actor), expiresAfter, lockedAt: lockedAt ?? undefined }
      return answer(call, await extendLock(deps, toSeenWorkspace(call, 'can-lock'), requested))
    },
  }),
  endpoint({
    id: 'workspaces.show-lock',
    route: 'GET /workspaces/:workspaceId/lock',
    summary: 'Read who holds the lock of a workspace.',
    description: 'While the workspace is unlocked, `data` is null.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: showQuery({ include: ['locked_by'] }),
    returns: { 200: lockDocument },
    fails: ['malformed', 'missing'],
    handle: async (call) => {
      const { resource: workspace, grants } = call.subject
      const lock = lockInForce(workspace.lock, call.deps.clock.now())
      if (!lock) return document({ data: null })
      const holders = await includeHolders(call, grants, [lock.holder])
      const isSecret = lock.holder.kind === 'team' && holders.length === 0
      const included = call.query.include.size > 0 ? holders : []
      const holderName = isSecret ? null : lock.holder.name
      const waiting = countWaiting(call.deps, workspace.id)
      return answerOne(call, toLockResource(workspace, lock, { holderName, waiting }), { included })
    },
  }),
])
