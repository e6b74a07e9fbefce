import { snapshotNumber } from '../destinations/object-name.ts'

/** What verification found out about a stored snapshot; one that it has not looked at has no verdict. */
export type Verdict = 'restores' | 'does not restore'

/** What decides which snapshots are kept. */
type Retention = {
  readonly retain: number
  /** The snapshot just written, which is never removed. */
  readonly written: string
  /** The verdicts by name. */
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/**
 * The names that retention removes, oldest first: all but the newest, and never the one just written. If none of those
 * that were kept before it restores, the newest older one that does takes the place of the oldest of them, so that there
 * is always one to go back to.
 */
export function surplusNames(prefix: string, names: readonly string[], retention: Retention): string[] {
  const { retain, written, verdicts } = retention
  const ordered = newestFirst(prefix, names)
  const isOther = (name: string): boolean => name !== written
  const kept = ordered.slice(0, retain).filter(isOther)
  const older = ordered.slice(retain).filter(isOther)
  const oldestBad = kept.every((name) => verdicts.get(name) === 'does not restore') ? kept.at(-1) : undefined
  const spared = oldestBad === undefined ? undefined : sparedName(older, retention)
  const removed = older.filter((name) => name !== spared).reverse()
  return oldestBad === undefined || spared === undefined ? removed : [...removed, oldestBad]
}

/** The names of snapshots, newest first by the number in them. */
function newestFirst(prefix: string, names: readonly string[]): string[] {
  const numbered = names.flatMap((name) => {
    const number = snapshotNumber(prefix, name)
    return number === undefined ? [] : [{ name, number }]
  })
  numbered.sort((a, b) => (a.number < b.number ? 1 : a.number > b.number ? -1 : 0))
  return numbered.map(({ name }) => name)
}

/** The newest that restores; where none is known to, the newest that nobody has looked at. */
function sparedName(older: readonly string[], { verdicts }: Retention): string | undefined {
  return older.find((name) => verdicts.get(name) === 'restores') ?? older.find((name) => !verdicts.has(name))
}
