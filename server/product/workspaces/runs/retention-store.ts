import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type Instant, later } from '../../../kernel/clock.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import { removeAllDependents } from '../../../storage/cascade.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import { figuresWindow } from './figures.ts'
import { finalStatuses } from './run-words.ts'

/** Runs that are always kept, and how long others are. */
const kept = { newest: 100, days: 90 }

const day = 86_400_000

type Runs = ExpressionBuilder<DescribedTables, 'runs'>

/** The policy in force for a run: that of its workspace, else that of its organization. */
const policyOf = (column: 'kind' | 'days') =>
  sql`coalesce(
    (select p.${sql.ref(column)} from data_retention_policies p where p.target_id = runs.workspace_id),
    (select p.${sql.ref(column)} from data_retention_policies p where p.target_id = runs.organization_id
      and not exists (select 1 from data_retention_policies w where w.target_id = runs.workspace_id)))`

const ended = (db: Queryable) =>
  db
    .selectFrom('runs')
    .select('runs.id')
    .where('runs.status', 'in', finalStatuses)
    .where('runs.organization_id', 'not in', removedIds(db, 'organization'))

/** Runs whose content a policy says to drop: they ended longer ago than it allows. */
export async function listExpiredContent(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const rows = await ended(db)
    .where('runs.content_dropped_at', 'is', null)
    .where(sql<SqlBool>`${policyOf('kind')} = 'delete-older'`)
    .where(sql<SqlBool>`runs.updated_at < ${now} - ${policyOf('days')} * ${day}`)
    .orderBy('runs.updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

const newestOrdinal = (eb: Runs) =>
  eb
    .selectFrom('runs as other')
    .select(({ fn }) => fn.max('other.ordinal').as('ordinal'))
    .whereRef('other.workspace_id', '=', 'runs.workspace_id')

/** True for runs that figures of the workspace are about. */
const isCounted = (eb: Runs) => {
  const oldest = eb
    .selectFrom('runs as other')
    .select('other.ordinal')
    .whereRef('other.workspace_id', '=', 'runs.workspace_id')
    .where('other.status', 'in', ['applied', 'errored'])
    .where('other.plan_only', '=', 0)
    .orderBy('other.ordinal', 'desc')
    .limit(1)
    .offset(figuresWindow - 1)
  return eb.and([
    eb('runs.status', 'in', ['applied', 'errored']),
    eb('runs.plan_only', '=', 0),
    eb('runs.ordinal', '>=', eb.fn.coalesce(oldest, sql<number>`0`)),
  ])
}

/** Runs that are old and far behind the newest; the current, the last applied and the counted ones stay. */
export async function listForgettable(db: Queryable, now: Instant, limit: number): Promise<string[]> {
  const rows = await ended(db)
    .where('runs.updated_at', '<', later(now, -kept.days * day))
    .where(sql<SqlBool>`coalesce(${policyOf('kind')}, '') <> 'dont-delete'`)
    .where((eb) => eb('runs.ordinal', '<=', sql<number>`${newestOrdinal(eb)} - ${kept.newest}`))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('workspaces').select('workspaces.id').whereRef('current_run_id', '=', 'runs.id'))),
    )
    .where((eb) =>
      eb.not(
        eb.and([
          eb('runs.status', '=', 'applied'),
          eb('runs.ordinal', '=', newestOrdinal(eb).where('other.status', '=', 'applied')),
        ]),
      ),
    )
    .where((eb) => eb.not(isCounted(eb)))
    .orderBy('runs.updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Drops the logs of a run. */
export async function deleteLogs(tx: Tx, runId: string): Promise<void> {
  await tx.deleteFrom('run_log_chunks').where('run_id', '=', runId).execute()
}

/** Removes a run with everything that is stored about it. */
export async function deleteRun(tx: Tx, id: string): Promise<void> {
  await removeAllDependents(tx, 'runs', [id])
  await tx.deleteFrom('runs').where('id', '=', id).execute()
}

/** How many bytes are kept, by what they are. */
export type StorageUsage = Readonly<Record<'configurations' | 'plans' | 'logs' | 'states', number>>

/** The bytes that are kept for a workspace, or for all of an organization. */
export async function measureStorage(
  db: Queryable,
  of: { readonly column: 'workspace_id' | 'organization_id'; readonly id: string },
): Promise<StorageUsage> {
  const { column, id } = of
  const runs = db.selectFrom('runs').select('runs.id').where(`runs.${column}`, '=', id)
  const configurations = await db
    .selectFrom('configuration_versions')
    .select(({ fn }) => fn.sum<number>('size').as('bytes'))
    .where(column, '=', id)
    .where('blob_id', 'is not', null)
    .executeTakeFirst()
  const plans = await db
    .selectFrom('run_artifacts')
    .select(({ fn }) => fn.sum<number>('size').as('bytes'))
    .where('run_id', 'in', runs)
    .executeTakeFirst()
  const logs = await db
    .selectFrom('run_log_chunks')
    .select(({ fn }) => fn.sum<number>('size').as('bytes'))
    .where('run_id', 'in', runs)
    .executeTakeFirst()
  const states = await db
    .selectFrom('state_versions')
    .select(sql<number>`sum(size + json_size)`.as('bytes'))
    .where(column, '=', id)
    .where('blob_id', 'is not', null)
    .executeTakeFirst()
  const bytes = (row: { readonly bytes: number | null } | undefined) => Number(row?.bytes ?? 0)
  return { configurations: bytes(configurations), plans: bytes(plans), logs: bytes(logs), states: bytes(states) }
}
