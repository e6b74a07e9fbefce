import { hidden } from '../../../access/permissions/index.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { touchWorkspace, type Workspace } from '../workspaces/index.ts'
import {
  type NewVariable,
  usageFaults,
  type Variable,
  type VariableChange,
  type VariableSettings,
  variableFaults,
} from './variable.ts'
import { settings } from './variable-fields.ts'
import { deleteVariable, insertVariable, loadVariable, measureVariables, updateVariable } from './variable-store.ts'

type VariableDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'keyring'>

const placeOf = (id: string) => ({ table: 'variables', column: 'value', row: id })

const changeOf = (workspace: Workspace, variable: Pick<Variable, 'id' | 'key'>) => ({
  organizationId: workspace.organizationId,
  workspaceId: workspace.id,
  subject: { type: 'vars', id: variable.id, name: variable.key },
})

/**
 * Change records contain no values: one that is plain today may become sensitive. The version shows that a value
 * changed.
 */
export const describeVariable = (variable: VariableSettings & Pick<Variable, 'versionId'>): Members => ({
  ...settings.toDocument(variable),
  category: variable.category,
  'version-id': variable.versionId,
})

/** The value itself, for a run. */
export const openValue = (deps: Pick<Deps, 'keyring'>, { id, sealedValue }: Variable): string =>
  deps.keyring.openText(sealedValue, placeOf(id))

/** The value as callers may see it: null when it is sensitive. */
export const visibleValue = (deps: Pick<Deps, 'keyring'>, { id, sensitive, sealedValue }: Variable): string | null =>
  sensitive ? null : deps.keyring.openText(sealedValue, placeOf(id))

/** Adds a variable to a workspace. */
export async function createVariable(
  deps: VariableDeps,
  author: Author,
  workspace: Workspace,
  { value, ...settings }: NewVariable,
): Promise<Variable> {
  requireNoFaults(variableFaults(settings, settings))
  const id = deps.ids.newId('var')
  const variable: Variable = {
    ...settings,
    id,
    workspaceId: workspace.id,
    sealedValue: deps.keyring.seal(value, placeOf(id)),
    versionId: deps.ids.hex(64),
    createdAt: deps.clock.now(),
  }
  await unlessTaken(keyTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await touchWorkspace(tx, workspace.id)
      await insertVariable(tx, variable)
      await requireRoom(tx, workspace)
      const change = { ...changeOf(workspace, variable), action: 'create', after: describeVariable(variable) }
      await recordChange(deps, tx, author, change)
    }),
  )
  return variable
}

/** Changes a variable; fields that are not sent stay. */
export async function changeVariable(
  deps: VariableDeps,
  author: Author,
  { workspace, id }: { readonly workspace: Workspace; readonly id: string },
  { value, ...requested }: VariableChange,
): Promise<Variable> {
  const sealedValue = value === undefined ? undefined : deps.keyring.seal(value, placeOf(id))
  const versionId = deps.ids.hex(64)
  return unlessTaken(keyTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await touchWorkspace(tx, workspace.id)
      const before = await loadVariable(tx, workspace.id, id)
      if (!before) throw hidden()
      requireNoFaults(variableFaults({ ...before, ...requested }, requested, before))
      if (!(await updateVariable(tx, id, { ...requested, sealedValue, versionId }))) throw hidden()
      const after = await loadVariable(tx, workspace.id, id)
      if (!after) throw hidden()
      if (sealedValue !== undefined && sealedValue.length > before.sealedValue.length) await requireRoom(tx, workspace)
      const change = { ...changeOf(workspace, after), before: describeVariable(before), after: describeVariable(after) }
      await recordUpdate(deps, tx, author, change)
      return after
    }),
  )
}

/** Removes a variable from its workspace. */
export async function removeVariable(
  deps: VariableDeps,
  author: Author,
  workspace: Workspace,
  id: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await touchWorkspace(tx, workspace.id)
    const before = await loadVariable(tx, workspace.id, id)
    if (!before || !(await deleteVariable(tx, id))) throw hidden()
    const change = { ...changeOf(workspace, before), action: 'delete', before: describeVariable(before) }
    await recordChange(deps, tx, author, change)
  })
}

/**
 * Refuses too many variables. The workspace has been touched before, so that concurrent writes come one after the
 * other.
 */
const requireRoom = async (tx: Tx, { id }: Workspace): Promise<void> =>
  requireNoFaults(usageFaults(await measureVariables(tx, [id])))

const keyTaken = () => invalidAttribute('key', 'Key has already been taken', 'variable.key-taken')
