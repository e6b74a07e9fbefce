import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { Quota } from './quota.ts'

/** A limit on requests below a path. */
interface RateQuotaRow {
  name: string
  /** Empty for everything. */
  path: string
  rate: number
  interval_seconds: number
  block_seconds: number
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    rate_quotas: RateQuotaRow
  }
}

/** Every quota, by name. */
export async function loadQuotas(db: Queryable): Promise<Quota[]> {
  const rows = await db.selectFrom('rate_quotas').selectAll().orderBy('name').execute()
  return rows.map(toQuota)
}

/** Stores a quota, new or existing. */
export async function saveQuota(tx: Tx, quota: Quota): Promise<void> {
  const { name, ...columns } = {
    name: quota.name,
    path: quota.path,
    rate: quota.rate,
    interval_seconds: quota.intervalSeconds,
    block_seconds: quota.blockSeconds,
  }
  await tx
    .insertInto('rate_quotas')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'quotas')
}

/** Removes a quota, if it exists. */
export async function deleteQuota(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('rate_quotas').where('name', '=', name).execute()
  bumpVersion(tx, 'quotas')
}

const toQuota = (row: RateQuotaRow): Quota => ({
  name: row.name,
  path: row.path,
  rate: row.rate,
  intervalSeconds: row.interval_seconds,
  blockSeconds: row.block_seconds,
})
