import type { Run } from './run.ts'

/** How many runs figures are about: the newest ones that were applied or failed. */
export const figuresWindow = 30

/** What the last runs of a workspace were like; null where there is nothing to count. */
export type Figures = {
  readonly planDurationAverage: number | null
  readonly applyDurationAverage: number | null
  readonly runFailures: number | null
  readonly runsCounted: number | null
}

/** The figures of these runs. */
export function figuresOf(runs: readonly Pick<Run, 'status' | 'times'>[]): Figures {
  if (runs.length === 0)
    return { planDurationAverage: null, applyDurationAverage: null, runFailures: null, runsCounted: null }
  return {
    planDurationAverage: meanBetween(runs, 'planning-at', 'planned-at'),
    applyDurationAverage: meanBetween(runs, 'applying-at', 'applied-at'),
    runFailures: runs.filter(({ status }) => status === 'errored').length,
    runsCounted: runs.length,
  }
}

/** The mean time between two statuses, in milliseconds, of those that have reached both. */
function meanBetween(runs: readonly Pick<Run, 'times'>[], from: string, to: string): number | null {
  const spans = runs.flatMap(({ times }) => {
    const [begin, end] = [times[from], times[to]]
    return begin === undefined || end === undefined ? [] : end - begin
  })
  return spans.length === 0 ? null : Math.round(spans.reduce((sum, span) => sum + span, 0) / spans.length)
}
