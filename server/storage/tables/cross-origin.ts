/** Which pages of other origins may use `/v1`. There is at most one row. */
export type CrossOriginRow = {
  id: string
  /** Both are JSON lists of texts. */
  origins: string
  headers: string
}

/** The table of cross-origin access. */
export type CrossOriginTables = { cross_origin: CrossOriginRow }
