import { later } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import { cancelJob, loadJobTimes, scheduleJob } from '../../../kit/job-store.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { loadConfigurationFacts } from '../configurations/configuration-store.ts'
import { bringBackTimes } from './future-times-store.ts'
import { nextRegularRun, takeJobKind } from './schedule-rules.ts'
import { loadStatuses } from './status-store.ts'

/**
 * Brings the jobs in line with the configurations. They differ after a restore, which restores configurations but not
 * jobs; everything else changes both in one transaction. Also corrects times that a wrong clock has left in the future.
 */
export async function reconcile(deps: Deps): Promise<void> {
  const now = await deps.store.databaseNow()
  const spread = Math.floor((deps.ids.bytes(2).readUInt16BE() / 65_536) * 5_000)
  await inTransaction(deps.db, async (tx) => {
    await bringBackTimes(tx, now)
    // Jobs are read first: if there is a write in between, the configurations are the newer of the two, and they
    // decide.
    const jobs = await loadJobTimes(tx, takeJobKind)
    const wanted = (await loadConfigurationFacts(tx)).filter(({ paused }) => paused === 0)
    const anchors = new Map((await loadStatuses(tx)).map(({ name, anchor }) => [name, anchor]))
    for (const { name, interval_s: interval } of wanted) {
      const every = interval * 1_000
      if (jobs.get(name)?.every === every) continue
      const due = nextRegularRun(interval, anchors.get(name) ?? 0, now)
      const nextRunAt = due > now ? due : later(now, spread)
      await scheduleJob(tx, { kind: takeJobKind, key: name, nextRunAt, every })
    }
    const names = new Set(wanted.map(({ name }) => name))
    for (const name of jobs.keys()) if (!names.has(name)) await cancelJob(tx, takeJobKind, name)
  })
}
