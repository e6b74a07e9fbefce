import type { ActorPrincipal } from '../../../kernel/principal.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { hashOfToken, loadJobByToken, loadRun } from '../runs/index.ts'
import { requireFence } from './runner-access-actions.ts'
import { isTokenGone } from './runner-store.ts'

/** The run whose tool, or whose runner, holds a token; undefined once the phase has ended. */
export async function authenticateRun(deps: Deps, request: RequestFacts): Promise<ActorPrincipal | undefined> {
  const { presentedToken } = request
  const holder = presentedToken.startsWith('hfr.') ? 'runner' : 'tool'
  const job = await loadJobByToken(deps.db, holder, hashOfToken(deps, presentedToken))
  if (!job || job.endedAt !== null || (await isTokenGone(deps.db, job.runnerId, deps.clock.now()))) return undefined
  const run = await loadRun(deps.db, job.runId)
  if (run?.fence !== job.fence) return undefined
  const mayWriteState = holder === 'runner' && job.phase === 'apply'
  if (mayWriteState) requireFence(request, job)
  return {
    kind: 'run',
    id: run.id,
    name: run.id,
    tokenId: '',
    via: 'run-token',
    organizationId: run.organizationId,
    siteAdmin: false,
    run: { workspaceId: run.workspaceId, mayWriteState },
  }
}
