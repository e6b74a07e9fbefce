/** One thing wrong with the configuration: where the value came from, what is wrong, what to do. */
export type Problem = { where: string; text: string; fix: string }

/** A value somebody wrote, and where. */
export type WrittenValue = {
  /** Its key as in the file: `tls.cert_file`, `listeners[0].address`. */
  key: string
  raw: unknown
  /** File and line, environment variable, or flag. */
  where: string
}

/** What a source gave: the values, and what could not be understood. */
export type SourceReading = { written: readonly WrittenValue[]; problems: readonly Problem[] }

/** All problems as lines for people: place, fault, remedy. */
export function renderProblems(problems: readonly Problem[]): string {
  const width = Math.min(40, Math.max(...problems.map((problem) => problem.where.length)))
  const lines = problems.map(
    ({ where, text, fix }) => `  ${where.padEnd(width)}  ${text}.\n  ${' '.repeat(width)}  ${fix}`,
  )
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
  return `The configuration has ${count}:\n\n${lines.join('\n')}\n`
}
