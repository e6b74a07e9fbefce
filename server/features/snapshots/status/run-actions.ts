import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { runJobNow } from '../../../kit/job-store.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { takeTurn } from '../../../storage/versions.ts'
import { requireConfiguration } from '../configurations/configuration-actions.ts'
import { type Attempt, insertAttempt, loadAttempt, loadLatest } from '../schedule/attempt-store.ts'
import { takeJobKind } from '../schedule/schedule-rules.ts'

const lookEvery = 100

/** Asks for a snapshot now. One that runs or waits already is it; the rhythm of the schedule stays. */
export async function runNow(deps: Pick<Deps, 'db' | 'keyring' | 'ids' | 'settings'>, name: string): Promise<string> {
  const { paused } = await requireConfiguration(deps, name)
  if (paused) throw failure('conflict', 'snapshot.paused', 'the configuration is paused; resume it first')
  const fresh = deps.ids.uuid()
  return await inTransaction(deps.db, async (tx) => {
    await takeTurn(tx, 'snapshots')
    const { begun, waiting } = await loadLatest(tx, name)
    if (begun?.ended_at === null) return begun.id
    if (waiting) return waiting.id
    await insertAttempt(tx, { id: fresh, name, trigger_kind: 'manual', node: deps.settings.nodeName })
    if (!(await runJobNow(tx, takeJobKind, name))) {
      throw failure('conflict', 'snapshot.no-schedule', 'the configuration has no schedule at the moment; try again')
    }
    return fresh
  })
}

/** Waits for the end of an attempt, whichever node works on it; what is known when the time is over is returned. */
export async function waitForAttempt(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: string,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<Attempt | undefined> {
  const until = deps.clock.monotonic() + seconds * 1_000
  for (;;) {
    const attempt = await loadAttempt(deps.db, id)
    if (!attempt || attempt.ended_at !== null || deps.clock.monotonic() >= until) return attempt
    await sleep(lookEvery, undefined, { signal })
  }
}
