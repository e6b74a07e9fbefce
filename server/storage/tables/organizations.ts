/** An organization with its settings. */
export type OrganizationRow = {
  id: string
  name: string
  name_key: string
  email: string
  default_project_id: string
  collaborator_auth_policy: string
  default_execution_mode: string
  default_agent_pool_id: string | null
  default_tool: string
  tier: string
  allow_force_delete_workspaces: number
  assessments_enforced: number
  default_global_remote_state: number
  inherit_settings_by_default: number
  keep_encrypted_outputs: number
  user_tokens_enabled: number
  cost_estimation_enabled: number
  speculative_plan_management_enabled: number
  aggregated_commit_status_enabled: number
  send_passing_statuses: number
  session_timeout: number | null
  session_remember: number | null
  created_at: number
  updated_at: number
}

/** How long old state and configurations are kept; the target is an organization or one of its workspaces. */
export type DataRetentionPolicyRow = {
  id: string
  organization_id: string
  target_id: string
  kind: string
  days: number | null
  created_at: number
}

/** A project: a group of workspaces with settings of its own. */
export type ProjectRow = {
  id: string
  organization_id: string
  name: string
  description: string
  auto_destroy_activity_duration: string | null
  default_execution_mode: string
  default_agent_pool_id: string | null
  overwrites_execution_mode: number
  overwrites_agent_pool: number
  created_at: number
  updated_at: number
}

/** A pool of executors. */
export type AgentPoolRow = {
  id: string
  organization_id: string
  name: string
  organization_scoped: number
  created_at: number
}

/** The tables of organizations and projects. */
export type OrganizationTables = {
  organizations: OrganizationRow
  data_retention_policies: DataRetentionPolicyRow
  projects: ProjectRow
  agent_pools: AgentPoolRow
}
