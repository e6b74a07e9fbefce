/** A service token. Its text is nowhere: `id` is a keyed hash of it. */
export type TokenRow = {
  id: string
  accessor: string
  /** Empty for orphans. */
  parent_id: string
  policies: string
  path: string
  display_name: string
  metadata: string
  entity_id: string
  /** The token role it was made with; empty for none. */
  role: string
  /** The auth mount whose login made it; empty for none. */
  mount_id: string
  created_at: number
  /** Null never expires. */
  expires_at: number | null
  creation_ttl: number
  explicit_max_ttl: number
  period: number
  renewable: number
  last_renewed_at: number | null
  /** How often it may be used in all; 0 without limit. */
  num_uses: number
  uses_left: number
  bound_cidrs: string
  orphan: number
  wrapping: number
  certificate_fingerprint: string
  platform_team: string
  /** The team that had this name when the role was written; empty for none. */
  platform_team_id: string
  /** What its auth method needs to judge a renewal. */
  auth_data: string
  /** Set while it is being revoked: it is dead, what hangs on it is being removed. */
  revoked: number
}

/** Terms under which tokens are made by role. */
export type TokenRoleRow = { name: string; terms: string; updated_at: number }

/** A value only one token can read. */
export type CubbyholeRow = { token_id: string; path: string; sealed: Uint8Array }

/** The tables of tokens. */
export type TokenTables = { tokens: TokenRow; token_roles: TokenRoleRow; cubbyholes: CubbyholeRow }
