import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { workOff } from '../../../kit/work-off.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { expireConfiguration } from '../configurations/index.ts'
import { dropArtifacts } from './jobs/removal-actions.ts'
import { addToLog } from './record-actions.ts'
import { deleteLogs, deleteRun, listExpiredContent, listForgettable } from './retention-store.ts'
import { loadRun, updateRun } from './run-store.ts'
import { isFinal } from './run-words.ts'

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'log'>

/** Drops what policies say, and forgets old runs; returns how many runs that concerned. */
export async function retainRuns(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const dropped = await workOff(deps, {
    find: (limit) => listExpiredContent(deps.db, deps.clock.now(), limit),
    handle: (id) => dropContent(deps, id),
    problem: 'could not drop the content of a run',
    signal,
  })
  const forgotten = await workOff(deps, {
    find: (limit) => listForgettable(deps.db, deps.clock.now(), limit),
    handle: (id) => forget(deps, id),
    problem: 'could not delete an old run',
    signal,
  })
  return dropped + forgotten
}

/** Drops logs, plans and configuration of a run; the run stays, and its logs say why they are empty. */
const dropContent = (deps: RetentionDeps, id: string): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const run = await loadRun(tx, id)
    if (!run || !isFinal(run.status) || run.contentDroppedAt !== null) return false
    await dropArtifacts(tx, id)
    await deleteLogs(tx, id)
    const line = 'The log was deleted by the data retention policy.'
    for (const phase of [run.plan, run.apply]) await addToLog(deps, tx, run, { phase, line, isOver: true })
    await expireConfiguration(deps, tx, run.configurationVersionId)
    await updateRun(tx, { ...run, contentDroppedAt: deps.clock.now() })
    return true
  })

const forget = ({ db }: RetentionDeps, id: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const run = await loadRun(tx, id)
    if (!run || !isFinal(run.status)) return false
    await dropArtifacts(tx, id)
    await deleteRun(tx, id)
    return true
  })

/** Drops content and runs that are kept no longer, once a day. */
export const retentionJob: Job = defineJob({
  name: 'workspaces.retain-runs',
  every: '24h',
  run: async (deps, { signal }) => {
    const concerned = await retainRuns(deps, signal)
    if (concerned > 0) deps.log.info({ runs: concerned }, 'content of old runs dropped')
  },
})
