import { type Deps, perApp } from '../../../kit/deps.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { includesSnapshots } from '../licence.ts'
import { countPaused, countUnverified, loadOverdueFacts } from '../schedule/health-store.ts'
import { isOverdue } from '../schedule/schedule-rules.ts'

/** Probes come often, and this changes slowly. */
const lifetime = 5_000

const counts = perApp((deps: Deps) => {
  const known = { overdue: 0, unverified: 0, paused: 0 }
  const refresh = async (): Promise<void> => {
    const now = await deps.store.databaseNow()
    const facts = await loadOverdueFacts(deps.db)
    known.overdue = facts.filter(({ interval, since }) => isOverdue(interval, since, now)).length
    known.unverified = await countUnverified(deps.db)
    known.paused = await countPaused(deps.db)
  }
  return {
    known,
    refresh: throttledRefresh(deps, {
      refresh,
      goodFor: lifetime,
      failed: 'could not count overdue, unverified and paused snapshots',
    }),
  }
})

/**
 * How many configurations lack a recent snapshot, or one that was verified, or are paused; their names are not shown to
 * everybody.
 */
export async function snapshotHealth(deps: Deps): Promise<Record<string, unknown>> {
  if (!includesSnapshots(deps)) return {}
  const { known, refresh } = counts(deps)
  await refresh()
  const { overdue, unverified, paused } = known
  return { snapshots_overdue: overdue, snapshots_failed_verification: unverified, snapshots_paused: paused }
}
