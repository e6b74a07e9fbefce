import type { Instant } from '../../../kernel/clock.ts'
import { bit, maybeBit } from '../../../storage/bits.ts'
import type { ExecutionMode } from '../../people/organizations/index.ts'
import type { WorkspaceRow } from './workspace-row.ts'
import type {
  LockHolder,
  VcsRepo,
  Workspace,
  WorkspaceId,
  WorkspaceLock,
  WorkspaceSettings,
} from './workspace-rules.ts'

/** Most lists are empty, and parsing takes time. */
const readList = (text: string): readonly string[] => (text === '[]' ? [] : (JSON.parse(text) as string[]))

/** A row as the workspace it stores. */
export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id as WorkspaceId,
  organizationId: row.organization_id,
  projectId: row.project_id,
  name: row.name,
  description: row.description,
  executionMode: row.execution_mode as ExecutionMode,
  agentPoolId: row.agent_pool_id,
  overwritesExecutionMode: row.overwrites_execution_mode === 1,
  overwritesAgentPool: row.overwrites_agent_pool === 1,
  allowDestroyPlan: row.allow_destroy_plan === 1,
  assessmentsEnabled: row.assessments_enabled === 1,
  autoApply: row.auto_apply === 1,
  autoApplyRunTrigger: row.auto_apply_run_trigger === 1,
  autoDestroyAt: row.auto_destroy_at as Instant | null,
  autoDestroyStatus: row.auto_destroy_status,
  autoDestroyActivityDuration: row.auto_destroy_activity_duration,
  inheritsProjectAutoDestroy:
    row.inherits_project_auto_destroy === null ? null : row.inherits_project_auto_destroy === 1,
  fileTriggersEnabled: row.file_triggers_enabled === 1,
  triggerPrefixes: readList(row.trigger_prefixes),
  triggerPatterns: readList(row.trigger_patterns),
  globalRemoteState: row.global_remote_state === 1,
  projectRemoteState: row.project_remote_state === 1,
  queueAllRuns: row.queue_all_runs === 1,
  speculativeEnabled: row.speculative_enabled === 1,
  structuredRunOutputEnabled: row.structured_run_output_enabled === 1,
  toolVersion: row.tool_version,
  workingDirectory: row.working_directory,
  source: row.source,
  sourceName: row.source_name,
  sourceUrl: row.source_url,
  vcsRepo: toVcsRepo(row),
  sshKeyId: row.ssh_key_id,
  tagNames: readList(row.tag_names),
  currentStateVersionId: row.current_state_version_id,
  resourceCount: row.resource_count,
  resourceCountKnown: row.resource_count_known === 1,
  lock: toLock(row),
  lockGeneration: row.lock_generation,
  createdAt: row.created_at as Instant,
  updatedAt: row.updated_at as Instant,
  latestChangeAt: row.latest_change_at as Instant,
  revision: row.revision,
})

function toVcsRepo(row: WorkspaceRow): VcsRepo | null {
  if (row.vcs_identifier === null) return null
  return {
    identifier: row.vcs_identifier,
    oauthTokenId: row.vcs_oauth_token_id,
    installationId: row.vcs_installation_id,
    branch: row.vcs_branch,
    ingressSubmodules: row.vcs_ingress_submodules === 1,
    tagsRegex: row.vcs_tags_regex,
    webhookId: row.vcs_webhook_id ?? '',
  }
}

function toLock(row: WorkspaceRow): WorkspaceLock | null {
  if (row.locked_by_kind === null) return null
  return {
    holder: {
      kind: row.locked_by_kind as LockHolder['kind'],
      id: row.locked_by_id ?? '',
      name: row.locked_by_name ?? '',
    },
    reason: row.locked_reason,
    since: (row.locked_at ?? 0) as Instant,
    expiresAt: row.lock_expires_at as Instant | null,
  }
}

/** The columns of a lock; all empty when there is none. */
const lockColumns = (lock: WorkspaceLock | null) => ({
  locked_by_kind: lock?.holder.kind ?? null,
  locked_by_id: lock?.holder.id ?? null,
  locked_by_name: lock?.holder.name ?? null,
  locked_reason: lock?.reason ?? '',
  locked_at: lock?.since ?? null,
  lock_expires_at: lock?.expiresAt ?? null,
})

/** The columns that PATCH can change. */
const settingsColumns = (settings: WorkspaceSettings) => ({
  project_id: settings.projectId,
  name: settings.name,
  name_key: settings.name.toLowerCase(),
  description: settings.description,
  execution_mode: settings.executionMode,
  agent_pool_id: settings.agentPoolId,
  overwrites_execution_mode: bit(settings.overwritesExecutionMode),
  overwrites_agent_pool: bit(settings.overwritesAgentPool),
  allow_destroy_plan: bit(settings.allowDestroyPlan),
  assessments_enabled: bit(settings.assessmentsEnabled),
  auto_apply: bit(settings.autoApply),
  auto_apply_run_trigger: bit(settings.autoApplyRunTrigger),
  auto_destroy_at: settings.autoDestroyAt,
  auto_destroy_status: settings.autoDestroyStatus,
  auto_destroy_activity_duration: settings.autoDestroyActivityDuration,
  inherits_project_auto_destroy: maybeBit(settings.inheritsProjectAutoDestroy),
  file_triggers_enabled: bit(settings.fileTriggersEnabled),
  trigger_prefixes: JSON.stringify(settings.triggerPrefixes),
  trigger_patterns: JSON.stringify(settings.triggerPatterns),
  global_remote_state: bit(settings.globalRemoteState),
  project_remote_state: bit(settings.projectRemoteState),
  queue_all_runs: bit(settings.queueAllRuns),
  speculative_enabled: bit(settings.speculativeEnabled),
  structured_run_output_enabled: bit(settings.structuredRunOutputEnabled),
  tool_version: settings.toolVersion,
  working_directory: settings.workingDirectory,
  vcs_identifier: settings.vcsRepo?.identifier ?? null,
  vcs_oauth_token_id: settings.vcsRepo?.oauthTokenId ?? null,
  vcs_installation_id: settings.vcsRepo?.installationId ?? null,
  vcs_branch: settings.vcsRepo?.branch ?? '',
  vcs_ingress_submodules: bit(settings.vcsRepo?.ingressSubmodules ?? false),
  vcs_tags_regex: settings.vcsRepo?.tagsRegex ?? null,
  vcs_webhook_id: settings.vcsRepo?.webhookId ?? null,
})

/** A workspace as the row that stores it. */
export const toRow = (workspace: Workspace): WorkspaceRow => ({
  id: workspace.id,
  organization_id: workspace.organizationId,
  ...settingsColumns(workspace),
  source: workspace.source,
  source_name: workspace.sourceName,
  source_url: workspace.sourceUrl,
  ssh_key_id: workspace.sshKeyId,
  tag_names: JSON.stringify(workspace.tagNames),
  current_state_version_id: workspace.currentStateVersionId,
  resource_count: workspace.resourceCount,
  resource_count_known: bit(workspace.resourceCountKnown),
  lock_generation: workspace.lockGeneration,
  ...lockColumns(workspace.lock),
  created_at: workspace.createdAt,
  updated_at: workspace.updatedAt,
  latest_change_at: workspace.latestChangeAt,
  revision: workspace.revision,
})

/** Members that are stored in more than the column of their name. */
const severalColumns: Readonly<Record<string, readonly (keyof WorkspaceRow)[]>> = {
  name: ['name', 'name_key'],
  vcsRepo: [
    'vcs_identifier',
    'vcs_oauth_token_id',
    'vcs_installation_id',
    'vcs_branch',
    'vcs_ingress_submodules',
    'vcs_tags_regex',
    'vcs_webhook_id',
  ],
  lock: ['locked_by_kind', 'locked_by_id', 'locked_by_name', 'locked_reason', 'locked_at', 'lock_expires_at'],
}

/** The columns in which a member of a workspace is stored. */
export const columnsOf = (member: string): readonly string[] =>
  severalColumns[member] ?? [member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
