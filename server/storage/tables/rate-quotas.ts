/** A limit on requests below a path. */
export type RateQuotaRow = {
  name: string
  /** Empty for everything. */
  path: string
  rate: number
  interval_seconds: number
  block_seconds: number
}

/** The tables of quotas. */
export type RateQuotaTables = { rate_quotas: RateQuotaRow }
