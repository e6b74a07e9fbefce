import type { Deps } from '../../../kit/deps.ts'
import type { Queryable } from '../../../storage/open.ts'
import { loadPools, loadWorkspaces, mayUsePool, type Workspace } from '../workspaces/index.ts'
import { type Fleet, fleetKey, loadConcurrency, loadFleets, loadPause } from './fleet-store.ts'
import type { Run } from './run.ts'
import { isRemoteExecutionOn, loadHeads } from './run-store.ts'
import { type WaitReason, waitReason } from './wait-reason.ts'

/** What runs depend on besides themselves. */
export type RunSurroundings = {
  readonly workspaces: ReadonlyMap<string, Workspace>
  readonly heads: ReadonlyMap<string, Run>
  /** Why each of them waits, if it does. */
  readonly reasons: ReadonlyMap<string, WaitReason>
}

/** What these runs depend on, with why they wait: the same few queries for one as for a page of them. */
export async function surroundingsOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  runs: readonly Run[],
): Promise<RunSurroundings> {
  const now = clock.now()
  const ids = [...new Set(runs.map(({ workspaceId }) => workspaceId))]
  const workspaces = new Map((await loadWorkspaces(db, ids)).map((workspace) => [workspace.id as string, workspace]))
  const heads = await loadHeads(db, ids)
  const isOn = new Map<string, boolean>()
  for (const id of new Set(runs.map(({ organizationId }) => organizationId))) {
    isOn.set(id, await isRemoteExecutionOn(db, id))
  }
  const waiting = runs.filter(isQueued)
  const pools = [...new Set(waiting.flatMap(({ agentPoolId }) => agentPoolId ?? []))]
  const organizations = [...new Set(waiting.map(({ organizationId }) => organizationId))]
  const fleets = waiting.length > 0 ? await loadFleets(db, pools, now) : new Map<string, Fleet>()
  const concurrency = await loadConcurrency(db, organizations)
  const pause = waiting.length > 0 ? await loadPause(db) : undefined
  const reasons = new Map<string, WaitReason>()
  for (const run of runs) {
    const workspace = workspaces.get(run.workspaceId)
    const reason = waitReason(run, {
      head: heads.get(run.workspaceId),
      lock: workspace?.lock ?? null,
      isRemoteExecutionOn: isOn.get(run.organizationId) ?? false,
      pool: workspace && (await poolOf(db, run, workspace)),
      fleet: fleets.get(fleetKey({ poolId: run.executionMode === 'agent' ? run.agentPoolId : null })),
      concurrency: concurrency.get(run.organizationId),
      pause,
    })
    if (reason) reasons.set(run.id, reason)
  }
  return { workspaces, heads, reasons }
}

const isQueued = ({ status }: Pick<Run, 'status'>): boolean => status === 'plan_queued' || status === 'apply_queued'

/** The pool whose runners a run waits for. */
async function poolOf(
  db: Queryable,
  { agentPoolId, status, executionMode }: Run,
  { id, organizationId, projectId }: Workspace,
) {
  if (!isQueued({ status }) || executionMode !== 'agent' || agentPoolId === null) return undefined
  const [pool] = await loadPools(db, [agentPoolId])
  const user = { organizationId, projectId, workspaceId: id }
  return pool && { name: pool.name, isAllowed: await mayUsePool(db, agentPoolId, user) }
}
