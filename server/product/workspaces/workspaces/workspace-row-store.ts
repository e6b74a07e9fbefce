import type { Instant } from '../../../kernel/clock.ts'
import { type ColumnsOf, rowReader, rowWriter, toSnake } from '../../../kit/field-set.ts'
import { bit } from '../../../storage/bits.ts'
import type { LockHolder, VcsRepo, Workspace, WorkspaceId, WorkspaceLock } from './workspace.ts'
import { facts, inheritable, internals, origin, settings, settled } from './workspace-fields.ts'

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

const sets = [settings, inheritable, settled, origin, facts, internals] as const

/** A row as the workspace it stores. */
export const toWorkspace: (row: WorkspaceRow) => Workspace = rowReader(sets, {
  id: (row) => row.id as WorkspaceId,
  vcsRepo: toVcsRepo,
  lock: toLock,
})

/** The columns of a lock; all empty when there is none. */
const lockColumns = (lock: WorkspaceLock | null) => ({
  locked_by_kind: lock?.holder.kind ?? null,
  locked_by_id: lock?.holder.id ?? null,
  locked_by_name: lock?.holder.name ?? null,
  locked_reason: lock?.reason ?? '',
  locked_at: lock?.since ?? null,
  lock_expires_at: lock?.expiresAt ?? null,
})

/** What a change of the lock writes: far less than a row, and the most frequent write. */
export const toLockRow = ({ id, lock, lockGeneration, revision }: Workspace) => ({
  id,
  ...lockColumns(lock),
  lock_generation: lockGeneration,
  revision,
})

type LockColumns = keyof ReturnType<typeof lockColumns>

const toUnlockedRow: (workspace: Workspace) => Omit<WorkspaceRow, LockColumns> = rowWriter(sets, {
  id: ({ id }) => id,
  name_key: ({ name }) => name.toLowerCase(),
  vcs_identifier: ({ vcsRepo }) => vcsRepo?.identifier ?? null,
  vcs_oauth_token_id: ({ vcsRepo }) => vcsRepo?.oauthTokenId ?? null,
  vcs_installation_id: ({ vcsRepo }) => vcsRepo?.installationId ?? null,
  vcs_branch: ({ vcsRepo }) => vcsRepo?.branch ?? '',
  vcs_ingress_submodules: ({ vcsRepo }) => bit(vcsRepo?.ingressSubmodules ?? false),
  vcs_tags_regex: ({ vcsRepo }) => vcsRepo?.tagsRegex ?? null,
  vcs_webhook_id: ({ vcsRepo }) => vcsRepo?.webhookId ?? null,
})

/** A workspace as the row that stores it. */
export const toRow = (workspace: Workspace): WorkspaceRow => ({
  ...toUnlockedRow(workspace),
  ...lockColumns(workspace.lock),
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
  lock: Object.keys(lockColumns(null)) as (keyof WorkspaceRow)[],
}

/** The columns in which a member of a workspace is stored. */
export const columnsOf = (member: string): readonly string[] => severalColumns[member] ?? [toSnake(member)]
