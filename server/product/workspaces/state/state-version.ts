import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { holderText, isSameHolder } from '../workspaces/locking/lock.ts'
import type { LockHolder, WorkspaceLock } from '../workspaces/workspace.ts'

/** The identifier of a state version. */
export type StateVersionId = Id<'sv'>

/** The status of a state version. */
export type StateStatus =
  | 'pending'
  | 'finalized'
  | 'discarded'
  | 'backing_data_soft_deleted'
  | 'backing_data_permanently_deleted'

/** All statuses. */
export const stateStatuses: readonly StateStatus[] = [
  'pending',
  'finalized',
  'discarded',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
]

/** Versions whose content has arrived at some time: the history of a workspace. */
export const arrivedStatuses: readonly StateStatus[] = stateStatuses.filter(
  (status) => status !== 'pending' && status !== 'discarded',
)

/** One version of the state of a workspace. */
export type StateVersion = {
  readonly id: StateVersionId
  readonly workspaceId: string
  readonly organizationId: string
  readonly ordinal: number
  readonly serial: number
  readonly md5: string
  readonly lineage: string | null
  readonly status: StateStatus
  readonly intermediate: boolean
  readonly lockGeneration: number
  readonly createdBy: LockHolder
  readonly runId: string | null
  /** The version whose content a rollback copied into this one. */
  readonly rolledBackTo: string | null
  readonly createdAt: Instant
  readonly size: number
  readonly blobId: string | null
  readonly jsonSize: number
  readonly jsonBlobId: string | null
  readonly format: number | null
  readonly toolVersion: string | null
  readonly encrypted: boolean
  readonly resourceCount: number
  readonly resourceCountKnown: boolean
  readonly summary: Uint8Array | null
  readonly announcedOutputs: Uint8Array | null
  readonly softDeletedAt: Instant | null
}

/** The subject of a change of a state version in the change log. */
export const stateVersionSubject = ({ organizationId, workspaceId, id, serial }: StateVersion) => ({
  organizationId,
  workspaceId,
  subject: { type: 'state-versions', id, name: `serial ${serial}` },
})

/** What a writer says about the state it sends. */
export type Announcement = {
  readonly serial: number
  readonly md5: string
  readonly lineage: string | null
  /** Skips the comparison with the newest state. */
  readonly force: boolean
  /** The identifier of the version that must still be the newest; any may be if it is undefined. */
  readonly after?: string | undefined
}

/** Why a state is refused: the kind of refusal, and its text. */
export type StateRefusal = {
  readonly kind: 'conflict' | 'precondition'
  readonly why: string
  readonly text: string
}

/** State is written only by the holder of the workspace. `lock` is the one in force. */
export function holderRefusal(lock: WorkspaceLock | null, by: LockHolder): StateRefusal | undefined {
  if (!lock) {
    const text = 'The workspace is not locked. Lock it, then send the state: it is accepted only from the holder.'
    return { kind: 'conflict', why: 'state.unlocked', text }
  }
  if (isSameHolder(lock.holder, by)) return undefined
  const text = `The workspace is locked by ${holderText(lock.holder)}, and state is accepted from the holder only.`
  return { kind: 'conflict', why: 'state.held-by-other', text }
}

/** Compares a new state with the newest one, including intermediate ones. */
export function historyRefusal(
  newest: (Pick<StateVersion, 'id' | 'serial' | 'md5' | 'lineage'> & Partial<Pick<StateVersion, 'runId'>>) | undefined,
  wanted: Announcement,
  by?: LockHolder,
): StateRefusal | undefined {
  if (wanted.after !== undefined && wanted.after !== newest?.id) {
    const text = 'Another state was written in the meantime. Check the newest version, then try again.'
    return { kind: 'conflict', why: 'state.another', text }
  }
  if (!newest || wanted.force) return undefined
  const { lineage, serial, md5 } = newest
  if (wanted.lineage && lineage && wanted.lineage !== lineage) {
    const text = `Lineage mismatch: the state has lineage ${wanted.lineage}, the workspace has ${lineage}.`
    return { kind: 'conflict', why: 'state.lineage', text }
  }
  if (wanted.serial < serial) {
    const text = `Serial ${wanted.serial} is not greater than ${serial}, which the workspace has already.`
    return { kind: 'precondition', why: 'state.serial', text }
  }
  // A tool that goes back to a state which it has read does not count up. Only the apply that wrote the newest may do so.
  const isOwn = by?.kind === 'run' && newest.runId === by.id
  if (wanted.serial === serial && wanted.md5 !== md5 && !isOwn) {
    const text = `Serial ${serial} exists already with different content: the hash differs for the same serial.`
    return { kind: 'conflict', why: 'state.hash', text }
  }
  return undefined
}

/** What can be done to the content of an old version. */
export type BackingAction = 'soft_delete' | 'restore' | 'permanently_delete'

const transitions: Readonly<Record<BackingAction, { from: readonly StateStatus[]; to: StateStatus }>> = {
  soft_delete: { from: ['finalized'], to: 'backing_data_soft_deleted' },
  restore: { from: ['backing_data_soft_deleted'], to: 'finalized' },
  permanently_delete: {
    from: ['finalized', 'backing_data_soft_deleted'],
    to: 'backing_data_permanently_deleted',
  },
}

/** The status after an action; undefined where the transition is not allowed. */
export const afterBackingAction = (status: StateStatus, action: BackingAction): StateStatus | undefined =>
  transitions[action].from.includes(status) ? transitions[action].to : undefined
