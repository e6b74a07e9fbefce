import type { PhaseSummary } from '../protocol/messages.ts'

type ResourceChange = {
  readonly mode?: string
  readonly provider_name?: string
  readonly change?: {
    readonly actions?: readonly string[]
    readonly importing?: unknown
    readonly generated_config?: string
  }
}

/** What the runner reads in a plan. */
export type PlanDocument = {
  readonly resource_changes?: readonly ResourceChange[]
  readonly resource_drift?: readonly ResourceChange[]
  readonly output_changes?: Readonly<Record<string, { readonly actions?: readonly string[] }>>
}

/** Counts what a plan would do. To replace a resource is to make one and to destroy one; data sources count nothing. */
export function countChanges(plan: PlanDocument): PhaseSummary {
  const managed = (plan.resource_changes ?? []).filter(({ mode }) => mode !== 'data')
  const count = (action: string): number => managed.filter(({ change }) => change?.actions?.includes(action)).length
  const outputs = Object.values(plan.output_changes ?? {})
  return {
    additions: count('create'),
    changes: count('update'),
    destructions: count('delete'),
    imports: managed.filter(({ change }) => change?.importing !== undefined && change.importing !== null).length,
    output_changes: outputs.filter(({ actions }) => actions?.some((action) => action !== 'no-op')).length,
    generated_configuration: managed.some(({ change }) => (change?.generated_config ?? '') !== ''),
    providers: providersOf(plan),
  }
}

/** The sources of the providers of all changes. */
export const providersOf = ({ resource_changes, resource_drift }: PlanDocument): string[] => [
  ...new Set(
    [...(resource_changes ?? []), ...(resource_drift ?? [])].flatMap(({ provider_name }) => provider_name ?? []),
  ),
]

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** What an apply did, read from its output line by line: its own summary, else what it said of each resource. */
export class ApplyCounter {
  #rest = ''
  #seen = { additions: 0, changes: 0, destructions: 0, imports: 0 }
  #told: PhaseSummary | undefined

  push(bytes: Buffer): void {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, 64 * 1024)
    for (const line of lines) {
      if (line.startsWith('{')) this.#event(line)
      else this.#line(line)
    }
  }

  get summary(): PhaseSummary {
    return this.#told ?? this.#seen
  }

  #line(line: string): void {
    const text = line.replace(ansi, '')
    const summary = /^(?:Apply|Destroy) complete! Resources: (.*)\.\s*$/.exec(text)
    if (summary) {
      const numberOf = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(summary[1] ?? '')?.[1] ?? 0)
      this.#told = {
        additions: numberOf('added'),
        changes: numberOf('changed'),
        destructions: numberOf('destroyed'),
        imports: numberOf('imported'),
      }
    }
    const [, word] = /: (Creation|Modifications|Destruction|Import) complete(?: after| \[|$)/.exec(text) ?? []
    const member =
      word &&
      ({ Creation: 'additions', Modifications: 'changes', Destruction: 'destructions', Import: 'imports' } as const)[
        word
      ]
    if (member) this.#seen[member]++
  }

  #event(line: string): void {
    if (!/"(?:change_summary|apply_complete)"/.test(line)) return
    try {
      const { type, changes, hook } = JSON.parse(line)
      if (type === 'change_summary' && changes?.operation !== 'plan') {
        this.#told = {
          additions: changes.add,
          changes: changes.change,
          destructions: changes.remove,
          imports: changes.import,
        }
      }
      const member = ({ create: 'additions', update: 'changes', delete: 'destructions' } as const)[String(hook?.action)]
      if (type === 'apply_complete' && member) this.#seen[member]++
    } catch {
      // A line that only looks like an event says nothing.
    }
  }
}
