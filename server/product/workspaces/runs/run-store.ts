import type { Instant } from '../../../kernel/clock.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../kit/field-set.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import type { StatusTimes } from '../configurations/index.ts'
import type { LockHolder } from '../workspaces/index.ts'
import type { Counts, Phase, PhaseKind, PhaseStatus, Run, RunError, RunId } from './run.ts'
import { facts, inputs, internals, options } from './run-fields.ts'
import { finalStatuses, type RunStatus } from './run-words.ts'

/** A run with both of its phases: every transition writes one row. */
export interface RunRow
  extends ColumnsOf<typeof options.fields>,
    ColumnsOf<typeof inputs.fields>,
    ColumnsOf<typeof facts.fields>,
    ColumnsOf<typeof internals.fields> {
  id: string
  status: string
  /** JSON: times in milliseconds by the names that documents have for them. */
  status_timestamps: string
  error: string | null
  created_by_kind: string
  created_by_id: string
  created_by_name: string
  confirmed_by_kind: string | null
  confirmed_by_id: string | null
  confirmed_by_name: string | null
  canceled_by_kind: string | null
  canceled_by_id: string | null
  canceled_by_name: string | null
  plan_id: string
  plan_status: string
  plan_times: string
  plan_counts: string
  apply_id: string
  apply_status: string
  apply_times: string
  apply_counts: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    runs: RunRow
  }
}

const toHolder = (kind: string | null, id: string | null, name: string | null): LockHolder | null =>
  kind === null ? null : { kind: kind as LockHolder['kind'], id: id ?? '', name: name ?? '' }

const toPhase = (kind: PhaseKind, [id, status, times, counts]: readonly [string, string, string, string]): Phase => ({
  id,
  kind,
  status: status as PhaseStatus,
  times: JSON.parse(times) as StatusTimes,
  counts: JSON.parse(counts) as Counts,
})

const sets = [options, inputs, facts, internals] as const

/** A row as the run that it stores. */
export const toRun: (row: RunRow) => Run = rowReader(sets, {
  id: (row: RunRow) => row.id as RunId,
  status: (row: RunRow) => row.status as RunStatus,
  times: (row: RunRow) => JSON.parse(row.status_timestamps) as StatusTimes,
  error: (row: RunRow) => (row.error === null ? null : (JSON.parse(row.error) as RunError)),
  createdBy: (row: RunRow) => toHolder(row.created_by_kind, row.created_by_id, row.created_by_name) as LockHolder,
  confirmedBy: (row: RunRow) => toHolder(row.confirmed_by_kind, row.confirmed_by_id, row.confirmed_by_name),
  canceledBy: (row: RunRow) => toHolder(row.canceled_by_kind, row.canceled_by_id, row.canceled_by_name),
  plan: (row: RunRow) => toPhase('plan', [row.plan_id, row.plan_status, row.plan_times, row.plan_counts]),
  apply: (row: RunRow) => toPhase('apply', [row.apply_id, row.apply_status, row.apply_times, row.apply_counts]),
})

const toRow: (run: Run) => RunRow = rowWriter(sets, {
  id: ({ id }: Run) => id,
  status: ({ status }: Run) => status,
  status_timestamps: ({ times }: Run) => JSON.stringify(times),
  error: ({ error }: Run) => error && JSON.stringify(error),
  created_by_kind: ({ createdBy }: Run) => createdBy.kind,
  created_by_id: ({ createdBy }: Run) => createdBy.id,
  created_by_name: ({ createdBy }: Run) => createdBy.name,
  confirmed_by_kind: ({ confirmedBy }: Run) => confirmedBy?.kind ?? null,
  confirmed_by_id: ({ confirmedBy }: Run) => confirmedBy?.id ?? null,
  confirmed_by_name: ({ confirmedBy }: Run) => confirmedBy?.name ?? null,
  canceled_by_kind: ({ canceledBy }: Run) => canceledBy?.kind ?? null,
  canceled_by_id: ({ canceledBy }: Run) => canceledBy?.id ?? null,
  canceled_by_name: ({ canceledBy }: Run) => canceledBy?.name ?? null,
  plan_id: ({ plan }: Run) => plan.id,
  plan_status: ({ plan }: Run) => plan.status,
  plan_times: ({ plan }: Run) => JSON.stringify(plan.times),
  plan_counts: ({ plan }: Run) => JSON.stringify(plan.counts),
  apply_id: ({ apply }: Run) => apply.id,
  apply_status: ({ apply }: Run) => apply.status,
  apply_times: ({ apply }: Run) => JSON.stringify(apply.times),
  apply_counts: ({ apply }: Run) => JSON.stringify(apply.counts),
})

const present = (db: Queryable) =>
  db.selectFrom('runs').selectAll().where('organization_id', 'not in', removedIds(db, 'organization'))

/** The run with this id. */
export async function loadRun(db: Queryable, id: string): Promise<Run | undefined> {
  const row = await present(db).where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

/** The run with this plan, or with this apply. */
export async function loadRunOfPhase(db: Queryable, kind: PhaseKind, id: string): Promise<Run | undefined> {
  const row = await present(db)
    .where(kind === 'plan' ? 'plan_id' : 'apply_id', '=', id)
    .executeTakeFirst()
  return row && toRun(row)
}

/** The runs with these ids, in no particular order. */
export async function loadRuns(db: Queryable, ids: readonly string[]): Promise<Run[]> {
  const found: Run[] = []
  for (const lot of rowChunksOf(ids)) {
    const rows = await db.selectFrom('runs').selectAll().where('id', 'in', lot).execute()
    found.push(...rows.map(toRun))
  }
  return found
}

const queueOf = (db: Queryable, workspaceId: string) =>
  db
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('queue_number', 'is not', null)
    .orderBy('queue_number')
    .orderBy('ordinal')

/** The first run in the queue of a workspace. */
export async function loadHead(db: Queryable, workspaceId: string): Promise<Run | undefined> {
  const row = await queueOf(db, workspaceId).limit(1).executeTakeFirst()
  return row && toRun(row)
}

/** The first runs in the queues of these workspaces, by workspace. */
export async function loadHeads(db: Queryable, workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
  const heads = new Map<string, Run>()
  for (const lot of rowChunksOf(workspaceIds)) {
    const first = db
      .selectFrom('runs as other')
      .select(({ fn }) => ['other.workspace_id', fn.min('other.queue_number').as('number')])
      .where('other.workspace_id', 'in', lot)
      .where('other.queue_number', 'is not', null)
      .groupBy('other.workspace_id')
    const rows = await db
      .selectFrom('runs')
      .innerJoin(first.as('first'), (join) =>
        join.onRef('first.workspace_id', '=', 'runs.workspace_id').onRef('first.number', '=', 'runs.queue_number'),
      )
      .selectAll('runs')
      .execute()
    for (const row of rows) heads.set(row.workspace_id, toRun(row))
  }
  return heads
}

/** Runs of a workspace that wait with a plan of their own: saved ones, and saved ones that were confirmed. */
export async function loadSaved(tx: Tx, workspaceId: string): Promise<Run[]> {
  const rows = await tx
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['planned_and_saved', 'confirmed'])
    .orderBy('ordinal')
    .execute()
  return rows.map(toRun)
}

/** Runs of a workspace with one of these statuses. */
export async function loadInStatus(tx: Tx, workspaceId: string, statuses: readonly RunStatus[]): Promise<Run[]> {
  const rows = await tx
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', statuses)
    .orderBy('ordinal')
    .execute()
  return rows.map(toRun)
}

/** The largest ordinal and queue number of a workspace. */
export async function loadLast(tx: Tx, workspaceId: string): Promise<{ ordinal: number; queueNumber: number }> {
  const row = await tx
    .selectFrom('runs')
    .select(({ fn }) => [fn.max('ordinal').as('ordinal'), fn.max('queue_number').as('number')])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return { ordinal: Number(row?.ordinal ?? 0), queueNumber: Number(row?.number ?? 0) }
}

/** How many runs of a workspace have not ended, and how many of its organization. */
export async function countOpen(db: Queryable, of: Pick<Run, 'workspaceId' | 'organizationId'>) {
  const row = await db
    .selectFrom('runs')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('workspace_id', '=', of.workspaceId).as('own'),
    ])
    .where('organization_id', '=', of.organizationId)
    .where('status', 'not in', finalStatuses)
    .executeTakeFirst()
  return { inWorkspace: Number(row?.own ?? 0), inOrganization: Number(row?.all ?? 0) }
}

/** The run that a principal has created with this key since then. */
export async function loadRepeated(
  tx: Tx,
  workspaceId: string,
  { key, by, since }: { readonly key: string; readonly by: LockHolder; readonly since: Instant },
): Promise<Run | undefined> {
  const row = await tx
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('idempotency_key', '=', key)
    .where('created_by_kind', '=', by.kind)
    .where('created_by_id', '=', by.id)
    .where('created_at', '>', since)
    .executeTakeFirst()
  return row && toRun(row)
}

/** Stores a new run. */
export async function insertRun(tx: Tx, run: Run): Promise<void> {
  await tx.insertInto('runs').values(toRow(run)).execute()
}

/** Stores what has become of a run. */
export async function updateRun(tx: Tx, run: Run): Promise<void> {
  const { id, ...columns } = toRow(run)
  await tx.updateTable('runs').set(columns).where('id', '=', id).execute()
}

/** Runs whose deadline has passed, the longest first. */
export async function listDue(db: Queryable, now: Instant, limit: number): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('deadline_at', '<=', now)
    .orderBy('deadline_at')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Runs of which somebody may have to be told why they wait. */
export async function listToLookAt(db: Queryable, now: Instant, limit: number): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Runs that are first in the queue of a workspace which nobody holds, where the server may execute runs. */
export async function listStartable(db: Queryable, limit: number): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.current_run_id', 'runs.id')
    .innerJoin('organizations', 'organizations.id', 'runs.organization_id')
    .selectAll('runs')
    .where('runs.status', 'in', ['pending', 'confirmed'])
    .where('workspaces.locked_by_kind', 'is', null)
    .where('organizations.remote_execution_enabled', '=', 1)
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Runs that have not begun in workspaces which are executed locally by now, because their project or organization is. */
export async function listLocalized(db: Queryable, limit: number): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .innerJoin('projects', 'projects.id', 'workspaces.project_id')
    .innerJoin('organizations', 'organizations.id', 'runs.organization_id')
    .selectAll('runs')
    .where('runs.status', 'in', ['pending', 'planned_and_saved'])
    .where('workspaces.overwrites_execution_mode', '=', 0)
    .where(({ or, and, eb }) =>
      or([
        and([eb('projects.overwrites_execution_mode', '=', 1), eb('projects.default_execution_mode', '=', 'local')]),
        and([
          eb('projects.overwrites_execution_mode', '=', 0),
          eb('organizations.default_execution_mode', '=', 'local'),
        ]),
      ]),
    )
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Says when to look next why these runs wait. */
export async function lookLater(tx: Tx, ids: readonly string[], at: Instant): Promise<void> {
  for (const lot of rowChunksOf(ids)) {
    await tx.updateTable('runs').set({ look_at: at }).where('id', 'in', lot).where('look_at', 'is not', null).execute()
  }
}

/** How many runs have each status, without those that have ended, and how many of them are stuck. */
export async function countByStatus(db: Queryable, stuckSince: Instant) {
  const rows = await db
    .selectFrom('runs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('runs')])
    .where('status', 'not in', finalStatuses)
    .groupBy('status')
    .execute()
  const stuck = await db
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('runs'))
    .where('deadline_at', '<', stuckSince)
    .executeTakeFirst()
  return { byStatus: new Map(rows.map((row) => [row.status, Number(row.runs)])), stuck: Number(stuck?.runs ?? 0) }
}

/** Whether an organization lets the server execute its runs. */
export async function isRemoteExecutionOn(db: Queryable, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('remote_execution_enabled')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row?.remote_execution_enabled === 1
}
