import type { Deps } from '../../../kit/deps.ts'
import { loadJob } from '../../../kit/job-store.ts'
import { readConfiguration } from '../configurations/configuration-actions.ts'
import { lastVerifiedAt, loadLatestAttempts } from '../schedule/attempt-store.ts'
import { takeJobKind } from '../schedule/schedule-rules.ts'
import { loadStatus } from '../schedule/status-store.ts'
import type { StatusFacts } from './status-rules.ts'

/** Gathers what is known about a configuration's runs; refuses when there is no such configuration. */
export async function gatherStatus(deps: Pick<Deps, 'db' | 'store' | 'keyring'>, name: string): Promise<StatusFacts> {
  const configuration = await readConfiguration(deps, name)
  const now = await deps.store.databaseNow()
  const { waiting: _waiting, ...latest } = await loadLatestAttempts(deps.db, name)
  const job = await loadJob(deps.db, takeJobKind, name, now)
  const verifiedAt = await lastVerifiedAt(deps.db, name)
  return { configuration, status: await loadStatus(deps.db, name), ...latest, verifiedAt, job, now }
}
