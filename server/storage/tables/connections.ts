/** Who may use a pool that is not open to all, and who may not use one that is. */
export type AgentPoolScopeRow = {
  pool_id: string
  /** `allowed-workspace`, `allowed-project` or `excluded-workspace`. */
  kind: string
  target_id: string
}

/** A version control provider as an organization connects to it. */
export type OauthClientRow = {
  id: string
  organization_id: string
  name: string | null
  service_provider: string
  http_url: string
  api_url: string
  organization_scoped: number
  created_at: number
  updated_at: number
}

/** A credential for a version control provider; workspaces name it in their `vcs-repo`. */
export type OauthTokenRow = {
  id: string
  organization_id: string
  oauth_client_id: string
  /** The provider's token, sealed. */
  token: Uint8Array | null
  service_provider_user: string | null
  has_ssh_key: number
  created_at: number
}

/** A private key that goes with a token, for submodules; sealed. */
export type OauthSshKeyRow = { oauth_token_id: string; value: Uint8Array }

/** The tables of what workspaces connect to. */
export type ConnectionTables = {
  agent_pool_scopes: AgentPoolScopeRow
  oauth_clients: OauthClientRow
  oauth_tokens: OauthTokenRow
  oauth_ssh_keys: OauthSshKeyRow
}
