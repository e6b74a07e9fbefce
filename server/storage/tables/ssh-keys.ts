/** A private key that workspaces can use to fetch modules; the value is sealed. */
export type SshKeyRow = { id: string; organization_id: string; name: string; value: Uint8Array; created_at: number }

/** The tables of SSH keys. */
export type SshKeyTables = { ssh_keys: SshKeyRow }
