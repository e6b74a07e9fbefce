import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { verifyArchive } from '../../../archive/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { JobRun } from '../../../kit/job.ts'
import { bringJobForward, isFenceCurrent, scheduleJob } from '../../../kit/job-store.ts'
import { bit } from '../../../storage/bits.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { loadConfiguration } from '../configurations/configuration-store.ts'
import { openDestination } from '../destinations/open-destination-adapter.ts'
import { isSealed } from './attempt-actions.ts'
import { type Attempt, countBadInRow, loadAttempt, loadLatestAttempts, updateAttempt } from './attempt-store.ts'
import { errorText, singleLineText } from './failure-reason.ts'
import { nextRunAfterBad, takeJobKind, verifyJobKind } from './schedule.ts'
import { countVerification } from './snapshot-metrics-actions.ts'
import { loadStatus } from './status-store.ts'

type VerifyWork = { readonly run: JobRun; readonly configuration: Configuration; readonly attempt: Attempt }

/** Requests the check of a stored snapshot as a job of its own: the schedule does not wait for it. */
export async function requestVerification(
  deps: Deps,
  { name, verify }: Configuration,
  attempt: Attempt,
): Promise<void> {
  if (verify === 'none') return
  const nextRunAt = await deps.store.databaseNow()
  const job = { kind: verifyJobKind, key: name, nextRunAt, payload: { attempt: attempt.id } }
  await inTransaction(deps.db, (tx) => scheduleJob(tx, job))
}

/** Reads a stored snapshot back and proves that it can be restored; status and history show the result. */
export async function verifyNewest(deps: Deps, run: JobRun): Promise<void> {
  if (isSealed(deps)) return run.rescheduleAt(await deps.store.databaseNow())
  const found = await loadConfiguration(deps.db, deps.keyring, run.key)
  const { attempt: id } = run.payload as { attempt: string }
  const attempt = await loadAttempt(deps.db, id)
  if (!found || !attempt || found.configuration.verify === 'none') return
  const work = { run, configuration: found.configuration, attempt }
  if (found.configuration.type === 'local' && attempt.node !== deps.settings.nodeName) return leaveElsewhere(deps, work)
  try {
    await record(deps, work, { problem: await problemOf(deps, work) })
  } catch (thrown) {
    if (await isSuperseded(deps, attempt)) return
    if (!run.signal.aborted) await record(deps, work, { untried: errorText(thrown, found.configuration) })
    throw thrown
  }
}

/** A file on the disk of another node can only be checked by that node, which no longer does background work. */
async function leaveElsewhere(deps: Deps, work: VerifyWork): Promise<void> {
  if (await isSuperseded(deps, work.attempt)) return
  const { nodeName } = deps.settings
  await record(deps, work, {
    untried: `it lies on the disk of node ${work.attempt.node}, which ${nodeName} cannot read`,
  })
}

/**
 * True if there is a newer snapshot: retention may have removed this one while it was read, and its result no longer
 * matters.
 */
async function isSuperseded({ db }: Pick<Deps, 'db'>, { name, id }: Attempt): Promise<boolean> {
  const { good } = await loadLatestAttempts(db, name)
  return good?.id !== id
}

async function problemOf(deps: Deps, { run: { signal }, configuration, attempt }: VerifyWork): Promise<string> {
  const destination = await openDestination(deps, configuration)
  let stored: Readable | undefined
  try {
    stored = await destination.get(attempt.object, signal)
    // Until somebody reads the stream nobody listens to it, and an error would end the process.
    stored.on('error', () => undefined)
    const { problem, size, sha256 } =
      configuration.verify === 'checksum' ? await digestOf(stored) : await verifyArchive(deps, stored, { signal })
    if (problem !== '') return problem
    if (size === attempt.size && sha256 === attempt.sha256) return ''
    return 'checksum mismatch: the destination has other content than was stored'
  } finally {
    // If something fails before the stream is read, it is still open.
    stored?.destroy()
    destination.close()
  }
}

async function digestOf(source: AsyncIterable<Buffer>): Promise<{ problem: string; size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of source) {
    hash.update(piece)
    size += piece.length
  }
  return { problem: '', size, sha256: hash.digest('hex') }
}

/** What is wrong with the snapshot, or what kept us from finding out; the latter says nothing about the snapshot. */
type Outcome = { readonly problem: string } | { readonly untried: string }

async function record(deps: Deps, { run, configuration, attempt }: VerifyWork, outcome: Outcome): Promise<void> {
  const now = await deps.store.databaseNow()
  const log = { config: run.key, object: attempt.object }
  const problem = 'problem' in outcome ? outcome.problem : outcome.untried
  const isUntried = 'untried' in outcome
  const isBad = !isUntried && problem !== ''
  if (isUntried) deps.log.error({ ...log, problem }, 'snapshot could not be verified')
  else if (problem === '') deps.log.info(log, 'snapshot verified')
  else deps.log.error({ ...log, problem }, 'snapshot does not restore')
  await inTransaction(deps.db, async (tx) => {
    if (!(await isFenceCurrent(tx, run))) return
    await updateAttempt(tx, attempt.id, {
      verified_at: problem === '' ? now : null,
      verify_error: singleLineText(problem),
      verify_failed: bit(isBad),
    })
  })
  if (!isUntried) countVerification(deps, run.key, isBad)
  // If the process ends here, the job runs again.
  if (isBad) await retrySoon(deps, configuration, attempt)
}

/**
 * Brings the next snapshot forward: there is no use in waiting a whole interval with one that does not restore. A newer
 * attempt that runs or waits already is the next one.
 */
async function retrySoon(deps: Deps, configuration: Configuration, attempt: Attempt): Promise<void> {
  const { name: key } = configuration
  const now = await deps.store.databaseNow()
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'snapshots')
    const { begun, waiting } = await loadLatestAttempts(tx, key)
    if (begun?.id !== attempt.id || waiting) return
    const facts = { bad: await countBadInRow(tx, key), attempt }
    const nextRunAt = nextRunAfterBad(configuration, await loadStatus(tx, key), facts, now)
    await bringJobForward(tx, { kind: takeJobKind, key, nextRunAt }, now)
  })
}
