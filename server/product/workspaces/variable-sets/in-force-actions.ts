import type { Deps } from '../../../kit/deps.ts'
import type { Queryable } from '../../../storage/open.ts'
import { listVariables, openValue, type Variable } from '../variables/index.ts'
import type { Sourced, VariableSource } from './precedence.ts'
import type { SetVariable } from './set-variable.ts'
import { openSetValue } from './set-variable-actions.ts'
import { listSetVariables } from './set-variable-store.ts'
import { type Place, type SetInForce, setsInForce } from './variable-set-store.ts'

/** A variable that a workspace has, and by what. */
export type VariableInForce = Sourced & { readonly variable: Variable | SetVariable }

/** All variables that a workspace has: its own, and those of its sets, of which some replace others. */
export async function variablesInForce(
  db: Queryable,
  workspace: Place & { readonly organizationId: string },
): Promise<VariableInForce[]> {
  const own = (await listVariables(db, [workspace.id])).map((variable) => inForce({ from: 'workspace' }, variable))
  const sets = await setsInForce(db, workspace)
  const ids = sets.map(({ set }) => set.id)
  const bySet = Map.groupBy(await listSetVariables(db, ids), ({ setId }) => setId)
  const ofSets = sets.flatMap((found) =>
    sourcesOf(found).flatMap((source) => (bySet.get(found.set.id) ?? []).map((variable) => inForce(source, variable))),
  )
  return [...own, ...ofSets]
}

const inForce = (source: VariableSource, variable: Variable | SetVariable): VariableInForce => {
  const { category, key, applyOnly } = variable
  return { source, category, key, applyOnly, variable }
}

/** By what a workspace has a set: a set that it was given, and its project too, counts at both levels. */
function sourcesOf({ set, targets }: SetInForce): VariableSource[] {
  const { id, name, priority } = set
  const owner = set.projectId === null ? 'organization' : 'project'
  const source = (reach: 'global' | 'project' | 'workspace') =>
    ({ from: 'set', id, name, owner, reach, priority }) as const
  if (set.global) return [source('global')]
  return targets.map((kind) => source(kind === 'projects' ? 'project' : 'workspace'))
}

/** The value of a variable in force, for a run. */
export const openInForce = (deps: Pick<Deps, 'keyring'>, { variable }: VariableInForce): string =>
  'setId' in variable ? openSetValue(deps, variable) : openValue(deps, variable)
