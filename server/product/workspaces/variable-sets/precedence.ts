/** Where a variable of a run comes from. */
export type VariableSource =
  | { readonly from: 'run' | 'workspace' }
  | {
      readonly from: 'set'
      readonly id: string
      readonly name: string
      readonly owner: 'organization' | 'project'
      readonly reach: 'global' | 'project' | 'workspace'
      readonly priority: boolean
    }

/** What decides which of several variables of one name counts. */
export type Sourced = {
  readonly source: VariableSource
  readonly category: string
  readonly key: string
  readonly applyOnly: boolean
}

/** All levels, the weakest first. A variable of a later level replaces one of an earlier level. */
const levels = [
  'set:organization:global',
  'set:organization:project',
  'set:project:project',
  'set:organization:workspace',
  'set:project:workspace',
  'workspace',
  'run',
  'priority:project:workspace',
  'priority:project:project',
  'priority:organization:workspace',
  'priority:organization:project',
  'priority:organization:global',
] as const

const levelOf = (source: VariableSource): number => {
  if (source.from !== 'set') return levels.indexOf(source.from)
  const { priority, owner, reach } = source
  return (levels as readonly string[]).indexOf(`${priority ? 'priority' : 'set'}:${owner}:${reach}`)
}

const nameOf = ({ source }: Sourced): string => (source.from === 'set' ? source.name : '')

/** Sets of one level: the first name in the order of code points is the strongest. */
const byStrength = (one: Sourced, other: Sourced): number =>
  levelOf(one.source) - levelOf(other.source) || Buffer.compare(Buffer.from(nameOf(other)), Buffer.from(nameOf(one)))

const slotOf = ({ category, key, applyOnly }: Sourced): string => `${category} ${applyOnly} ${key}`

/** The strongest variable of each name and purpose. */
export function strongestOf<T extends Sourced>(variables: readonly T[]): T[] {
  const sorted = variables.toSorted(byStrength)
  return [...new Map(sorted.map((variable) => [slotOf(variable), variable])).values()]
}

/**
 * The variables that a run freezes, the weakest first: of those with one name and purpose only the strongest, and all that
 * the run itself was given.
 */
export function frozenOf<T extends Sourced>(variables: readonly T[]): T[] {
  const strongest = new Set(strongestOf(variables))
  return variables.toSorted(byStrength).filter((each) => each.source.from === 'run' || strongest.has(each))
}

/**
 * The variables of a phase, from frozen ones that have the weakest first. One that is only for the apply replaces those of
 * its name there, and no plan ever has it.
 */
export function variablesOfPhase<T extends Omit<Sourced, 'source'>>(
  frozen: readonly T[],
  phase: 'plan' | 'apply',
): T[] {
  const always = frozen.filter(({ applyOnly }) => !applyOnly)
  const present = phase === 'apply' ? [...always, ...frozen.filter(({ applyOnly }) => applyOnly)] : always
  const byName = new Map<string, T>()
  for (const variable of present) byName.set(`${variable.category} ${variable.key}`, variable)
  return [...byName.values()]
}
