import { type Deps, perApp } from '../../../kit/deps.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { includesSnapshots } from '../licence.ts'
import { loadOverdueFacts } from '../schedule/overdue-store.ts'
import { isOverdue } from '../schedule/schedule-rules.ts'

/** Probes come often, and this changes slowly. */
const lifetime = 5_000

const overdueCount = perApp((deps: Deps) => {
  const known = { overdue: 0 }
  const look = async (): Promise<void> => {
    const now = await deps.store.databaseNow()
    const facts = await loadOverdueFacts(deps.db)
    known.overdue = facts.filter(({ interval, since }) => isOverdue(interval, since, now)).length
  }
  return {
    known,
    look: throttledRefresh(deps, { look, goodFor: lifetime, failed: 'could not count overdue snapshots' }),
  }
})

/** How many configurations lack a recent snapshot; their names are not shown to everybody. */
export async function snapshotHealth(deps: Deps): Promise<Record<string, unknown>> {
  if (!includesSnapshots(deps)) return {}
  const { known, look } = overdueCount(deps)
  await look()
  return { snapshots_overdue: known.overdue }
}
