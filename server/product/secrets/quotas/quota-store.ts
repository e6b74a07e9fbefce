import type { Queryable, Tx } from '../../../storage/open.ts'
import type { RateQuotaRow } from '../../../storage/tables/rate-quotas.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { Quota } from './quota-rules.ts'

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
