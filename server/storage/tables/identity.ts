/** Somebody or something that logs in, whatever the method. */
export type EntityRow = {
  id: string
  name: string
  /** The name in lower case: names are unique without case. */
  name_key: string
  metadata: string
  policies: string
  disabled: number
  merged_ids: string
  created_at: number
  updated_at: number
}

/** The name an entity has at one mount. */
export type EntityAliasRow = {
  id: string
  entity_id: string
  mount_accessor: string
  name: string
  name_key: string
  metadata: string
  custom_metadata: string
  merged_from_ids: string
  created_at: number
  updated_at: number
}

/** Where an entity went that was merged into another. */
export type EntityMergeRow = { merged_id: string; entity_id: string }

/** The tables of identity. */
export type IdentityTables = {
  entities: EntityRow
  entity_aliases: EntityAliasRow
  entity_merges: EntityMergeRow
}
