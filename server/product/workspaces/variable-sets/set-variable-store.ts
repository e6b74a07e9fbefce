import { asSealed, type Sealed } from '../../../crypto/keyring.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, columnsOfSome, rowReader, rowWriter } from '../../../kit/field-set.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import {
  variableFacts as facts,
  variableSettings as settings,
  type VariableSettings,
  type VariableUsage,
} from '../variables/index.ts'
import type { SetVariable } from './set-variable.ts'

/** A variable of a set; every value is sealed. */
interface SetVariableRow extends ColumnsOf<typeof settings.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  set_id: string
  value: Uint8Array
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    set_variables: SetVariableRow
  }
}

const toVariable: (row: SetVariableRow) => SetVariable = rowReader([settings, facts], {
  id: (row) => row.id as Id<'var'>,
  setId: (row) => row.set_id,
  sealedValue: (row) => asSealed(row.value),
})

const toRow: (variable: SetVariable) => SetVariableRow = rowWriter([settings, facts], {
  id: (variable) => variable.id,
  set_id: (variable) => variable.setId,
  value: (variable) => variable.sealedValue,
})

/** A variable by its id, if it belongs to this set. */
export async function loadSetVariable(db: Queryable, setId: string, id: string): Promise<SetVariable | undefined> {
  const query = db.selectFrom('set_variables').selectAll().where('id', '=', id).where('set_id', '=', setId)
  const row = await query.executeTakeFirst()
  return row && toVariable(row)
}

/** All variables of these sets, by key. */
export async function listSetVariables(db: Queryable, setIds: readonly string[]): Promise<SetVariable[]> {
  if (setIds.length === 0) return []
  const query = db.selectFrom('set_variables').selectAll().where('set_id', 'in', setIds)
  return (await query.orderBy('key').orderBy('category').execute()).map(toVariable)
}

/** The ids of the variables of these sets, by key. */
export async function listSetVariableIds(
  db: Queryable,
  setIds: readonly string[],
): Promise<{ readonly id: string; readonly set_id: string }[]> {
  if (setIds.length === 0) return []
  const query = db.selectFrom('set_variables').select(['id', 'set_id']).where('set_id', 'in', setIds)
  return await query.orderBy('key').orderBy('category').execute()
}

/** How many variables a set has, and how many bytes they take. */
export async function measureSetVariables(db: Queryable, setId: string): Promise<VariableUsage> {
  const { count, bytes } = await db
    .selectFrom('set_variables')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum(fn('length', ['value'])).as('bytes')])
    .where('set_id', '=', setId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes) }
}

/** A name that a global set shares with another one of its organization. */
export async function findGlobalClash(
  db: Queryable,
  organizationId: string,
  setId: string,
): Promise<{ readonly key: string; readonly category: string; readonly name: string } | undefined> {
  return await db
    .selectFrom('set_variables as own')
    .innerJoin('set_variables as other', (join) =>
      join.onRef('other.key', '=', 'own.key').onRef('other.category', '=', 'own.category'),
    )
    .innerJoin('variable_sets', 'variable_sets.id', 'other.set_id')
    .select(['own.key', 'own.category', 'variable_sets.name'])
    .where('own.set_id', '=', setId)
    .where('variable_sets.id', '!=', setId)
    .where('variable_sets.organization_id', '=', organizationId)
    .where('variable_sets.global', '=', 1)
    .orderBy('own.key')
    .limit(1)
    .executeTakeFirst()
}

/** Stores a new variable; a key that exists in the category is a unique violation. */
export async function insertSetVariable(tx: Tx, variable: SetVariable): Promise<void> {
  await tx.insertInto('set_variables').values(toRow(variable)).execute()
}

/** Stores the changed fields only. A variable can become sensitive, but never stop being so. */
export async function updateSetVariable(
  tx: Tx,
  id: string,
  change: Partial<VariableSettings> & { readonly sealedValue?: Sealed | undefined; readonly versionId: string },
): Promise<void> {
  const { sealedValue, versionId, sensitive, ...others } = change
  const columns = columnsOfSome(settings.fields, { ...others, ...(sensitive ? { sensitive } : {}) })
  await tx
    .updateTable('set_variables')
    .set({ ...columns, version_id: versionId, ...(sealedValue === undefined ? {} : { value: sealedValue }) })
    .where('id', '=', id)
    .execute()
}

/** Removes a variable. */
export async function deleteSetVariable(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('set_variables').where('id', '=', id).execute()
}
