import type { ColumnsOf } from '../../../kit/field-set.ts'
import type { facts, inheritable, internals, origin, settings, settled } from './workspace-fields.ts'

/** A workspace: its settings, its lock, and facts about its state that lists and documents show. */
export interface WorkspaceRow
  extends ColumnsOf<typeof settings.fields>,
    ColumnsOf<typeof inheritable.fields>,
    ColumnsOf<typeof settled.fields>,
    ColumnsOf<typeof origin.fields>,
    ColumnsOf<typeof facts.fields>,
    ColumnsOf<typeof internals.fields> {
  id: string
  /** The name in lower case, which searches look at. */
  name_key: string
  vcs_identifier: string | null
  vcs_oauth_token_id: string | null
  vcs_installation_id: string | null
  vcs_branch: string
  vcs_ingress_submodules: number
  vcs_tags_regex: string | null
  vcs_webhook_id: string | null
  /** Null while unlocked; `user`, `team`, `organization` or `run`. */
  locked_by_kind: string | null
  locked_by_id: string | null
  locked_by_name: string | null
  locked_reason: string
  locked_at: number | null
  lock_expires_at: number | null
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
