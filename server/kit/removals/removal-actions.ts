import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../../kernel/failure.ts'
import { isRemote, type Tx } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import type { Deps } from '../deps.ts'
import { defineJob, type Job, type JobRun } from '../job.ts'
import { isFenceCurrent, runJobNow } from '../job-store.ts'
import { partsOf } from '../parts.ts'
import { throttledRefresh } from '../throttled-refresh.ts'
import {
  batchSizes,
  nextBatchSize,
  type Progress,
  type Removal,
  type RemovalKey,
  type RemovalKind,
  removalKinds,
} from './removal.ts'
import { loadRemovals, lockRemovalForUpdate, saveProblem, saveProgress } from './removal-store.ts'

/** How the rows of a kind are removed. */
export type Remover = {
  readonly kind: RemovalKind
  /**
   * Removes about `limit` rows, in a transaction of its own. It is called until nothing is left, possibly long after the
   * removal was asked for, and on another node.
   */
  readonly removeSome: (deps: Deps, tx: Tx, removal: Removal, limit: number) => Promise<Progress>
}

declare module '../parts.ts' {
  interface FeatureParts {
    /** How the rows of a kind are removed that a feature hides at once. */
    remover: Remover
  }
}

const jobName = 'removals'

/** Milliseconds that a request removes rows itself, so that most removals have ended when it is answered. */
const requestTime = 250

/**
 * Removes rows of what this request has hidden, for a while; a job removes what is left. The things are gone already, so
 * problems are left to the job too.
 */
export async function beginRemoval(deps: Deps, ...keys: RemovalKey[]): Promise<void> {
  try {
    if (await removeForAWhile(deps, keys)) return
  } catch (error) {
    deps.log.warn({ error, removals: keys }, 'removal left to a job')
  }
  await inTransaction(deps.db, (tx) => runJobNow(tx, jobName, ''))
}

/** False if there was no time to end all of them. */
async function removeForAWhile(deps: Deps, keys: readonly RemovalKey[]): Promise<boolean> {
  const until = deps.clock.monotonic() + requestTime
  const batches = new Batches(deps)
  for (const key of keys) {
    while (!(await batches.next(key))) if (deps.clock.monotonic() > until) return false
  }
  return true
}

/** Continues all removals in turn, whichever process or snapshot they were begun in. */
export const removalJob: Job = defineJob({ name: jobName, every: '30s', jitter: '5s', run: continueRemovals })

async function continueRemovals(deps: Deps, run: JobRun): Promise<void> {
  const batches = new Batches(deps, run)
  const failed = new Set<string>()
  const kinds = partsOf(deps, 'remover').map(({ kind }) => kind)
  for (;;) {
    const left = (await loadRemovals(deps.db, kinds)).filter(({ subjectId }) => !failed.has(subjectId))
    if (left.length === 0) break
    for (const removal of left) {
      try {
        await batches.next(removal)
      } catch (thrown) {
        if (run.signal.aborted || !(await run.renew())) throw thrown
        failed.add(removal.subjectId)
        deps.log.warn({ error: thrown, kind: removal.kind, name: removal.name }, 'removal failed')
        await saveProblem(deps.db, removal, textOf(thrown))
      }
    }
  }
  if (failed.size > 0) throw new Error(`Removals that failed: ${failed.size}.`)
}

/** Milliseconds between two batches at most, however long the database has taken for one. */
const longestPause = 50

/** Removes rows in small transactions, and leaves others as much time as it takes. */
class Batches {
  readonly #deps: Deps
  readonly #run: JobRun | undefined
  readonly #sizes = new Map<RemovalKind, number>()

  constructor(deps: Deps, run?: JobRun) {
    this.#deps = deps
    this.#run = run
  }

  /** Removes a batch; true if the removal has ended. */
  async next(key: RemovalKey): Promise<boolean> {
    const { clock, db, log } = this.#deps
    this.#run?.signal.throwIfAborted()
    const size = isRemote(db) ? batchSizes.remote : (this.#sizes.get(key.kind) ?? batchSizes.first)
    const { removal, progress, took, busy } = await inTransaction(db, async (tx) => {
      if (this.#run && !(await isFenceCurrent(tx, this.#run))) throw new Error('Another run has begun.')
      const [startedAt, busyBefore] = [clock.monotonic(), process.threadCpuUsage()]
      const removal = await lockRemovalForUpdate(tx, key)
      const progress = removal ? await removerOf(this.#deps, key.kind).removeSome(this.#deps, tx, removal, size) : ended
      await saveProgress(tx, key, progress)
      const { user, system } = process.threadCpuUsage(busyBefore)
      return { removal, progress, took: clock.monotonic() - startedAt, busy: (user + system) / 1_000 }
    })
    this.#sizes.set(key.kind, nextBatchSize(size, busy))
    if (progress.left <= 0) {
      if (removal) log.info({ kind: key.kind, name: removal.name }, 'removal finished')
      return true
    }
    await sleep(Math.min(took, longestPause), undefined, { signal: this.#run?.signal })
    return false
  }
}

const ended: Progress = { left: 0 }

function removerOf(deps: Deps, kind: RemovalKind): Remover {
  const remover = partsOf(deps, 'remover').find((each) => each.kind === kind)
  if (!remover) throw new Error(`Nothing removes what is of kind ${kind}.`)
  return remover
}

/** Milliseconds for which counted rows are shown. */
const goodFor = 5_000

/** Shows how many rows are left to be removed. */
export function measureRemovals(deps: Deps): void {
  const help = 'Rows that are left to be removed, of what was deleted already.'
  const gauge = deps.metrics.gauge('holdfast_removal_rows_left', help, ['kind'], { stored: true })
  const refresh = async (): Promise<void> => {
    const removals = await loadRemovals(deps.db, removalKinds)
    for (const kind of removalKinds) gauge.set({ kind }, 0)
    for (const { kind, rowsLeft } of removals) gauge.inc({ kind }, rowsLeft)
  }
  deps.metrics.onRender(
    throttledRefresh(deps, { refresh, goodFor, failed: 'rows that are left to be removed not read' }),
  )
}
