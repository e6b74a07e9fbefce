import { failure } from '../../../kernel/failure.ts'
import { pause } from '../../../kernel/pause.ts'
import type { Deps } from '../../../kit/deps.ts'
import { loadJob, runJobNow } from '../../../kit/job-store.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { requireConfiguration } from '../configurations/configuration-actions.ts'
import { type Attempt, insertAttempt, loadAttempt, loadLatestAttempts } from '../schedule/attempt-store.ts'
import { takeJobKind, verifyJobKind } from '../schedule/schedule.ts'

const pollInterval = 100

/** Requests a snapshot now. If one runs or waits already, that one is returned. The schedule keeps its rhythm. */
export async function runNow(deps: Pick<Deps, 'db' | 'keyring' | 'ids' | 'settings'>, name: string): Promise<string> {
  const { paused } = await requireConfiguration(deps, name)
  if (paused) {
    const text = `configuration '${name}' is paused; resume it first (snapshot-auto/resume/${name})`
    throw failure('conflict', 'snapshot.paused', text)
  }
  const fresh = deps.ids.uuid()
  return await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'snapshots')
    const { begun, waiting } = await loadLatestAttempts(tx, name)
    if (begun?.ended_at === null) return begun.id
    if (waiting) return waiting.id
    await insertAttempt(tx, { id: fresh, name, trigger_kind: 'manual', node: deps.settings.nodeName })
    if (!(await runJobNow(tx, takeJobKind, name))) {
      throw failure('conflict', 'snapshot.no-schedule', 'the configuration has no schedule at the moment; try again')
    }
    return fresh
  })
}

/**
 * Waits for the end of an attempt and of the retention that follows it, and of verification if asked to, whichever node
 * works on it; when the time is over, returns what is known.
 */
export async function waitForAttempt(
  deps: Pick<Deps, 'db' | 'store' | 'clock'>,
  id: string,
  { seconds, signal, withVerification }: { seconds: number; signal: AbortSignal; withVerification: boolean },
): Promise<{ attempt: Attempt | undefined; isOver: boolean }> {
  const until = deps.clock.monotonic() + seconds * 1_000
  for (;;) {
    const attempt = await loadAttempt(deps.db, id)
    if (!attempt) return { attempt, isOver: false }
    const isOver = (await isRunOver(deps, attempt)) && !(withVerification && (await isVerificationDue(deps, attempt)))
    // Read again, since it now shows what retention removed and what verification found.
    if (isOver) return { attempt: await loadAttempt(deps.db, id), isOver }
    if (deps.clock.monotonic() >= until) return { attempt, isOver: attempt.ended_at !== null && !withVerification }
    await pause(pollInterval, signal)
  }
}

/** A good attempt ends before old snapshots are removed: its run is over when no process works on it any more. */
async function isRunOver(deps: Pick<Deps, 'db' | 'store'>, { id, name, ...attempt }: Attempt): Promise<boolean> {
  if (attempt.ended_at === null) return false
  if (attempt.error !== '') return true
  const { begun } = await loadLatestAttempts(deps.db, name)
  const job = await loadJob(deps.db, takeJobKind, name, await deps.store.databaseNow())
  return begun?.id !== id || !job?.isRunning
}

/** True while a stored snapshot is to be verified and there is no result, not even that it could not be done. */
async function isVerificationDue(deps: Pick<Deps, 'db' | 'store'>, { id, name }: Attempt): Promise<boolean> {
  const now = await deps.store.databaseNow()
  const isRequested = (await loadJob(deps.db, verifyJobKind, name, now)) !== undefined
  const { good } = await loadLatestAttempts(deps.db, name)
  return isRequested && good?.id === id && good.verified_at === null && good.verify_error === ''
}
