/** Why a phase ends in error, in words of the interface. `step` says whether the tool itself had begun. */
export class PhaseFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The text of anything that was thrown. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
