import { EventEmitter } from 'node:events'
import { failure } from '../../../../kernel/failure.ts'
import { pause } from '../../../../kernel/pause.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { addBytes, addToLog } from '../record-actions.ts'
import { listJobChunks, logLength, placeOfChunk } from '../record-store.ts'
import { isPhaseFinal, type Run } from '../run.ts'
import { loadRun, loadRunOfPhase } from '../run-store.ts'
import { type Job, logLimits, withoutMarks } from './job.ts'
import { jobGone, staleFence } from './job-actions.ts'
import { loadJob, lockRun, saveLogLength } from './job-store.ts'

type LogDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'keyring'>

/** Readers of a phase wait here for what is written by this process. */
const news = perApp(() => new EventEmitter().setMaxListeners(0))

/** Adds what a runner has sent of the log of its job, and returns how many bytes of it there are by now. */
export async function appendLog(
  deps: LogDeps,
  { id, runId, fence }: Job,
  offset: number,
  sent: Buffer,
): Promise<number> {
  const bytes = withoutMarks(Buffer.from(sent))
  const { length, phaseId } = await inTransaction(deps.db, async (tx) => {
    if (!(await lockRun(tx, runId))) throw jobGone()
    const run = await loadRun(tx, runId)
    const job = await loadJob(tx, id)
    if (!run || !job) throw jobGone()
    if (run.fence !== fence) throw staleFence()
    if (offset > job.logLength) throw gap(job.logLength)
    const known = Math.min(bytes.length, job.logLength - offset)
    if (known > 0) await requireSame(deps, tx, { job, phaseId: run[job.phase].id, offset }, bytes.subarray(0, known))
    const added = bytes.subarray(known)
    const phase = run[job.phase]
    if (added.length > 0) await add(deps, tx, { run, job, added })
    return { length: job.logLength + added.length, phaseId: phase.id }
  })
  news(deps).emit(phaseId)
  return length
}

const gap = (length: number) =>
  failure('conflict', 'offset', `Bytes are missing before this offset: send the log from ${length} on.`, {
    data: { length },
  })

/** Bytes never change once they can be read, so those that come again have to be the same. */
async function requireSame(
  deps: LogDeps,
  tx: Tx,
  { job, phaseId, offset }: { readonly job: Job; readonly phaseId: string; readonly offset: number },
  bytes: Buffer,
): Promise<void> {
  const range = { offset, limit: bytes.length }
  for (const { position, jobPosition, content } of await listJobChunks(tx, { phaseId, jobId: job.id }, range)) {
    const stored = Buffer.from(deps.keyring.open(content, placeOfChunk(phaseId, position)))
    const from = Math.max(0, offset - jobPosition)
    const sentFrom = Math.max(0, jobPosition - offset)
    const size = Math.min(stored.length - from, bytes.length - sentFrom)
    if (stored.subarray(from, from + size).equals(bytes.subarray(sentFrom, sentFrom + size))) continue
    throw failure('conflict', 'log-diverged', 'These bytes of the log were sent before, and were others.')
  }
}

type Added = { readonly run: Run; readonly job: Job; readonly added: Buffer }

/** Beyond the limit bytes are counted and dropped, so that the tool goes on. */
async function add(deps: LogDeps, tx: Tx, { run, job, added }: Added): Promise<void> {
  const phase = run[job.phase]
  const room = job.isLogCut ? 0 : Math.max(0, logLimits.phase - job.logLength)
  const kept = added.subarray(0, room)
  const isLogCut = kept.length < added.length
  if (kept.length > 0) {
    const position = await logLength(tx, phase.id)
    const place = { phaseId: phase.id, position, jobId: job.id, jobPosition: job.logLength }
    await addBytes(deps, tx, run, { ...place, bytes: kept })
  }
  if (isLogCut && !job.isLogCut) {
    const line = `\nThe log has reached its limit of ${logLimits.phase / 1024 ** 2} MiB: the rest is dropped, the tool goes on.`
    await addToLog(deps, tx, run, { phase, line, isOfJob: true })
  }
  await saveLogLength(tx, job.id, { logLength: job.logLength + added.length, isLogCut })
}

/** Another process may have written; this one is told at once. */
const lookAgain = 250

/** Waits until the log of a phase is longer than this, or has ended. */
export async function waitForLog(
  deps: LogDeps,
  { phaseId, offset }: { readonly phaseId: string; readonly offset: number },
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<void> {
  const until = deps.clock.monotonic() + milliseconds
  while (!signal.aborted && deps.clock.monotonic() < until && !(await hasMore(deps.db, phaseId, offset))) {
    await nextNews(deps, phaseId, Math.min(lookAgain, until - deps.clock.monotonic()), signal)
  }
}

async function hasMore(db: Queryable, phaseId: string, offset: number): Promise<boolean> {
  if ((await logLength(db, phaseId)) > offset) return true
  const run = await loadRunOfPhase(db, phaseId.startsWith('plan-') ? 'plan' : 'apply', phaseId)
  if (!run) return true
  return isPhaseFinal(run.plan.id === phaseId ? run.plan.status : run.apply.status)
}

async function nextNews(deps: LogDeps, phaseId: string, milliseconds: number, signal: AbortSignal): Promise<void> {
  const isOver = new AbortController()
  const wake = (): void => isOver.abort()
  news(deps).once(phaseId, wake)
  try {
    await pause(Math.max(1, milliseconds), AbortSignal.any([signal, isOver.signal]))
  } catch {
    // Woken, or nobody waits any more.
  } finally {
    news(deps).off(phaseId, wake)
  }
}
