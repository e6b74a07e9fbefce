/** True, false, or null where it cannot be told because a check was not made. */
export type Verdict = boolean | null

/** One check of one role: what it looked at, how it went, and what would fix it. */
export type ExplainedCheck = {
  readonly check: string
  /** Null when it was not made; `fix` then says how to have it made. */
  readonly ok: Verdict
  readonly detail: string
  readonly fix: string
}

/** One failed check refuses; without one, each check that was not made leaves it open. */
export const verdictOf = (checks: readonly ExplainedCheck[]): Verdict =>
  checks.some(({ ok }) => ok === false) ? false : checks.every(({ ok }) => ok === true) || null
