import { Failure } from '../../../kernel/failure.ts'
import { pause } from '../../../kernel/pause.ts'
import type { Tx } from '../../../storage/open.ts'
import {
  claimJob,
  type GivenJob,
  listJobsOf,
  listOpenJobs,
  loadConcurrency,
  loadPause,
  type Run,
} from '../runs/index.ts'
import { loadPools, loadWorkspace, mayUsePool } from '../workspaces/index.ts'
import { type Candidate, claimOrder, hasRoom } from './claim-order.ts'
import { listCandidates } from './claim-store.ts'
import { notInForce, placeText, type Runner, workRootOf } from './runner.ts'
import { noteRunner, type RunnerDeps, unknownJobs } from './runner-actions.ts'
import { lockRunner } from './runner-store.ts'

/** What a runner asks for: so many jobs, beside those that it knows it has. */
export type Wish = { readonly free: number; readonly running: readonly string[] }

/** Jobs for a runner: those that it has without knowing, then others in their order. */
export async function claimJobs(deps: RunnerDeps, runner: Runner, { free, running }: Wish): Promise<GivenJob[]> {
  const given = await unknownJobs(deps, runner, running)
  if (given.length >= free || (await loadPause(deps.db))) return given
  for (const candidate of await candidatesFor(deps, runner)) {
    const job = await claim(deps, runner, candidate)
    if (job) given.push(job)
    if (given.length >= free) break
  }
  return given
}

async function candidatesFor(deps: RunnerDeps, { poolId }: Runner): Promise<Candidate[]> {
  const now = deps.clock.now()
  const candidates = await listCandidates(deps.db, { poolId }, now)
  const organizationIds = [...new Set(candidates.map(({ organizationId }) => organizationId))]
  return claimOrder(candidates, await loadConcurrency(deps.db, organizationIds), now)
}

/** Claims one job; undefined if somebody else has, or it may not be had. */
async function claim(deps: RunnerDeps, runner: Runner, candidate: Candidate): Promise<GivenJob | undefined> {
  const [pool] = runner.poolId === null ? [] : await loadPools(deps.db, [runner.poolId])
  if (runner.poolId !== null && !pool) return undefined
  const { runId: id, workspaceId } = candidate
  const claimer = {
    runnerId: runner.id,
    runnerName: runner.name,
    poolId: runner.poolId,
    poolName: pool?.name ?? null,
    layer: runner.layer,
    notInForce: notInForce(runner),
    os: runner.os,
    arch: runner.arch,
    workRoot: workRootOf(runner, { id: id as Run['id'] }),
    placeText: placeText(pool),
    mayTake: (tx: Tx, run: Run) => mayTake(tx, runner, candidate, run),
  }
  try {
    return await claimJob(deps, { id: id as Run['id'], workspaceId }, claimer)
  } catch (thrown) {
    // The workspace has just been deleted.
    if (thrown instanceof Failure && thrown.kind === 'missing') return undefined
    throw thrown
  }
}

/** Decided with other claims of the organization and of the runner held still. */
async function mayTake(tx: Tx, runner: Runner, candidate: Candidate, run: Run): Promise<boolean> {
  if (run.agentPoolId !== runner.poolId && runner.poolId !== null) return false
  if ((run.executionMode === 'agent') !== (runner.poolId !== null)) return false
  const load = (await loadConcurrency(tx, [run.organizationId])).get(run.organizationId)
  if (!load || !hasRoom(candidate, load)) return false
  const locked = await lockRunner(tx, runner.id)
  if (!locked || (await listOpenJobs(tx, [runner.id])).length >= locked.maxJobs) return false
  if (run.status === 'apply_queued' && !(await fitsPlan(tx, runner, run))) return false
  return runner.poolId === null || (await allowsWorkspace(tx, runner.poolId, run))
}

/** Plan files and lock files bind providers to a platform, and paths to a folder. */
async function fitsPlan(tx: Tx, runner: Runner, run: Run): Promise<boolean> {
  const planned = (await listJobsOf(tx, [run.id])).findLast(({ phase }) => phase === 'plan')
  if (!planned) return true
  const isSamePlace = planned.workRoot === null || planned.workRoot === workRootOf(runner, run)
  return planned.os === runner.os && planned.arch === runner.arch && isSamePlace
}

async function allowsWorkspace(tx: Tx, poolId: string, { workspaceId, organizationId }: Run): Promise<boolean> {
  const workspace = await loadWorkspace(tx, workspaceId)
  return (
    workspace !== undefined &&
    (await mayUsePool(tx, poolId, { organizationId, projectId: workspace.projectId, workspaceId }))
  )
}

/** How long to wait at most before looking again, should another process have made room without telling. */
const lookAgain = 2_000

type Patience = { readonly milliseconds: number; readonly signal: AbortSignal }

/** The same, and waits until there is one, or for so long. */
export async function awaitJobs(
  deps: RunnerDeps,
  runner: Runner,
  wish: Wish,
  { milliseconds, signal }: Patience,
): Promise<GivenJob[]> {
  const until = deps.clock.monotonic() + milliseconds
  await noteRunner(deps, runner)
  for (;;) {
    const seen = deps.store.versions.of('runs')
    const given = await claimJobs(deps, runner, wish)
    const left = until - deps.clock.monotonic()
    if (given.length > 0 || left <= 0 || signal.aborted) return given
    await nextChange(deps, seen, Math.min(left, lookAgain), signal)
  }
}

/** Waits until something has become of a run since, for at most this long. */
export async function nextChange(
  { store }: Pick<RunnerDeps, 'store'>,
  seen: number,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  const isOver = new AbortController()
  const forget = store.versions.onChange('runs', () => isOver.abort())
  try {
    if (store.versions.of('runs') !== seen) return
    await pause(Math.max(1, milliseconds), AbortSignal.any([signal, isOver.signal]))
  } catch {
    // Woken, or nobody waits any more.
  } finally {
    forget()
  }
}
