import type { ServerWatch } from '../../../access/attention.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { loadJob } from '../../../kit/job-store.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { readConfiguration } from '../configurations/configuration-actions.ts'
import { listNames } from '../configurations/configuration-store.ts'
import { includesSnapshots } from '../licence.ts'
import { lastVerifiedAt, loadLatestAttempts } from '../schedule/attempt-store.ts'
import { isOverdue, takeJobKind } from '../schedule/schedule.ts'
import { countPaused, countUnverified, loadOverdueFacts, loadStatus } from '../schedule/status-store.ts'
import { concernsOf, type StatusFacts } from './status.ts'

/** Gathers what is known about a configuration's runs; refuses when there is no such configuration. */
export async function gatherStatus(deps: Pick<Deps, 'db' | 'store' | 'keyring'>, name: string): Promise<StatusFacts> {
  const configuration = await readConfiguration(deps, name)
  const now = await deps.store.databaseNow()
  const { waiting: _waiting, ...latest } = await loadLatestAttempts(deps.db, name)
  const job = await loadJob(deps.db, takeJobKind, name, now)
  const verifiedAt = await lastVerifiedAt(deps.db, name)
  return { configuration, status: await loadStatus(deps.db, name), ...latest, verifiedAt, job, now }
}

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

/** So many configurations are looked at; hardly anybody has more. */
const mostWatched = 100

/** What is the matter with automated snapshots. */
export const watchSnapshots: ServerWatch = async (deps, { limit }) => {
  if (!includesSnapshots(deps)) return []
  const names = (await listNames(deps.db)).slice(0, mostWatched)
  const found = await Promise.all(names.map(async (name) => concernsOf(await gatherStatus(deps, name))))
  return found.flat().slice(0, limit)
}
