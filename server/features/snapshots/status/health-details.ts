import { type Deps, perApp } from '../../../kit/deps.ts'
import { sparingLook } from '../../../kit/sparing-look.ts'
import { includesSnapshots } from '../licence.ts'
import { loadOverdueFacts } from '../schedule/overdue-store.ts'
import { isOverdue } from '../schedule/schedule-rules.ts'

/** Probes come often; what they ask changes slowly. */
const goodFor = 5_000

const knownIn = perApp((deps: Deps) => {
  const known = { overdue: 0 }
  const look = async (): Promise<void> => {
    const now = await deps.store.databaseNow()
    const facts = await loadOverdueFacts(deps.db)
    known.overdue = facts.filter(({ interval, since }) => isOverdue(interval, since, now)).length
  }
  return { known, look: sparingLook(deps, { look, goodFor, failed: 'overdue snapshots not counted' }) }
})

/** How many configurations have no snapshot as new as it should be; their names are not told to everybody. */
export async function snapshotHealth(deps: Deps): Promise<Record<string, unknown>> {
  if (!includesSnapshots(deps)) return {}
  const { known, look } = knownIn(deps)
  await look()
  return { snapshots_overdue: known.overdue }
}
