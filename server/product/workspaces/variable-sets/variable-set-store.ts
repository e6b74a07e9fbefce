import type { ExpressionBuilder, ExpressionWrapper, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../kit/field-set.ts'
import { bit } from '../../../storage/bits.ts'
import { removeAllDependents } from '../../../storage/cascade.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { containsInAnyCase } from '../../../storage/search.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import type { TargetKind, VariableReaders, VariableSet } from './variable-set.ts'
import { facts, settings } from './variable-set-fields.ts'

/** A variable set; `parent_id` is that of the project or organization within which its name is unique. */
interface VariableSetRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  organization_id: string
  project_id: string | null
  parent_id: string
}

/** A workspace or a project that has a set. */
interface VariableSetTargetRow {
  set_id: string
  workspace_id: string | null
  project_id: string | null
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    variable_sets: VariableSetRow
    variable_set_targets: VariableSetTargetRow
  }
}

const toSet: (row: VariableSetRow) => VariableSet = rowReader([settings, facts], {
  id: (row) => row.id as Id<'varset'>,
  organizationId: (row) => row.organization_id,
  projectId: (row) => row.project_id,
})

const toRow: (set: VariableSet) => VariableSetRow = rowWriter([settings, facts], {
  id: (set) => set.id,
  organization_id: (set) => set.organizationId,
  project_id: (set) => set.projectId,
  parent_id: (set) => set.projectId ?? set.organizationId,
})

/** A set by its id. */
export async function loadSet(db: Queryable, id: string): Promise<VariableSet | undefined> {
  const row = await db.selectFrom('variable_sets').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSet(row)
}

/** A set that nobody else can change before the transaction ends. */
export async function lockSet(tx: Tx, id: string): Promise<VariableSet | undefined> {
  const query = tx.selectFrom('variable_sets').selectAll().where('id', '=', id).forNoKeyUpdate()
  const row = await query.executeTakeFirst()
  return row && toSet(row)
}

/** Lets changes to sets that all workspaces have come one after another. */
export async function lockGlobalSets(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Stores a new set; a taken name is a unique violation. */
export async function insertSet(tx: Tx, set: VariableSet): Promise<void> {
  await tx.insertInto('variable_sets').values(toRow(set)).execute()
}

/** Stores what changed about a set; a taken name is a unique violation. */
export async function updateSet(tx: Tx, set: VariableSet): Promise<void> {
  const { id, ...columns } = toRow(set)
  await tx.updateTable('variable_sets').set(columns).where('id', '=', id).execute()
}

/** Removes a set with everything in it. */
export async function deleteSet(tx: Tx, id: string): Promise<void> {
  await removeAllDependents(tx, 'variable_sets', [id])
  await tx.deleteFrom('variable_sets').where('id', '=', id).execute()
}

/** What a list of sets asks for. */
export type SetFilter = {
  readonly organizationId: string
  readonly readers: VariableReaders
  readonly text?: string | undefined
  readonly global?: boolean | undefined
  /** Only the set with this id. */
  readonly id?: string | undefined
  /** Only sets that the workspaces of this project have. */
  readonly inProject?: string | undefined
  /** Only sets that this workspace has. */
  readonly inWorkspace?: Place | undefined
}

/** A workspace, and the project it is in. */
export type Place = { readonly id: string; readonly projectId: string }

type SetExpressions = ExpressionBuilder<DescribedTables, 'variable_sets'>
type SetCondition = ExpressionWrapper<DescribedTables, 'variable_sets', SqlBool>

/** One page of sets by name, and how many there are. */
export async function listSets(
  db: Queryable,
  filter: SetFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ sets: VariableSet[]; total: number }> {
  const all = filtered(db, filter)
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll('variable_sets')
    .orderBy('variable_sets.name')
    .orderBy('variable_sets.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { sets: rows.map(toSet), total: Number(total) }
}

function filtered(db: Queryable, filter: SetFilter): SelectQueryBuilder<DescribedTables, 'variable_sets', unknown> {
  const { organizationId, readers, text, global, id, inProject, inWorkspace } = filter
  let query = db.selectFrom('variable_sets').where('variable_sets.organization_id', '=', organizationId)
  if (readers.kind === 'some') query = query.where((eb) => isReadable(eb, readers))
  if (text !== undefined) query = query.where(containsInAnyCase('variable_sets.name', text))
  if (global !== undefined) query = query.where('variable_sets.global', '=', bit(global))
  if (id !== undefined) query = query.where('variable_sets.id', '=', id)
  if (inProject !== undefined) query = query.where((eb) => isInForce(eb, { projectId: inProject }))
  return inWorkspace ? query.where((eb) => isInForce(eb, inWorkspace)) : query
}

/** Sets that a workspace has, or all workspaces of a project: those of other projects stay out after it was moved. */
const isInForce = (eb: SetExpressions, { id, projectId }: { readonly id?: string; readonly projectId: string }) =>
  eb.and([
    eb.or([eb('variable_sets.project_id', 'is', null), eb('variable_sets.project_id', '=', projectId)]),
    eb.or([
      eb('variable_sets.global', '=', 1),
      hasTarget(eb, (target) =>
        target.or([
          target('variable_set_targets.project_id', '=', projectId),
          ...(id === undefined ? [] : [target('variable_set_targets.workspace_id', '=', id)]),
        ]),
      ),
    ]),
  ])

type TargetExpressions = ExpressionBuilder<DescribedTables, 'variable_sets' | 'variable_set_targets'>

const hasTarget = (
  eb: SetExpressions,
  matches: (target: TargetExpressions) => ReturnType<TargetExpressions['or']>,
): SetCondition =>
  eb.exists(
    eb
      .selectFrom('variable_set_targets')
      .select('variable_set_targets.set_id')
      .whereRef('variable_set_targets.set_id', '=', 'variable_sets.id')
      .where(matches),
  )

/** Sets that a workspace has in which somebody may read variables, and those that they manage. */
function isReadable(eb: SetExpressions, readers: Extract<VariableReaders, { kind: 'some' }>) {
  const { projectIds, workspaceIds, managed } = readers
  const conditions: SetCondition[] = []
  if (managed.length > 0) conditions.push(eb('variable_sets.project_id', 'in', managed))
  if (projectIds.length + workspaceIds.length > 0) {
    conditions.push(eb('variable_sets.global', '=', 1))
    const readable = eb
      .selectFrom('workspaces')
      .select('workspaces.id')
      .where((of) => of.or([of('workspaces.project_id', 'in', projectIds), of('workspaces.id', 'in', workspaceIds)]))
    const around = eb
      .selectFrom('workspaces')
      .select('workspaces.project_id')
      .where('workspaces.id', 'in', workspaceIds)
    conditions.push(
      hasTarget(eb, (target) =>
        target.or([
          target('variable_set_targets.workspace_id', 'in', readable),
          target('variable_set_targets.project_id', 'in', projectIds),
          target('variable_set_targets.project_id', 'in', around),
        ]),
      ),
    )
  }
  return eb.or(conditions)
}

/** A set that a workspace has, and by which targets. */
export type SetInForce = { readonly set: VariableSet; readonly targets: readonly TargetKind[] }

/** The sets that a workspace has. */
export async function setsInForce(
  db: Queryable,
  { id, projectId, organizationId }: Place & { readonly organizationId: string },
): Promise<SetInForce[]> {
  const query = filtered(db, { organizationId, readers: { kind: 'all' }, inWorkspace: { id, projectId } })
  const rows = await query.selectAll('variable_sets').execute()
  if (rows.length === 0) return []
  const targets = await db
    .selectFrom('variable_set_targets')
    .select(['set_id', 'workspace_id'])
    .where((eb) => eb.or([eb('workspace_id', '=', id), eb('project_id', '=', projectId)]))
    .execute()
  const bySet = Map.groupBy(targets, (target) => target.set_id)
  return rows.map((row) => ({
    set: toSet(row),
    targets: (bySet.get(row.id) ?? []).map((target) => (target.workspace_id === null ? 'projects' : 'workspaces')),
  }))
}

const columns = { workspaces: 'workspace_id', projects: 'project_id' } as const

/** A workspace or a project that has a set. */
export type SetTarget = { readonly setId: string; readonly kind: TargetKind; readonly id: string }

/** The workspaces and projects that these sets were given to, by id. */
export async function listTargets(db: Queryable, setIds: readonly string[]): Promise<SetTarget[]> {
  if (setIds.length === 0) return []
  const rows = await db.selectFrom('variable_set_targets').selectAll().where('set_id', 'in', setIds).execute()
  const targets = rows.map(({ set_id, workspace_id, project_id }): SetTarget => {
    const kind = workspace_id === null ? 'projects' : 'workspaces'
    return { setId: set_id, kind, id: workspace_id ?? project_id ?? '' }
  })
  return targets.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Gives a set to workspaces or projects; those that have it keep it. */
export async function insertTargets(tx: Tx, setId: string, kind: TargetKind, ids: readonly string[]): Promise<void> {
  const rows = [...new Set(ids)].map((id) => ({
    set_id: setId,
    workspace_id: kind === 'workspaces' ? id : null,
    project_id: kind === 'projects' ? id : null,
  }))
  for (const lot of rowChunksOf(rows)) {
    await tx
      .insertInto('variable_set_targets')
      .values(lot)
      .onConflict((conflict) => conflict.columns([columns[kind], 'set_id']).doNothing())
      .execute()
  }
}

/** Takes a set from these workspaces or projects, or from all of them. */
export async function deleteTargets(
  tx: Tx,
  setId: string,
  kind: TargetKind,
  ids: readonly string[] | 'all',
): Promise<void> {
  const all = tx.deleteFrom('variable_set_targets').where('set_id', '=', setId).where(columns[kind], 'is not', null)
  if (ids === 'all') return void (await all.execute())
  for (const lot of rowChunksOf(ids)) await all.where(columns[kind], 'in', lot).execute()
}
