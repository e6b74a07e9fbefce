import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { RetentionPolicy } from './data-retention.ts'

/** How long old state and configurations are kept; the target is an organization or one of its workspaces. */
interface DataRetentionPolicyRow {
  id: string
  organization_id: string
  target_id: string
  kind: string
  days: number | null
  created_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    data_retention_policies: DataRetentionPolicyRow
  }
}

const toPolicy = (row: DataRetentionPolicyRow): RetentionPolicy => {
  const common = {
    id: row.id as Id<'drp'>,
    organizationId: row.organization_id,
    targetId: row.target_id,
    createdAt: row.created_at as Instant,
  }
  return row.kind === 'delete-older'
    ? { ...common, kind: 'delete-older', days: row.days ?? 0 }
    : { ...common, kind: 'dont-delete' }
}

/** The explicit policies of these targets. */
export async function loadRetentionPolicies(db: Queryable, targetIds: readonly string[]): Promise<RetentionPolicy[]> {
  const rows = await db.selectFrom('data_retention_policies').selectAll().where('target_id', 'in', targetIds).execute()
  return rows.map(toPolicy)
}

/** Stores a policy, replacing the one its target has. */
export async function saveRetentionPolicy(tx: Tx, policy: RetentionPolicy): Promise<void> {
  const columns = {
    id: policy.id,
    organization_id: policy.organizationId,
    kind: policy.kind,
    days: policy.kind === 'delete-older' ? policy.days : null,
    created_at: policy.createdAt,
  }
  await tx
    .insertInto('data_retention_policies')
    .values({ ...columns, target_id: policy.targetId })
    .onConflict((conflict) => conflict.column('target_id').doUpdateSet(columns))
    .execute()
  await bumpRetention(tx)
}

/** Removes the policy of a target, if it has one. */
export async function deleteRetentionPolicy(tx: Tx, targetId: string): Promise<void> {
  const result = await tx.deleteFrom('data_retention_policies').where('target_id', '=', targetId).executeTakeFirst()
  if (result.numDeletedRows > 0n) await bumpRetention(tx)
}

/** The version changes because documents of organizations and workspaces show their policies. */
async function bumpRetention(tx: Tx): Promise<void> {
  bumpVersion(tx, 'organizations')
  bumpVersion(tx, 'workspaces')
}
