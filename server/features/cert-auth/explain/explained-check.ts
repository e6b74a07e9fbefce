/** One check of one role: what it looked at, how it went, and what would fix it. */
export type ExplainedCheck = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string
}
