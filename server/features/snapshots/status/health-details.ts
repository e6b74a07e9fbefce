import { textOf } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { includesSnapshots } from '../licence.ts'
import { loadOverdueFacts } from '../schedule/overdue-store.ts'
import { isOverdue } from '../schedule/schedule-rules.ts'

/** Probes come often; what they ask changes slowly. */
const goodFor = 5_000
const longestLook = 250

type Known = { lookedAt: number; overdue: number; looking: Promise<void> | undefined }

const knownIn = perApp((): Known => ({ lookedAt: Number.NEGATIVE_INFINITY, overdue: 0, looking: undefined }))

/**
 * How many configurations have no snapshot as new as it should be; their names are not told to everybody. A store that
 * does not answer must not hold up a probe, so the last known number is told then.
 */
export async function snapshotHealth(deps: Deps): Promise<Record<string, unknown>> {
  if (!includesSnapshots(deps)) return {}
  const known = knownIn(deps)
  if (deps.clock.monotonic() - known.lookedAt > goodFor) known.looking ??= look(deps, known)
  const enough = Promise.withResolvers<void>()
  const timer = setTimeout(enough.resolve, longestLook)
  await Promise.race([known.looking, enough.promise])
  clearTimeout(timer)
  return { snapshots_overdue: known.overdue }
}

async function look(deps: Deps, known: Known): Promise<void> {
  try {
    const now = await deps.store.databaseNow()
    const facts = await loadOverdueFacts(deps.db)
    known.overdue = facts.filter(({ interval, since }) => isOverdue(interval, since, now)).length
  } catch (thrown) {
    deps.log.warn({ error: textOf(thrown) }, 'overdue snapshots not counted')
  }
  known.lookedAt = deps.clock.monotonic()
  known.looking = undefined
}
