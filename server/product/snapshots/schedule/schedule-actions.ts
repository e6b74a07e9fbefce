import { sweepScratch } from '../../../archive/index.ts'
import { later } from '../../../kernel/clock.ts'
import { textOf } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job, type JobGroup, type JobRun } from '../../../kit/job.ts'
import { loadConfiguration } from '../configurations/configuration-store.ts'
import { openDestination } from '../destinations/open-destination-adapter.ts'
import { includesSnapshots } from '../licence.ts'
import {
  type AttemptWork,
  beginAttempt,
  isInterrupted,
  isSealed,
  reconcile,
  recordFailedRun,
  runAttempt,
} from './attempt-actions.ts'
import type { Attempt } from './attempt-store.ts'
import { singleLineText } from './failure-reason.ts'
import { attemptDeadline, nextRunAfter, takeJobKind, verifyJobKind } from './schedule.ts'
import { countAttempt, countPruning } from './snapshot-metrics-actions.ts'
import { prune } from './snapshot-retention-actions.ts'
import { loadStatus } from './status-store.ts'
import { requestVerification, verifyNewest } from './verification-actions.ts'

/** How long a server without the licence waits before it checks again. */
const unlicensedWait = 30_000

async function takeScheduled(deps: Deps, run: JobRun): Promise<void> {
  const now = await deps.store.databaseNow()
  // A sealed node does no work: the job runs again on a node that has the keys, or when this one has them again.
  if (isSealed(deps)) return run.rescheduleAt(now)
  if (!includesSnapshots(deps)) return run.rescheduleAt(later(now, unlicensedWait))
  const found = await loadConfiguration(deps.db, deps.keyring, run.key)
  if (!found || found.configuration.paused) return
  const { configuration } = found
  const stop = new AbortController()
  const deadline = deadlineSignal(attemptDeadline(configuration))
  const signals = [run.signal, stop.signal, deps.keyring.untilSealed, deadline]
  const destination = await openDestination(deps, configuration)
  const unwatch = watchLease(deps, run, stop)
  try {
    await attemptOnce(deps, run, { configuration, destination, run, signal: AbortSignal.any(signals) })
  } finally {
    unwatch()
    destination.close()
  }
}

/** Timers are limited to 2^31 ms; a longer limit means none. */
const deadlineSignal = (milliseconds: number): AbortSignal =>
  milliseconds < 2 ** 31 ? AbortSignal.timeout(milliseconds) : new AbortController().signal

/** Deleting, pausing or changing a configuration cancels its job: the work then stops as soon as this is noticed. */
function watchLease(deps: Deps, run: JobRun, stop: AbortController): () => void {
  const poll = async () => {
    if (!stop.signal.aborted && !(await run.renew())) stop.abort(new Error('configuration deleted or changed'))
  }
  const report = (thrown: unknown) =>
    deps.log.warn({ error: textOf(thrown) }, 'could not check the lease of a snapshot')
  return deps.store.versions.onChange('jobs', () => void poll().catch(report))
}

async function attemptOnce(deps: Deps, run: JobRun, work: AttemptWork): Promise<void> {
  const { configuration } = work
  const begun = await beginAttempt(deps, work)
  if (!begun) return
  const { attempt: ended, error } = await runAttempt(deps, work, begun)
  const wasCutOff = isInterrupted(deps, run)
  // A snapshot that was cut off is repeated as soon as possible.
  if (wasCutOff && error !== '') return run.rescheduleAt(await deps.store.databaseNow())
  countAttempt(deps, configuration.name, error)
  if (!wasCutOff && error === '') await afterSuccess(deps, work, ended)
  const status = await loadStatus(deps.db, configuration.name)
  run.rescheduleAt(nextRunAfter(configuration, status, ended, await deps.store.databaseNow()))
}

async function afterSuccess(deps: Deps, work: AttemptWork, ended: Attempt): Promise<void> {
  const startedAt = deps.clock.monotonic()
  const error = await prune(deps, work, ended)
  countPruning(deps, work.configuration.name, error, deps.clock.monotonic() - startedAt)
  await requestVerification(deps, work.configuration, ended)
}

/** Snapshots take long, so they have a group of their own, which leaves room for the short jobs of others. */
const group: JobGroup = { name: 'snapshots', limit: ({ settings }) => settings.concurrentSnapshots }

/** The work of automated snapshots. */
export const snapshotJobs: readonly Job[] = [
  defineJob({
    name: takeJobKind,
    lease: '30s',
    group,
    run: async (deps, run) => {
      try {
        await takeScheduled(deps, run)
      } catch (thrown) {
        await recordFailedRun(deps, run, singleLineText(`failed: ${textOf(thrown)}`))
        throw thrown
      }
    },
  }),
  defineJob({ name: verifyJobKind, lease: '30s', group, run: verifyNewest }),
  defineJob({ name: 'snapshots.reconcile', every: '1m', jitter: '5s', run: reconcile }),
  defineJob({
    name: 'snapshots.sweep-scratch',
    every: '1h',
    jitter: '5m',
    run: async (deps) => {
      const removed = await sweepScratch(deps)
      if (removed > 0) deps.log.info({ removed }, 'leftovers of interrupted restores removed')
    },
  }),
]
