import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts, RuleAccess } from '../../../kit/endpoint.ts'
import {
  hashOfToken,
  type Job,
  jobGone,
  lastCalls,
  loadJobByToken,
  loadRun,
  type Run,
  staleFence,
} from '../runs/index.ts'
import type { Runner } from './runner.ts'
import { admissionOf, runnerOfSession, unknownToken } from './runner-actions.ts'
import { isTokenGone } from './runner-store.ts'

/** Who may register: runners with a token of a pool, and the one that this process has started. */
export const onRegistration: RuleAccess<NonNullable<Awaited<ReturnType<typeof admissionOf>>>> = {
  kind: 'rule',
  name: 'runner:registration',
  check: async ({ deps, request }) => {
    const admission = await admissionOf(deps, request.presentedToken)
    if (!admission) throw failure('unauthenticated', 'token', 'Register with a valid token of an agent pool.')
    return admission
  },
}

/** A runner with a session. */
export const onSession: RuleAccess<Runner> = {
  kind: 'rule',
  name: 'runner:session',
  check: async ({ deps, request }) => {
    const runner = await runnerOfSession(deps, request.presentedToken)
    if (!runner) throw unknownToken()
    return runner
  },
}

/** A job of the runner that calls, and its run. */
export type OnJob = { readonly job: Job; readonly run: Run; readonly isOver: boolean }

/** For how long a job may be named after it has ended: not at all, to repeat the last calls, or to rescue a state. */
type Afterwards = 'refused' | 'repeat' | 'rescue'

/** A job for the runner that holds its token. */
export const onJob = (afterwards: Afterwards = 'refused'): RuleAccess<OnJob> => ({
  kind: 'rule',
  name: 'runner:job',
  check: async ({ deps, request, params }) => {
    const job = await jobOfToken(deps, request.presentedToken)
    if (!job || job.id !== params.jobId) throw unknownToken()
    const run = await loadRun(deps.db, job.runId)
    if (!run) throw jobGone()
    if (job.endedAt !== null && (afterwards === 'refused' || !isWithin(deps, job, afterwards))) throw unknownToken()
    requireFence(request, job)
    return { job, run, isOver: job.endedAt !== null }
  },
})

/** A runner whose token was revoked has no jobs any more. */
async function jobOfToken(deps: Deps, token: string): Promise<Job | undefined> {
  const job = token.startsWith('hfr.') ? await loadJobByToken(deps.db, 'runner', hashOfToken(deps, token)) : undefined
  return job && !(await isTokenGone(deps.db, job.runnerId, deps.clock.now())) ? job : undefined
}

/** Only a job that was taken from its runner has a state to rescue; one that was finished has stored it. */
function isWithin({ clock }: Pick<Deps, 'clock'>, { endedAt, outcome }: Job, afterwards: 'repeat' | 'rescue'): boolean {
  const time = afterwards === 'rescue' && outcome === null ? lastCalls.rescue : lastCalls.repeat
  return endedAt !== null && clock.now() - endedAt < time
}

/** What has an effect names the fence under which the runner has the job. */
export function requireFence({ verb, headers }: Pick<RequestFacts, 'verb' | 'headers'>, { fence }: Job): void {
  if (verb === 'GET' || verb === 'HEAD') return
  if (headers['holdfast-fence'] === String(fence)) return
  const text = headers['holdfast-fence'] === undefined ? 'Send the fence of the job in the header Holdfast-Fence.' : ''
  throw text === '' ? staleFence() : failure('conflict', 'stale-fence', text)
}
