import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ExecutionMode, type OrganizationDefaults, passedDefaults } from '../../people/organizations/index.ts'

/** The identifier of a workspace. */
export type WorkspaceId = Id<'ws'>

/** Who holds a workspace. */
export type LockHolder = {
  readonly kind: 'user' | 'team' | 'organization' | 'run'
  readonly id: string
  readonly name: string
}

/** A lock: who, why, since when, and until when if it ends by itself. */
export type WorkspaceLock = {
  readonly holder: LockHolder
  readonly reason: string
  readonly since: Instant
  readonly expiresAt: Instant | null
}

/** A link to a repository. The connection is an OAuth token or an app installation. */
export type VcsRepo = {
  readonly identifier: string
  readonly oauthTokenId: string | null
  readonly installationId: string | null
  /** Empty for the default branch. */
  readonly branch: string
  readonly ingressSubmodules: boolean
  readonly tagsRegex: string | null
  /** Secret part of the address that the provider calls. */
  readonly webhookId: string
}

/** The settings that PATCH can change, as they are stored: without inherited values. */
export type WorkspaceSettings = {
  readonly name: string
  readonly description: string | null
  readonly executionMode: ExecutionMode
  readonly agentPoolId: string | null
  readonly overwritesExecutionMode: boolean
  readonly overwritesAgentPool: boolean
  readonly allowDestroyPlan: boolean
  readonly assessmentsEnabled: boolean
  readonly autoApply: boolean
  readonly autoApplyRunTrigger: boolean
  readonly autoDestroyAt: Instant | null
  readonly autoDestroyStatus: string | null
  readonly autoDestroyActivityDuration: string | null
  /** Null until it is set. */
  readonly inheritsProjectAutoDestroy: boolean | null
  readonly fileTriggersEnabled: boolean
  readonly triggerPrefixes: readonly string[]
  readonly triggerPatterns: readonly string[]
  readonly globalRemoteState: boolean
  readonly projectRemoteState: boolean
  readonly queueAllRuns: boolean
  readonly speculativeEnabled: boolean
  readonly structuredRunOutputEnabled: boolean
  readonly toolVersion: string
  readonly workingDirectory: string | null
  readonly vcsRepo: VcsRepo | null
  readonly projectId: string
}

const settingNames = [
  'name',
  'description',
  'executionMode',
  'agentPoolId',
  'overwritesExecutionMode',
  'overwritesAgentPool',
  'allowDestroyPlan',
  'assessmentsEnabled',
  'autoApply',
  'autoApplyRunTrigger',
  'autoDestroyAt',
  'autoDestroyStatus',
  'autoDestroyActivityDuration',
  'inheritsProjectAutoDestroy',
  'fileTriggersEnabled',
  'triggerPrefixes',
  'triggerPatterns',
  'globalRemoteState',
  'projectRemoteState',
  'queueAllRuns',
  'speculativeEnabled',
  'structuredRunOutputEnabled',
  'toolVersion',
  'workingDirectory',
  'vcsRepo',
  'projectId',
] as const satisfies readonly (keyof WorkspaceSettings)[]

/** The settings of a workspace, without its other members. */
export const settingsOf = (settings: WorkspaceSettings): WorkspaceSettings =>
  Object.fromEntries(settingNames.map((name) => [name, settings[name]])) as unknown as WorkspaceSettings

/** A workspace as it is stored. */
export type Workspace = WorkspaceSettings & {
  readonly id: WorkspaceId
  readonly organizationId: string
  readonly source: string
  readonly sourceName: string | null
  readonly sourceUrl: string | null
  readonly sshKeyId: string | null
  readonly tagNames: readonly string[]
  readonly currentStateVersionId: string | null
  readonly resourceCount: number
  readonly resourceCountKnown: boolean
  readonly lock: WorkspaceLock | null
  readonly lockGeneration: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly latestChangeAt: Instant
  readonly revision: number
}

/** What the project of a workspace decides for it. */
export type ProjectDefaults = {
  readonly id: string
  readonly name: string
  readonly organizationId: string
  readonly autoDestroyActivityDuration: string | null
  readonly defaultExecutionMode: ExecutionMode
  readonly defaultAgentPoolId: string | null
  readonly overwritesExecutionMode: boolean
  readonly overwritesAgentPool: boolean
}

/** Mode and pool. */
export type Execution = { readonly executionMode: ExecutionMode; readonly agentPoolId: string | null }

/** What a workspace without settings of its own follows: its project if that overwrites them, else the organization. */
export function inheritedExecution(organization: OrganizationDefaults, project: ProjectDefaults): Execution {
  const { defaultExecutionMode, defaultAgentPoolId } = passedDefaults(project, organization)
  return { executionMode: defaultExecutionMode, agentPoolId: defaultAgentPoolId }
}

/** Mode and pool as a workspace stores them. */
export type OwnExecution = Pick<
  WorkspaceSettings,
  'executionMode' | 'agentPoolId' | 'overwritesExecutionMode' | 'overwritesAgentPool'
>

/**
 * The mode and pool in force; a pool counts in agent mode only. A workspace that follows the mode and has no pool
 * follows the pool as well.
 */
export function effectiveExecution(own: OwnExecution, inherited: Execution): Execution {
  const executionMode = own.overwritesExecutionMode ? own.executionMode : inherited.executionMode
  const hasPool = own.overwritesAgentPool && (own.overwritesExecutionMode || own.agentPoolId !== null)
  const pool = hasPool ? own.agentPoolId : inherited.agentPoolId
  return { executionMode, agentPoolId: executionMode === 'agent' ? pool : null }
}

/** The auto-destroy settings in force: its own, or those of its project. Nothing is inherited while that has none. */
export function effectiveAutoDestroy(
  own: Pick<WorkspaceSettings, 'autoDestroyActivityDuration' | 'inheritsProjectAutoDestroy'>,
  project: Pick<ProjectDefaults, 'autoDestroyActivityDuration'>,
): { readonly duration: string | null; readonly inherits: boolean | null } {
  if (own.inheritsProjectAutoDestroy === false) return { duration: own.autoDestroyActivityDuration, inherits: false }
  const duration = project.autoDestroyActivityDuration
  return { duration, inherits: duration === null ? null : true }
}
