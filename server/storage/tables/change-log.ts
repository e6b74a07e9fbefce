/** One change; `before` and `after` are JSON objects of what changed. Empty ids mean that none is concerned. */
export type ChangeRow = {
  id: string
  /** Grows with time; the order in which changes are listed. */
  position: number
  organization_id: string
  workspace_id: string
  subject_type: string
  subject_id: string
  subject_name: string
  action: string
  actor_kind: string
  actor_id: string
  actor_name: string
  token_id: string
  request_id: string
  created_at: number
  before: string | null
  after: string | null
}

/** The table of changes. */
export type ChangeLogTables = { change_log: ChangeRow }
