import { instant, later } from '../../../kernel/clock.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { throttledRefresh } from '../../../kit/throttled-refresh.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { addEvent, addToLog } from './record-actions.ts'
import { isPhaseFinal, type Run } from './run.ts'
import { changeRuns, moveDue, type RunDeps } from './run-actions.ts'
import { countByStatus, listDue, listStartable, listToLookAt, loadRun, lookLater, updateRun } from './run-store.ts'
import { phaseOf } from './transition.ts'
import type { WaitReason } from './wait-reason.ts'
import { surroundingsOf } from './waiting-actions.ts'

type SweepDeps = RunDeps & Pick<Deps, 'log'>

/** Runs of which one sweep takes care at most; the rest comes in the next. */
const most = 200

/** How long after a look the next one is. */
const lookAgain = 30_000

/** Acts on everything that has passed its time; returns how many runs that changed. */
export async function sweepRuns(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  let changed = 0
  const now = deps.clock.now()
  const due = [...(await listDue(deps.db, now, most)), ...(await listStartable(deps.db, most))]
  for (const run of due) {
    if (signal?.aborted) return changed
    changed += (await attempt(deps, run, () => moveDue(deps, run))) ? 1 : 0
  }
  return changed + (await tellWhy(deps))
}

/** One run that cannot be swept keeps no other from it. */
async function attempt(deps: SweepDeps, { id }: Run, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (err) {
    deps.log.error({ err, run: id }, 'could not act on the deadline of a run')
    return false
  }
}

/** Tells of runs why they wait, once for each cause: in an event, and in the log that somebody may be reading. */
async function tellWhy(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now()
  const runs = await listToLookAt(deps.db, now, most)
  if (runs.length === 0) return 0
  const { reasons } = await surroundingsOf(deps, runs)
  const news = runs.flatMap((run) => {
    const reason = reasons.get(run.id)
    return reason && !run.toldReasons.includes(reason.code) ? [{ run, reason }] : []
  })
  for (const { run, reason } of news) await attempt(deps, run, () => tell(deps, run, reason))
  const ids = runs.map(({ id }) => id)
  await inTransaction(deps.db, (tx) => lookLater(tx, ids, later(now, lookAgain)))
  return news.length
}

const tell = (deps: SweepDeps, { id, workspaceId }: Run, { code, message }: WaitReason): Promise<boolean> =>
  changeRuns(deps, serverAuthor, { workspaceId, starts: false }, async ({ tx }) => {
    const run = await loadRun(tx, id)
    if (!run || run.lookAt === null || run.toldReasons.includes(code)) return false
    await updateRun(tx, { ...run, toldReasons: [...run.toldReasons, code] })
    const description = `The run ${message}.`
    await addEvent(deps, tx, run, { action: 'waiting', description, actor: null })
    const phase = run[phaseOf(run)]
    if (isQueued(run) && !isPhaseFinal(phase.status))
      await addToLog(deps, tx, run, { phase, line: `Waiting: ${message}` })
    return true
  })

const isQueued = ({ status }: Run): boolean => status === 'plan_queued' || status === 'apply_queued'

/** The one job that acts when a time has passed: any node, one at a time. */
export const sweepJob: Job = defineJob({
  name: 'workspaces.sweep-runs',
  every: '2s',
  run: async (deps, { signal }) => void (await sweepRuns(deps, signal)),
})

/** A run is stuck if nobody has acted on its deadline for so long. */
const stuckAfter = 30_000

/** Shows how many runs have each status, and how many are stuck. */
export function watchRuns(deps: Pick<Deps, 'db' | 'clock' | 'metrics' | 'log'>): void {
  const { db, clock, metrics } = deps
  const byStatus = metrics.gauge('holdfast_runs', 'Runs that have not ended, by status.', ['status'], { stored: true })
  const stuck = metrics.gauge('holdfast_runs_stuck', 'Runs whose deadline passed more than 30 s ago.', [], {
    stored: true,
  })
  const refresh = async (): Promise<void> => {
    const counted = await countByStatus(db, instant(clock.now() - stuckAfter))
    byStatus.reset()
    for (const [status, count] of counted.byStatus) byStatus.set({ status }, count)
    stuck.set(counted.stuck)
  }
  metrics.onRender(throttledRefresh(deps, { refresh, goodFor: 0, failed: 'runs not counted' }))
}
