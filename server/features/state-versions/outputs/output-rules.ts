import type { StateOutput } from '../analysis/state-analysis-rules.ts'

/** An output with its value, which is null where it is kept back. */
export type OpenedOutput = StateOutput & { readonly id: string; readonly stateVersionId: string }
