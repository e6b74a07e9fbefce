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
