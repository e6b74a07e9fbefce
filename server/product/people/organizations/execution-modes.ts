/** Where runs of a workspace are executed. */
export const executionModes = ['remote', 'local', 'agent'] as const

/** One of the execution modes. */
export type ExecutionMode = (typeof executionModes)[number]
