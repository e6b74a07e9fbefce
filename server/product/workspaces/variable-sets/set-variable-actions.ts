import { hidden } from '../../../access/permissions/index.ts'
import type { Sealed } from '../../../crypto/keyring.ts'
import { type Author, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute, invalidDocument, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import {
  describeVariable,
  type NewVariable,
  usageFaults,
  type VariableChange,
  variableFaults,
} from '../variables/index.ts'
import type { SetVariable } from './set-variable.ts'
import {
  deleteSetVariable,
  findGlobalClash,
  insertSetVariable,
  loadSetVariable,
  measureSetVariables,
  updateSetVariable,
} from './set-variable-store.ts'
import type { VariableSet } from './variable-set.ts'
import { lockGlobalSets, lockSet, updateSet } from './variable-set-store.ts'

type VariableDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'keyring'>

const placeOf = (id: string) => ({ table: 'set_variables', column: 'value', row: id })

const changeOf = ({ organizationId }: VariableSet, { id, key }: SetVariable) => ({
  organizationId,
  subject: { type: 'vars', id, name: key },
})

/** The value itself, for a run. */
export const openSetValue = (
  { keyring }: Pick<Deps, 'keyring'>,
  { id, sealedValue }: { readonly id: string; readonly sealedValue: Sealed },
): string => keyring.openText(sealedValue, placeOf(id))

/** The value as callers may see it: null when it is sensitive. */
export const visibleSetValue = (deps: Pick<Deps, 'keyring'>, variable: SetVariable): string | null =>
  variable.sensitive ? null : openSetValue(deps, variable)

const keyTaken = () => invalidAttribute('key', 'Key has already been taken', 'variable.key-taken')

/** Adds a variable to a set that nobody else changes meanwhile. */
export async function addVariable(
  deps: VariableDeps,
  tx: Tx,
  author: Author,
  set: VariableSet,
  { value, ...requested }: NewVariable,
): Promise<SetVariable> {
  requireNoFaults(variableFaults(requested, requested))
  const id = deps.ids.newId('var')
  const variable: SetVariable = {
    ...requested,
    id,
    setId: set.id,
    sealedValue: deps.keyring.seal(value, placeOf(id)),
    versionId: deps.ids.hex(64),
    createdAt: deps.clock.now(),
  }
  await unlessTaken(keyTaken, () => insertSetVariable(tx, variable))
  await requireRoom(tx, set)
  const change = { ...changeOf(set, variable), action: 'create', after: describeVariable(variable) }
  await recordChange(deps, tx, author, change)
  return variable
}

/** Works on the variables of a set, one change after another. */
const inSet = <T>(
  deps: VariableDeps,
  { id }: VariableSet,
  work: (tx: Tx, set: VariableSet) => Promise<T>,
): Promise<T> =>
  unlessTaken(keyTaken, () =>
    inTransaction(deps.db, async (tx) => {
      const set = await lockSet(tx, id)
      if (!set) throw hidden()
      const result = await work(tx, set)
      await updateSet(tx, { ...set, updatedAt: deps.clock.now() })
      if (set.global) await requireNoClash(tx, set)
      return result
    }),
  )

/** Adds a variable to a set. */
export const createSetVariable = (
  deps: VariableDeps,
  author: Author,
  set: VariableSet,
  wanted: NewVariable,
): Promise<SetVariable> => inSet(deps, set, (tx, current) => addVariable(deps, tx, author, current, wanted))

/** Changes a variable of a set; fields that are not sent stay. */
export const changeSetVariable = (
  deps: VariableDeps,
  author: Author,
  { set, id }: { readonly set: VariableSet; readonly id: string },
  { value, ...requested }: VariableChange,
): Promise<SetVariable> =>
  inSet(deps, set, async (tx, current) => {
    const before = await loadSetVariable(tx, set.id, id)
    if (!before) throw hidden()
    requireNoFaults(variableFaults({ ...before, ...requested }, requested, before))
    const sealedValue = value === undefined ? undefined : deps.keyring.seal(value, placeOf(id))
    await updateSetVariable(tx, id, { ...requested, sealedValue, versionId: deps.ids.hex(64) })
    if (sealedValue !== undefined && sealedValue.length > before.sealedValue.length) await requireRoom(tx, current)
    const after = await loadSetVariable(tx, set.id, id)
    if (!after) throw hidden()
    const change = { ...changeOf(current, after), before: describeVariable(before), after: describeVariable(after) }
    await recordUpdate(deps, tx, author, change)
    return after
  })

/** Removes a variable from a set. */
export const removeSetVariable = (deps: VariableDeps, author: Author, set: VariableSet, id: string): Promise<void> =>
  inSet(deps, set, async (tx, current) => {
    const before = await loadSetVariable(tx, set.id, id)
    if (!before) throw hidden()
    await deleteSetVariable(tx, id)
    const change = { ...changeOf(current, before), action: 'delete', before: describeVariable(before) }
    await recordChange(deps, tx, author, change)
  })

const requireRoom = async (tx: Tx, { id }: VariableSet): Promise<void> =>
  requireNoFaults(usageFaults(await measureSetVariables(tx, id), 'variable set'))

/** Refuses a name that two global sets would have: neither of them would be the stronger one. */
export async function requireNoClash(tx: Tx, { id, organizationId }: VariableSet): Promise<void> {
  await lockGlobalSets(tx, organizationId)
  const clash = await findGlobalClash(tx, organizationId, id)
  if (!clash) return
  const kind = clash.category === 'env' ? 'environment variable' : 'variable'
  const detail = `The global set ${clash.name} has the ${kind} ${clash.key} already; two global sets cannot share one`
  throw invalidDocument([{ detail, pointer: '/data', code: 'variable-set.global-clash' }])
}
