import type { StateOutput } from '../analysis/state-outputs.ts'

/** An output with its value, which is null if it is withheld. */
export type OpenedOutput = StateOutput & { readonly id: string; readonly stateVersionId: string }
