/** A token of `/api/v2`. Exactly one owner column is set, the one that `owner_kind` names. */
export type ApiTokenRow = {
  id: string
  hash: string
  hint: string
  owner_kind: string
  user_id: string | null
  team_id: string | null
  organization_id: string | null
  agent_pool_id: string | null
  /** A place that holds one token: the owner's id for its single one, with a description for further ones of a team. */
  slot: string | null
  description: string
  created_by_kind: string
  created_by_id: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** The table of API tokens. */
export type ApiTokenTables = { api_tokens: ApiTokenRow }
