import { takeArchive } from '../../../archive/index.ts'
import { later } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { JobRun } from '../../../kit/job.ts'
import { cancelJob, isFenceCurrent, loadJobTimes, scheduleJob, takeOnRequest } from '../../../kit/job-store.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { loadConfigurationFacts } from '../configurations/configuration-store.ts'
import type { Destination } from '../destinations/destination-adapter.ts'
import { nextNumber, snapshotName } from '../destinations/object-name.ts'
import {
  type Attempt,
  bringBackTimes,
  endInterrupted,
  forgetOldAttempts,
  insertAttempt,
  loadAttempt,
  loadLatestAttempts,
  updateAttempt,
} from './attempt-store.ts'
import { errorText, isSameReason } from './failure-reason.ts'
import { nextRegularRun, takeJobKind } from './schedule.ts'
import { loadStatus, loadStatuses, updateStatus } from './status-store.ts'

/** One run of a configuration's schedule, with what it needs. */
export type AttemptWork = {
  readonly configuration: Configuration
  readonly destination: Destination
  readonly run: Pick<JobRun, 'kind' | 'key' | 'fence' | 'revision' | 'renew' | 'signal'>
  readonly signal: AbortSignal
}

/** How an attempt ended. */
type AttemptEnd = { readonly attempt: Attempt; readonly error: string }

const interruptedText = 'interrupted before completion'

const takenOver = () => failure('conflict', 'snapshot.taken-over', 'another run has taken over')

/** Begins an attempt: a waiting one, or a new one. Undefined when another run has taken over. */
export async function beginAttempt(deps: Deps, work: AttemptWork): Promise<Attempt | undefined> {
  const { configuration, destination, run } = work
  const { name } = configuration
  const id = deps.ids.uuid()
  const now = await deps.store.databaseNow()
  return await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'snapshots')
    if (!(await isFenceCurrent(tx, run))) return undefined
    await endInterrupted(tx, name, now, interruptedText)
    const { waiting } = await loadLatestAttempts(tx, name)
    if (waiting) await takeOnRequest(tx, run)
    else await insertAttempt(tx, { id, name, trigger_kind: 'schedule', node: deps.settings.nodeName })
    const status = await loadStatus(tx, name)
    const number = nextNumber(deps.clock.now(), run.fence, status.last_number)
    const object = snapshotName(configuration.filePrefix, number)
    // One that was asked for does not change the rhythm, but if the schedule is due as well, it is both.
    const isBesides =
      waiting?.trigger_kind === 'manual' && nextRegularRun(configuration.interval, status.anchor, now) > now
    await updateStatus(tx, name, { last_number: number.toString(), ...(isBesides ? {} : { anchor: now }) })
    const begun = { started_at: now, object, url: destination.urlOf(object), node: deps.settings.nodeName }
    await updateAttempt(tx, waiting?.id ?? id, begun)
    return await loadAttempt(tx, waiting?.id ?? id)
  })
}

/** Takes a snapshot and stores it; the result is recorded only if no other run has taken over. */
export async function runAttempt(deps: Deps, work: AttemptWork, attempt: Attempt): Promise<AttemptEnd> {
  let stored: { size: number; sha256: string } | undefined
  let error = ''
  try {
    stored = await takeAndStore(deps, work, attempt.object)
  } catch (thrown) {
    error = errorText(thrown, work.configuration, work.signal)
    await logFailure(deps, attempt, error)
  }
  const end = { error, ended_at: await deps.store.databaseNow(), ...stored }
  const isRecorded = await recordEnd(deps, work, attempt, end)
  // A run that was taken over must not leave a snapshot behind that is not recorded.
  if (!isRecorded && stored) await work.destination.delete(attempt.object, AbortSignal.timeout(30_000))
  if (!isRecorded) throw takenOver()
  return { attempt: { ...attempt, ...end }, error }
}

/** An error that stays is logged when it comes, not at every interval; the status and the history have it each time. */
async function logFailure({ db, log }: Deps, { id, name }: Attempt, error: string): Promise<void> {
  const before = await loadLatestAttempts(db, name).catch(() => undefined)
  if (isSameReason(before?.ended?.error ?? '', error)) return
  log.warn({ config: name, attempt: id, error }, 'snapshot failed')
}

async function takeAndStore(deps: Deps, work: AttemptWork, object: string): Promise<{ size: number; sha256: string }> {
  const { destination, signal, run } = work
  const archive = await inStage('taking snapshot', () => takeArchive(deps, { signal }))
  try {
    const confirm = async () => {
      signal.throwIfAborted()
      if (!(await run.renew())) throw takenOver()
    }
    await inStage(`${destination.stage} snapshot`, () => destination.put(object, archive, { signal, confirm }))
    return { size: archive.summary.size, sha256: archive.summary.sha256 }
  } finally {
    await archive.remove()
  }
}

/** Names the stage in which something went wrong. */
async function inStage<T>(stage: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (cause) {
    throw failure('unavailable', 'snapshot.failed', stage, { cause })
  }
}

type AttemptResult = Pick<Attempt, 'error' | 'ended_at'> & { size?: number; sha256?: string }

async function recordEnd(deps: Deps, work: AttemptWork, attempt: Attempt, end: AttemptResult): Promise<boolean> {
  const { run, configuration } = work
  return await inTransaction(deps.db, async (tx) => {
    if (!(await isFenceCurrent(tx, run))) return false
    await updateAttempt(tx, attempt.id, end)
    if (!isInterrupted(deps, run)) await countErrors(tx, configuration.name, end.error)
    await forgetOldAttempts(tx, configuration.name, end.ended_at ?? deps.clock.now())
    return true
  })
}

/** True while the keys of the store are not in memory. */
export const isSealed = ({ keyring }: Pick<Deps, 'keyring'>): boolean => keyring.state !== 'unsealed'

/** True if the server was stopped or sealed during the work: its end then says nothing about the destination. */
export const isInterrupted = (deps: Pick<Deps, 'keyring'>, { signal }: Pick<JobRun, 'signal'>): boolean =>
  signal.aborted || isSealed(deps)

async function countErrors(tx: Tx, name: string, error: string): Promise<void> {
  const { consecutive_errors: before } = await loadStatus(tx, name)
  await updateStatus(tx, name, { consecutive_errors: error === '' ? 0 : before + 1 })
}

/** Ends the attempt of a run that could not go on, so that status does not show it as running. */
export async function recordFailedRun(deps: Deps, run: AttemptWork['run'], error: string): Promise<void> {
  const now = await deps.store.databaseNow()
  await inTransaction(deps.db, async (tx) => {
    if (await isFenceCurrent(tx, run)) await endInterrupted(tx, run.key, now, error)
  })
}

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
