/** A policy as it was written. */
export type PolicyRow = { name: string; text: string; updated_at: number }

/** The tables of policies. */
export type PolicyTables = { policies: PolicyRow }
