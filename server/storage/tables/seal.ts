/** The one row that says how this store is sealed, with its keys wrapped by the root key. */
export type SealRow = {
  id: string
  wrapped: Uint8Array
  /** Grows with every change of the keys, so that two writers cannot overwrite each other. */
  revision: number
  type: 'auto' | 'shamir'
  shares: number
  threshold: number
  /** The root key wrapped by the recovery key; null with Shamir shares. */
  recovery: Uint8Array | null
  cluster_id: string
  cluster_name: string
  initialised_at: number
}

/** The tables of the seal. */
export type SealTables = { seal: SealRow }
