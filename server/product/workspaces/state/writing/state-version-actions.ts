import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Author, type Change, recordChange } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { inTransactionRetriedOnce, type TakenContent } from '../../../../kit/stored-bytes/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import {
  confirmLockForUpdate,
  type LockHolder,
  loadWorkspace,
  lockInForce,
  type Workspace,
} from '../../workspaces/index.ts'
import type { PackedFacts } from '../analysis/state-outline.ts'
import type { ContentInfo } from '../content/intake-actions.ts'
import { factsToStore, sealAnnouncedOutputs } from '../facts-actions.ts'
import { sealOutputs } from '../outputs/output-actions.ts'
import { insertOutputs } from '../outputs/output-store.ts'
import {
  discardPending,
  insertStateVersion,
  insertStateVersionBeforeCommit,
  lastOrdinal,
  loadNewestCompared,
  loadStateVersion,
  storeArrival,
} from '../records/state-version-store.ts'
import {
  type Announcement,
  historyRefusal,
  holderRefusal,
  type StateRefusal,
  type StateVersion,
  type StateVersionId,
  stateVersionSubject,
} from '../state-version.ts'
import { dropRendering, mayKeepReadable, nameOnlyOutput } from './readable-actions.ts'

/** What writing state needs. */
export type StateDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'log'>

/** A file that has arrived, and how it is kept for a version. */
export type ArrivedFile = Pick<TakenContent<ContentInfo>, 'blobId' | 'size' | 'keep'>

/** A state that has arrived, and what was found in it. */
export type ArrivedContent = ArrivedFile & { readonly facts: PackedFacts }

/** A new state, with its content or to be uploaded. */
export type NewState = {
  readonly announcement: Announcement
  readonly by: LockHolder
  readonly content: ArrivedContent | undefined
  readonly rendering: ArrivedFile | undefined
  /** Outputs as the writer renders them, for files that only the writer can read. */
  readonly announcedOutputs: unknown
  /** The version that a rollback copies. */
  readonly copyOf?: StateVersionId
}

const toFailure = ({ kind, why, text }: StateRefusal) => failure(kind, why, text)

/** Throws unless this principal holds the workspace now. */
export function requireLockHolder(deps: Pick<Deps, 'clock'>, workspace: Workspace, by: LockHolder): void {
  const refusal = holderRefusal(lockInForce(workspace.lock, deps.clock.now()), by)
  if (refusal) throw toFailure(refusal)
}

/** Adds a version: pending until its content is uploaded, or final at once. */
export async function createStateVersion(
  deps: StateDeps,
  author: Author,
  seen: Workspace,
  wanted: NewState,
): Promise<StateVersion> {
  requireLockHolder(deps, seen, wanted.by)
  return await inTransactionRetriedOnce(deps.db, async (tx) => {
    const held = (await lockWithHistory(deps, tx, seen)) ?? (await lockAnew(deps, tx, seen, wanted.by))
    const refusal = historyRefusal(held.newest, wanted.announcement, wanted.by)
    if (refusal) throw toFailure(refusal)
    const pending = draftOf(deps, held.workspace, wanted, held.last + 1)
    const { content } = wanted
    await wanted.rendering?.keep(tx)
    if (!content) {
      await insertStateVersionBeforeCommit(tx, pending)
      return pending
    }
    const version = { ...pending, ...finalizedBy(deps, pending, content) }
    await insertStateVersion(tx, version)
    return await afterFinalizing(deps, tx, author, version, content)
  })
}

/** A workspace whose lock can no longer change before this transaction ends, and what was written to it before. */
type WorkspaceForUpdate = {
  readonly workspace: Workspace
  readonly newest: Awaited<ReturnType<typeof loadNewestCompared>>
  readonly last: number
}

/** Undefined when its lock has changed. The queries after the claim see everything that was written before it. */
async function lockWithHistory(deps: StateDeps, tx: Tx, workspace: Workspace): Promise<WorkspaceForUpdate | undefined> {
  const [isClaimed, newest, last] = await Promise.all([
    confirmLockForUpdate(tx, workspace, deps.clock.now()),
    loadNewestCompared(tx, workspace.id),
    lastOrdinal(tx, workspace.id),
  ])
  return isClaimed ? { workspace, newest, last } : undefined
}

/** Reads the workspace again after its lock has changed: a caller who still holds it, or holds it again, may go on. */
async function lockAnew(deps: StateDeps, tx: Tx, { id }: Workspace, by: LockHolder): Promise<WorkspaceForUpdate> {
  const workspace = await loadWorkspace(tx, id)
  if (!workspace) throw hidden()
  requireLockHolder(deps, workspace, by)
  const held = await lockWithHistory(deps, tx, workspace)
  if (held) return held
  deps.log.info({ workspace: id }, 'the lock changed while state was written')
  const text = 'The lock changed hands while the state was written; nothing was stored.'
  throw failure('conflict', 'state.lock-lost', text)
}

function draftOf(deps: StateDeps, workspace: Workspace, wanted: NewState, ordinal: number): StateVersion {
  const { announcement, rendering } = wanted
  const id = deps.ids.newId('sv')
  return {
    id,
    workspaceId: workspace.id,
    organizationId: workspace.organizationId,
    ordinal,
    serial: announcement.serial,
    md5: announcement.md5,
    lineage: announcement.lineage,
    status: 'pending',
    intermediate: true,
    lockGeneration: workspace.lockGeneration,
    createdBy: wanted.by,
    runId: wanted.by.kind === 'run' ? wanted.by.id : null,
    rolledBackTo: wanted.copyOf ?? null,
    createdAt: deps.clock.now(),
    size: 0,
    blobId: null,
    jsonSize: rendering?.size ?? 0,
    jsonBlobId: rendering?.blobId ?? null,
    format: null,
    toolVersion: null,
    encrypted: false,
    resourceCount: 0,
    resourceCountKnown: false,
    summary: null,
    announcedOutputs:
      wanted.announcedOutputs === undefined ? null : sealAnnouncedOutputs(deps, id, wanted.announcedOutputs),
    softDeletedAt: null,
  }
}

/** Makes a pending version final with the content that arrived; throws when it is no longer pending. */
export async function finalizeStateVersion(
  deps: StateDeps,
  author: Author,
  pending: StateVersion,
  content: ArrivedContent,
): Promise<void> {
  await inTransactionRetriedOnce(deps.db, async (tx) => {
    const version = { ...pending, ...finalizedBy(deps, pending, content) }
    const lock = { id: pending.workspaceId, lockGeneration: pending.lockGeneration }
    const [isClaimed, isStored] = await Promise.all([
      confirmLockForUpdate(tx, lock, deps.clock.now()),
      storeArrival(tx, version),
    ])
    if (!isClaimed) throw await lockLost(tx, pending.workspaceId)
    if (!isStored) throw await noLongerPending(tx, pending.id)
    await afterFinalizing(deps, tx, author, version, content)
  })
}

/** Why a version does not accept content any more, although it was pending a moment ago. */
async function noLongerPending(tx: Tx, id: string): Promise<Error> {
  const found = await loadStateVersion(tx, id)
  return found ? alreadyUploaded(found) : hidden()
}

/** An upload counts only under the very lock it was announced under, whoever holds the workspace now. */
async function lockLost(tx: Tx, workspaceId: string): Promise<Error> {
  if (!(await loadWorkspace(tx, workspaceId))) return hidden()
  const text = 'The lock under which this state was announced is gone; lock the workspace and send the state again.'
  return failure('conflict', 'state.lock-lost', text)
}

/** The refusal of content for a version that is not pending. */
export const alreadyUploaded = ({ status }: Pick<StateVersion, 'status'>) =>
  failure(
    'conflict',
    'state.not-pending',
    status === 'discarded'
      ? 'This state version was discarded; create a new one.'
      : 'The content of this state version has been uploaded already.',
  )

function finalizedBy(
  deps: StateDeps,
  version: StateVersion,
  { blobId, size, facts }: ArrivedContent,
): Pick<StateVersion, 'status' | 'blobId' | 'size' | 'announcedOutputs'> & ReturnType<typeof factsToStore> {
  return { status: 'finalized', blobId, size, announcedOutputs: null, ...factsToStore(deps, version.id, facts) }
}

async function afterFinalizing(
  deps: StateDeps,
  tx: Tx,
  author: Author,
  version: StateVersion,
  { facts, keep }: ArrivedContent,
): Promise<StateVersion> {
  await keep(tx)
  const readable = await mayKeepReadable(tx, version)
  if (!readable) await dropRendering(tx, version)
  await insertOutputs(tx, sealOutputs(deps, version.id, readable ? facts.outputs : facts.outputs.map(nameOnlyOutput)))
  await discardPending(tx, version.workspaceId, version.ordinal)
  await recordChange(deps, tx, author, { ...stateVersionSubject(version), ...finalizedChange(version) })
  return readable ? version : { ...version, jsonBlobId: null, jsonSize: 0 }
}

function finalizedChange({ serial, md5, lineage, size, rolledBackTo }: StateVersion): Pick<Change, 'action' | 'after'> {
  const after = { serial, md5, lineage, size }
  if (rolledBackTo === null) return { action: 'create', after }
  return { action: 'rollback', after: { ...after, 'rollback-state-version': rolledBackTo } }
}
