import type { Deps } from '../../../kit/deps.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import {
  frozenOf,
  openInForce,
  type Sourced,
  type VariableSource,
  variablesInForce,
  variablesOfPhase,
} from '../variable-sets/index.ts'
import type { Workspace } from '../workspaces/index.ts'
import { type GivenVariable, lastOfEachKey } from './creation.ts'
import { type FrozenVariable, insertVariables, listFrozen, type VariableOrigin } from './record-store.ts'
import type { PhaseKind, Run } from './run.ts'

/** What reading and writing variables of runs needs. */
type VariableDeps = Pick<Deps, 'keyring'>

const placeOf = (runId: string, position: number) => ({
  table: 'run_variables',
  column: 'value',
  row: `${runId}:${position}`,
})

/** A variable that a run may freeze. */
type Candidate = Sourced & {
  readonly hcl: boolean
  readonly sensitive: boolean
  readonly openValue: () => string
}

/** Keeps the variables of a new run: those in force in its workspace at this moment, and those that it was given. */
export async function freezeVariables(
  deps: VariableDeps,
  tx: Tx,
  { run, workspace }: { readonly run: Pick<Run, 'id'>; readonly workspace: Workspace },
  given: readonly GivenVariable[],
): Promise<void> {
  const inForce = await listInForce(deps, tx, workspace)
  const hidden = new Set(
    inForce.flatMap(({ key, category, sensitive }) => (sensitive && category === 'input' ? key : [])),
  )
  const own = lastOfEachKey(given).map(
    ({ key, value }): Candidate => ({
      source: { from: 'run' },
      category: 'input',
      key,
      hcl: true,
      sensitive: hidden.has(key),
      applyOnly: false,
      openValue: () => value,
    }),
  )
  const frozen = frozenOf([...inForce, ...own]).map(({ source, openValue, ...rest }, index): FrozenVariable => {
    const position = index + 1
    const value = deps.keyring.seal(openValue(), placeOf(run.id, position))
    return { ...rest, runId: run.id, position, origin: originOf(source), value }
  })
  await insertVariables(tx, frozen)
}

const originOf = (source: VariableSource): VariableOrigin => (source.from === 'set' ? `set:${source.id}` : source.from)

async function listInForce(deps: VariableDeps, tx: Tx, workspace: Workspace): Promise<readonly Candidate[]> {
  return (await variablesInForce(tx, workspace)).map((inForce) => {
    const { source, variable } = inForce
    const { category, key, hcl, sensitive, applyOnly } = variable
    return { source, category, key, hcl, sensitive, applyOnly, openValue: () => openInForce(deps, inForce) }
  })
}

/** A variable as the job of a phase has it, with its value in clear. */
export type JobVariable = Pick<FrozenVariable, 'key' | 'category' | 'hcl' | 'sensitive' | 'origin'> & {
  readonly value: string
}

/**
 * The variables of a phase of a run that has not ended, with their values in clear: each name once in its category.
 */
export async function jobVariables(
  { keyring, db }: VariableDeps & { readonly db: Queryable },
  { id }: Pick<Run, 'id'>,
  phase: PhaseKind,
): Promise<JobVariable[]> {
  const chosen = variablesOfPhase(await listFrozen(db, id), phase)
  return chosen.map(({ runId, position, value, key, category, hcl, sensitive, origin }) => ({
    key,
    value: keyring.openText(value, placeOf(runId, position)),
    category,
    hcl,
    sensitive,
    origin,
  }))
}

/** A variable that a run was given, as everybody may see it. */
export const openGiven = ({ keyring }: VariableDeps, { runId, position, key, sensitive, value }: FrozenVariable) => ({
  key,
  value: sensitive ? null : keyring.openText(value, placeOf(runId, position)),
})
