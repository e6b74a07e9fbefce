import type { Deps } from '../kit/deps.ts'
import { loadJobFigures } from '../kit/jobs/lease-store.ts'
import { throttledRefresh } from '../kit/throttled-refresh.ts'

/** Milliseconds for which what was read is shown: somebody may collect metrics every second. */
const goodFor = 10_000

/** How a run can end: an interrupted one is repeated soon. */
export type RunOutcome = 'ok' | 'failed' | 'interrupted'

/** Counts a run. */
export const countRun = ({ metrics }: Pick<Deps, 'metrics'>, kind: string, outcome: RunOutcome): void =>
  metrics
    .counter('holdfast_job_runs_total', 'Runs of background jobs by kind and outcome.', ['kind', 'outcome'])
    .inc({ kind, outcome })

/**
 * Shows jobs by their kind, of which there are as many as the program has: what runs in this process, and what the store
 * says about all.
 */
export function measureJobs(deps: Deps, kinds: readonly string[], running: () => readonly string[]): void {
  const { metrics } = deps
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['kind'], { stored: true })
  const due = gauge('holdfast_jobs_due', 'Background jobs that are due and do not run yet.')
  const failing = gauge('holdfast_jobs_failing', 'Background jobs whose last run has failed.')
  const lastSuccess = gauge('holdfast_jobs_last_success_time', 'Unix time when a job of this kind last succeeded.')
  const refresh = async (): Promise<void> => {
    const found = await loadJobFigures(deps.db, kinds, await deps.store.databaseNow())
    for (const each of [due, failing, lastSuccess]) each.reset()
    for (const { kind, ...figures } of found) {
      due.set({ kind }, figures.due)
      failing.set({ kind }, figures.failing)
      if (figures.lastOkAt !== null) lastSuccess.set({ kind }, Math.floor(figures.lastOkAt / 1_000))
    }
  }
  metrics.onRender(throttledRefresh(deps, { refresh, goodFor, failed: 'figures of jobs not read' }))
  const runningNow = metrics.gauge('holdfast_jobs_running', 'Background jobs that run on this node.', ['kind'])
  metrics.onRender(async () => {
    runningNow.reset()
    for (const kind of running()) runningNow.inc({ kind })
  })
}
