import type { Variable } from '../variables/variable.ts'

/** A variable of a set, with its value as it is stored. */
export type SetVariable = Omit<Variable, 'workspaceId'> & { readonly setId: string }
