import { later } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { deleteOrphans, lastCalls } from '../runs/index.ts'
import { presence, sessionLimits } from './runner.ts'
import { countRunners, deleteForgotten } from './runner-store.ts'

/** Forgets runners that were silent for a day, and jobs of workspaces that are gone. */
export async function forgetRunners(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await deleteForgotten(tx, later(now, -presence.forgotten), later(now, -sessionLimits.proof))
    await deleteOrphans(tx, later(now, -lastCalls.rescue))
  })
}

/** Runs on one node at a time. */
export const upkeepJob: Job = defineJob({
  name: 'workspaces.forget-runners',
  every: '10m',
  run: async (deps) => await forgetRunners(deps),
})

/** Shows how many runners there are, and how many jobs they have. */
export function watchRunners(deps: Pick<Deps, 'db' | 'clock' | 'metrics' | 'log'>): void {
  const runners = deps.metrics.gauge('holdfast_runners', 'Runners, by how they appear.', ['status'], { stored: true })
  const refresh = async (): Promise<void> => {
    const counted = await countRunners(deps.db, deps.clock.now())
    runners.reset()
    for (const [status, count] of counted) runners.set({ status }, count)
  }
  deps.metrics.onRender(throttledRefresh(deps, { refresh, goodFor: 0, failed: 'runners not counted' }))
}
