/** An auth method at a path. */
export type MountRow = {
  id: string
  /** With a trailing slash: `auth/cert/`. */
  path: string
  type: string
  accessor: string
  /** What the tokens of its logins carry; empty for the id. */
  login_id: string
  description: string
  config: string
  options: string | null
  local: number
  seal_wrap: number
  tainted: number
  created_at: number
}

/** The tables of mounts. */
export type MountTables = { mounts: MountRow }
