/** A workspace: its settings, its lock, and facts about its state that lists and documents show. */
export interface WorkspaceRow {
  id: string
  organization_id: string
  project_id: string
  name: string
  /** The name in lower case, which searches look at. */
  name_key: string
  description: string | null
  /** The mode of its own; in force while `overwrites_execution_mode` is 1. */
  execution_mode: string
  agent_pool_id: string | null
  overwrites_execution_mode: number
  overwrites_agent_pool: number
  allow_destroy_plan: number
  assessments_enabled: number
  auto_apply: number
  auto_apply_run_trigger: number
  auto_destroy_at: number | null
  auto_destroy_status: string | null
  auto_destroy_activity_duration: string | null
  /** Null until somebody said something; 0 with settings of its own, 1 when set to inherit. */
  inherits_project_auto_destroy: number | null
  file_triggers_enabled: number
  /** JSON lists of texts. */
  trigger_prefixes: string
  trigger_patterns: string
  global_remote_state: number
  project_remote_state: number
  queue_all_runs: number
  speculative_enabled: number
  structured_run_output_enabled: number
  /** As it was written: exact, a constraint, or `latest`; maybe with the tool before it. */
  tool_version: string
  working_directory: string | null
  source: string
  source_name: string | null
  source_url: string | null
  vcs_identifier: string | null
  vcs_oauth_token_id: string | null
  vcs_installation_id: string | null
  vcs_branch: string
  vcs_ingress_submodules: number
  vcs_tags_regex: string | null
  vcs_webhook_id: string | null
  ssh_key_id: string | null
  /** JSON list of flat tag names in order of attachment; a copy of what `workspace_tags` says. */
  tag_names: string
  current_state_version_id: string | null
  resource_count: number
  /** 0 where the state cannot be read, so that nobody may call the workspace empty. */
  resource_count_known: number
  /** Moves with every lock and unlock; writes that need the lock name the generation they were allowed under. */
  lock_generation: number
  /** Null while unlocked; `user`, `team`, `organization` or `run`. */
  locked_by_kind: string | null
  locked_by_id: string | null
  locked_by_name: string | null
  locked_reason: string
  locked_at: number | null
  lock_expires_at: number | null
  created_at: number
  updated_at: number
  latest_change_at: number
  /** Moves with every write, so that a writer can tell whether somebody was faster. */
  revision: number
}

/** How many workspaces a project has: totals of lists are read from here, never counted. */
interface WorkspaceCountRow {
  organization_id: string
  project_id: string
  workspaces: number
}

/** A name that a workspace had before. */
interface FormerWorkspaceNameRow {
  organization_id: string
  name: string
  workspace_id: string
  renamed_at: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    workspaces: WorkspaceRow
    workspace_counts: WorkspaceCountRow
    former_workspace_names: FormerWorkspaceNameRow
  }
}
