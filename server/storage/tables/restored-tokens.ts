/** A token that the last restore brought back to life; `kind` is its table. */
export type RestoredTokenRow = { kind: string; id: string }

/** The table of tokens that came back. */
export type RestoredTokenTables = { restored_tokens: RestoredTokenRow }
