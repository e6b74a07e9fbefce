import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { LockHolder } from '../workspaces/workspace.ts'
import type { facts, settings } from './configuration-fields.ts'

/** The identifier of a configuration version. */
export type ConfigurationId = Id<'cv'>

/** What becomes of a configuration version. */
export const configurationStatuses = [
  'pending',
  'uploaded',
  'errored',
  'archived',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
] as const

/** The status of a configuration version. */
export type ConfigurationStatus = (typeof configurationStatuses)[number]

/** The settings that a configuration version is made with. */
export type ConfigurationSettings = Stored<typeof settings.fields>

/** When something happened, by the names that documents have for it. */
export type StatusTimes = Readonly<Record<string, Instant>>

/** A version of the configuration of a workspace: what its runs plan and apply. */
export type ConfigurationVersion = ConfigurationSettings &
  Stored<typeof facts.fields> & {
    readonly id: ConfigurationId
    readonly workspaceId: string
    readonly organizationId: string
    /** Counts the versions of a workspace from 1. */
    readonly ordinal: number
    readonly status: ConfigurationStatus
    /** The stored archive; null until it has arrived and after it was dropped. */
    readonly blobId: string | null
    readonly createdBy: LockHolder
    readonly createdAt: Instant
    readonly times: StatusTimes
  }

/** What a run has to know of its configuration. */
export type UsableConfiguration = Pick<
  ConfigurationVersion,
  'id' | 'workspaceId' | 'organizationId' | 'speculative' | 'provisional' | 'source' | 'status'
>

/** True if a run can begin with it: its content is there. */
export const isUsable = ({ status }: Pick<ConfigurationVersion, 'status'>): boolean => status === 'uploaded'

/** True if it becomes the current one of its workspace as soon as it is made, even before its content has arrived. */
export const isCurrentAtOnce = ({ speculative, provisional }: ConfigurationSettings): boolean =>
  !speculative && !provisional

/** What can be done with the content of a version. */
export type ContentAction = 'archive' | 'soft_delete' | 'restore' | 'permanently_delete'

/** What content can depend on. */
export type ContentUses = { readonly isCurrent: boolean; readonly hasOpenRun: boolean }

const transitions: Readonly<Record<ContentAction, readonly [from: ConfigurationStatus, to: ConfigurationStatus]>> = {
  archive: ['uploaded', 'archived'],
  soft_delete: ['uploaded', 'backing_data_soft_deleted'],
  restore: ['backing_data_soft_deleted', 'uploaded'],
  permanently_delete: ['backing_data_soft_deleted', 'backing_data_permanently_deleted'],
}

/** The status of a version after an action, or why it is refused: content that somebody needs stays. */
export function afterContentAction(
  { status }: Pick<ConfigurationVersion, 'status'>,
  action: ContentAction,
  { isCurrent, hasOpenRun }: ContentUses,
): { readonly next: ConfigurationStatus } | { readonly refusal: string } {
  const [from, next] = transitions[action]
  if (isCurrent) return { refusal: 'it is current' }
  if (status !== from) return { refusal: `it is ${status}` }
  if (hasOpenRun && action !== 'restore') return { refusal: 'a run of it has not ended' }
  return { next }
}

/** Why a version takes no content any more; undefined while it does. */
export function uploadRefusal({ status }: Pick<ConfigurationVersion, 'status'>, hasRun: boolean): string | undefined {
  if (status !== 'pending' && status !== 'uploaded') return `Configuration version takes no upload, it is ${status}.`
  return hasRun ? 'Configuration version is used by a run; create another one and upload to that.' : undefined
}

/** Whom the change log names for a change of the content of a version. */
export const configurationSubject = ({ organizationId, workspaceId, id, ordinal }: ConfigurationVersion) => ({
  organizationId,
  workspaceId,
  subject: { type: 'configuration-versions', id, name: `version ${ordinal}` },
})
