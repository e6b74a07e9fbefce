import { asSealed, type Sealed } from '../../../crypto/keyring.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, columnsOfSome, rowReader, rowWriter } from '../../../kit/field-set.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { Variable, VariableSettings, VariableUsage } from './variable.ts'
import { facts, settings } from './variable-fields.ts'

/** A variable of a workspace. Every value is sealed, so that one which becomes sensitive was never written in clear. */
interface VariableRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  workspace_id: string
  value: Uint8Array
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    variables: VariableRow
  }
}

const toVariable: (row: VariableRow) => Variable = rowReader([settings, facts], {
  id: (row) => row.id as Id<'var'>,
  workspaceId: (row) => row.workspace_id,
  sealedValue: (row) => asSealed(row.value),
})

const toRow: (variable: Variable) => VariableRow = rowWriter([settings, facts], {
  id: (variable) => variable.id,
  workspace_id: (variable) => variable.workspaceId,
  value: (variable) => variable.sealedValue,
})

/** A variable by its id, if it belongs to this workspace. */
export async function loadVariable(db: Queryable, workspaceId: string, id: string): Promise<Variable | undefined> {
  const row = await db
    .selectFrom('variables')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row && toVariable(row)
}

/** A variable by its id, of whatever workspace. */
export async function loadVariableAnywhere(db: Queryable, id: string): Promise<Variable | undefined> {
  const row = await db.selectFrom('variables').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toVariable(row)
}

/** All variables of these workspaces, by key. */
export async function listVariables(db: Queryable, workspaceIds: readonly string[]): Promise<Variable[]> {
  const rows = await db
    .selectFrom('variables')
    .selectAll()
    .where('workspace_id', 'in', workspaceIds)
    .orderBy('key')
    .orderBy('category')
    .execute()
  return rows.map(toVariable)
}

/** Which variable belongs to which workspace. */
type VariableLink = { readonly id: string; readonly workspace_id: string }

const linksOfOne = hotQuery<{ workspaceId: string }, VariableLink>('variables.links', (db, { workspaceId }) =>
  db
    .selectFrom('variables')
    .select(['id', 'workspace_id'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('key')
    .orderBy('category'),
)

/** The ids of the variables of these workspaces, by key. */
export async function loadVariableLinks(db: Queryable, workspaceIds: readonly string[]): Promise<VariableLink[]> {
  const [only] = workspaceIds
  if (only !== undefined && workspaceIds.length === 1) return await linksOfOne.all(db, { workspaceId: only })
  return await db
    .selectFrom('variables')
    .select(['id', 'workspace_id'])
    .where('workspace_id', 'in', workspaceIds)
    .orderBy('key')
    .orderBy('category')
    .execute()
}

/** How many variables these workspaces have, and how many bytes they take. */
export async function measureVariables(db: Queryable, workspaceIds: readonly string[]): Promise<VariableUsage> {
  const { count, bytes } = await db
    .selectFrom('variables')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum(fn('length', ['value'])).as('bytes')])
    .where('workspace_id', 'in', workspaceIds)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes) }
}

/** Stores a new variable; a key that exists in the category is a unique violation. */
export async function insertVariable(tx: Tx, variable: Variable): Promise<void> {
  await tx.insertInto('variables').values(toRow(variable)).execute()
}

/**
 * Stores the changed fields only, so that concurrent changes of different fields both succeed. A variable can become
 * sensitive, but never stop being so.
 */
export async function updateVariable(
  tx: Tx,
  id: string,
  change: Partial<VariableSettings> & { readonly sealedValue?: Sealed | undefined; readonly versionId: string },
): Promise<boolean> {
  const { sealedValue, versionId, sensitive, ...others } = change
  const columns = columnsOfSome(settings.fields, { ...others, ...(sensitive ? { sensitive } : {}) })
  const result = await tx
    .updateTable('variables')
    .set({ ...columns, version_id: versionId, ...(sealedValue === undefined ? {} : { value: sealedValue }) })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Removes a variable; false when it was gone already. */
export async function deleteVariable(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('variables').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}
