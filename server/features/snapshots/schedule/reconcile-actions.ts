import { later } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import { cancelJob, loadJobTimes, scheduleJob } from '../../../kit/job-store.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { loadFacts } from '../configurations/configuration-store.ts'
import { nextRegularRun, takeJobKind } from './schedule-rules.ts'
import { loadStatuses } from './status-store.ts'

/**
 * Brings the jobs in line with the configurations. They differ after a restore, which brings configurations back and
 * leaves jobs alone; everything else moves both in one transaction.
 */
export async function reconcile(deps: Deps): Promise<void> {
  const now = await deps.store.databaseNow()
  const spread = Math.floor((deps.ids.bytes(2).readUInt16BE() / 65_536) * 5_000)
  await inTransaction(deps.db, async (tx) => {
    const wanted = (await loadFacts(tx)).filter(({ paused }) => paused === 0)
    const present = new Set((await loadJobTimes(tx, takeJobKind)).keys())
    const anchors = new Map((await loadStatuses(tx)).map(({ name, anchor }) => [name, anchor]))
    for (const { name, interval_s: interval } of wanted) {
      if (present.delete(name)) continue
      const due = nextRegularRun(interval, anchors.get(name) ?? 0, now)
      const nextRunAt = due > now ? due : later(now, spread)
      await scheduleJob(tx, { kind: takeJobKind, key: name, nextRunAt, every: interval * 1_000 })
    }
    for (const name of present) await cancelJob(tx, takeJobKind, name)
  })
}
