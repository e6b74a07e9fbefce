import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Members } from '../../../kit/change-log/change-rules.ts'
import { picker, type Stored } from '../../../kit/field-set.ts'
import type { ExecutionMode } from '../../people/organizations/execution-modes.ts'
import type { OrganizationDefaults } from '../../people/organizations/organization.ts'
import { passedDefaults } from '../../people/organizations/projects/project.ts'
import { type facts, inheritable, type internals, type origin, settings, settled } from './workspace-fields.ts'

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
export interface WorkspaceSettings
  extends Stored<typeof settings.fields>,
    Stored<typeof inheritable.fields>,
    Stored<typeof settled.fields> {
  readonly vcsRepo: VcsRepo | null
}

/** The settings of a workspace, without its other members. */
export const settingsOf: (workspace: WorkspaceSettings) => WorkspaceSettings = picker(
  [settings, inheritable, settled],
  { vcsRepo: ({ vcsRepo }) => vcsRepo },
)

/** A workspace as it is stored. */
export interface Workspace
  extends WorkspaceSettings,
    Stored<typeof origin.fields>,
    Stored<typeof facts.fields>,
    Stored<typeof internals.fields> {
  readonly id: WorkspaceId
  readonly lock: WorkspaceLock | null
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

type WorkspaceNames = { readonly organizationId: string; readonly id: string; readonly name: string }

/** The subject of a change of a workspace in the change log. */
export const workspaceSubject = ({ organizationId, id, name }: WorkspaceNames) => ({
  organizationId,
  workspaceId: id,
  subject: { type: 'workspaces', id, name },
})

/** A workspace as the change log shows it, by the names of documents; a log entry can be written back by PATCH. */
export const describeWorkspace = (workspace: Workspace): Members => ({
  ...settings.toDocument(workspace),
  ...inheritable.toDocument(workspace),
  'setting-overwrites': describeOverwrites(workspace),
  'agent-pool-id': workspace.agentPoolId,
  'project-id': workspace.projectId,
  'vcs-repo': describeRepo(workspace.vcsRepo),
})

/** Which settings are its own. */
export const describeOverwrites = (workspace: Workspace): Members => ({
  'execution-mode': workspace.overwritesExecutionMode,
  'agent-pool': workspace.overwritesAgentPool,
})

/**
 * The repository of a workspace as the change log shows it. The address that the provider calls is left out: it is a
 * secret.
 */
export const describeRepo = (repo: Workspace['vcsRepo']): Members | null =>
  repo && {
    identifier: repo.identifier,
    'oauth-token-id': repo.oauthTokenId,
    'vcs-app-installation-id': repo.installationId,
    branch: repo.branch,
    'ingress-submodules': repo.ingressSubmodules,
    'tags-regex': repo.tagsRegex,
  }
