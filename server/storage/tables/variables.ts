/** A variable of a workspace. Every value is sealed, so that one which becomes sensitive was never written in clear. */
export type VariableRow = {
  id: string
  workspace_id: string
  key: string
  value: Uint8Array
  /** `input` for inputs of the configuration, `env` for the environment of runs. */
  category: string
  hcl: number
  /** 1 when the value does not come back; it never becomes 0 again. */
  sensitive: number
  description: string | null
  /** Moves with every change. */
  version_id: string
  created_at: number
}

/** The tables of variables. */
export type VariableTables = { variables: VariableRow }
