/** A person's place in an organization; without a user while the invitation waits for one with this e-mail. */
export type OrganizationMembershipRow = {
  id: string
  organization_id: string
  user_id: string | null
  email: string
  email_key: string
  status: string
  created_at: number
  /** The link that the invitation is accepted with; null once it is, or if there never was one. */
  link_hash: string | null
  link_expires_at: number | null
}

/** A team. `organization_access` is a JSON list of what is granted. */
export type TeamRow = {
  id: string
  organization_id: string
  name: string
  owners: number
  visibility: string
  organization_access: string
  allow_member_token_management: number
  allow_certificate_login: number
  sso_team_id: string | null
  created_at: number
}

/** A member of a team. */
export type TeamMemberRow = { team_id: string; membership_id: string }

/** What a team may do with one workspace; the details count for `custom`. */
export type TeamWorkspaceAccessRow = {
  id: string
  team_id: string
  workspace_id: string
  access: string
  runs: string
  variables: string
  state_versions: string
  sentinel_mocks: string
  workspace_locking: number
  run_tasks: number
}

/** What a team may do with a project and the workspaces in it; the details count for `custom`. */
export type TeamProjectAccessRow = {
  id: string
  team_id: string
  project_id: string
  access: string
  project_settings: string
  project_teams: string
  project_variable_sets: string
  runs: string
  variables: string
  state_versions: string
  sentinel_mocks: string
  workspace_locking: number
  run_tasks: number
  workspace_create: number
  workspace_delete: number
  workspace_move: number
}

/** The tables of memberships, teams and their access. */
export type TeamTables = {
  organization_memberships: OrganizationMembershipRow
  teams: TeamRow
  team_members: TeamMemberRow
  team_workspace_access: TeamWorkspaceAccessRow
  team_project_access: TeamProjectAccessRow
}
