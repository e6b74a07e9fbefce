import { loadRun, remaining, renewLease, runLimits } from '../runs/index.ts'
import { nextChange } from './claim-actions.ts'
import type { OnJob } from './runner-access-actions.ts'
import { noteJobSeen, type RunnerDeps } from './runner-actions.ts'

/** What a runner learns when it renews a job. */
export type Renewal = { readonly lease_ms: number; readonly signal: string; readonly deadline_ms: number }

/** How long a runner waits at most, and which signal it knows of. */
type Waiting = { readonly milliseconds: number; readonly known: string | undefined; readonly signal: AbortSignal }

const over: Renewal = { lease_ms: 0, signal: 'kill', deadline_ms: 0 }

/** A runner says that it works on a job, and waits for word to end it. */
export async function renewJob(
  deps: RunnerDeps,
  { job, run, isOver }: OnJob,
  { milliseconds, known = 'none', signal }: Waiting,
): Promise<Renewal> {
  if (isOver) return over
  const until = deps.clock.monotonic() + milliseconds
  await renewLease(deps, run, job.fence)
  await noteJobSeen(deps, job)
  for (;;) {
    const seen = deps.store.versions.of('runs')
    const current = await loadRun(deps.db, run.id)
    if (current?.fence !== job.fence) return over
    const now = deps.clock.now()
    const told = current.signal ?? 'none'
    const left = until - deps.clock.monotonic()
    if (told !== known || left <= 0 || signal.aborted) {
      const end = current.endBy ?? current.limitAt
      return {
        lease_ms: Math.min(remaining(current.leaseUntil, now), runLimits.lease),
        signal: told,
        deadline_ms: remaining(end, now),
      }
    }
    await nextChange(deps, seen, Math.min(left, 2_000), signal)
  }
}
