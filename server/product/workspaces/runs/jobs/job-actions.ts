import { failure } from '../../../../kernel/failure.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { addToLog } from '../record-actions.ts'
import type { PhaseResult, Run } from '../run.ts'
import { changeRuns, type Desk, moveOn, type RunDeps } from '../run-actions.ts'
import { isRemoteExecutionOn, loadRun } from '../run-store.ts'
import { phaseOf } from '../transition.ts'
import { type Artifact, type Job, type JobPlace, knownError, type Report, requiredArtifacts } from './job.ts'
import {
  hasPendingState,
  insertJob,
  listArtifacts,
  loadArtifact,
  loadJob,
  replaceTokens,
  saveOutcome,
  takeTurn,
} from './job-store.ts'

/** The two tokens of a job: the runner's changes something, the tool's only reads. */
export type JobTokens = { readonly token: string; readonly tool: string }

/** A job as it is handed out. */
export type GivenJob = { readonly job: Job; readonly run: Run; readonly tokens: JobTokens }

type TokenDeps = Pick<Deps, 'ids' | 'keyring'>

const newTokens = ({ ids }: TokenDeps): JobTokens => ({ token: `hfr.${ids.text(32)}`, tool: `hfx.${ids.text(32)}` })

/** The hash under which a token of a runner or of a job is stored. */
export const hashOfToken = ({ keyring }: Pick<Deps, 'keyring'>, text: string): string =>
  keyring.keyedHash('runner-token', text)

const hashesOf = (deps: TokenDeps, { token, tool }: JobTokens) => ({
  token: hashOfToken(deps, token),
  tool: hashOfToken(deps, tool),
})

/** Who claims a job; `mayTake` decides with everything else of the organization held still. */
export type Claimer = JobPlace & {
  /** Where the second line of the log says that it is executed. */
  readonly placeText: string
  readonly mayTake: (tx: Tx, run: Run) => Promise<boolean>
}

const isQueued = ({ status }: Run): boolean => status === 'plan_queued' || status === 'apply_queued'

/** Gives a runner the job of a run that waits for one; undefined if it is no longer to be had. */
export const claimJob = (
  deps: RunDeps,
  { id, workspaceId }: Pick<Run, 'id' | 'workspaceId'>,
  claimer: Claimer,
): Promise<GivenJob | undefined> =>
  changeRuns(deps, serverAuthor, { workspaceId, starts: false }, async (desk) => {
    const { tx } = desk
    const run = await loadRun(tx, id)
    if (!run || !isQueued(run)) return undefined
    await takeTurn(tx, run.organizationId)
    if (!(await isRemoteExecutionOn(tx, run.organizationId)) || !(await claimer.mayTake(tx, run))) return undefined
    const { runnerId: runner } = claimer
    const claimed = (await moveOn(desk, run, 'claim', { runner }))?.after
    return claimed && (await handOut(desk, claimed, claimer))
  })

async function handOut({ deps, tx }: Desk, run: Run, { mayTake: _, placeText, ...place }: Claimer): Promise<GivenJob> {
  const phase = phaseOf(run)
  const job: Job = {
    ...place,
    id: deps.ids.newId('rjob'),
    runId: run.id,
    workspaceId: run.workspaceId,
    phase,
    fence: run.fence,
    createdAt: deps.clock.now(),
    endedAt: null,
    logLength: 0,
    isLogCut: false,
    outcome: null,
    answer: null,
  }
  const tokens = newTokens(deps)
  await insertJob(tx, job, hashesOf(deps, tokens))
  const line = `${run.toolName} ${run.toolVersion}\non ${place.os}_${place.arch}, ${placeText}`
  await addToLog(deps, tx, run, { phase: run[phase], line, isOfJob: true })
  return { job, run, tokens }
}

/** Gives a runner a job again that it has, because the answer was lost or it was started again; with other tokens. */
export const giveAgain = (deps: RunDeps, job: Job): Promise<GivenJob | undefined> =>
  changeRuns(deps, serverAuthor, { workspaceId: job.workspaceId, starts: false }, async ({ tx }) => {
    const run = await loadRun(tx, job.runId)
    const current = await loadJob(tx, job.id)
    if (!run || !current || current.endedAt !== null || run.fence !== job.fence) return undefined
    const tokens = newTokens(deps)
    await replaceTokens(tx, job.id, hashesOf(deps, tokens))
    return { job: current, run, tokens }
  })

/** A job that was taken from its runner, or has ended. */
export const staleFence = () =>
  failure('conflict', 'stale-fence', 'The job was given to another runner, or has ended: stop the tool.')

/** The workspace of a job was deleted, and its runs with it. */
export const jobGone = () =>
  failure('missing', 'gone', 'The workspace of this job is gone: stop the tool, and keep the state file.')

/** A runner reports the end of a phase. Repeated with the same outcome, it is answered as before. */
export async function finishJob(deps: RunDeps, { id, workspaceId }: Job, report: Report): Promise<Run['status']> {
  return await changeRuns(deps, serverAuthor, { workspaceId }, async (desk) => {
    const { tx } = desk
    const job = await loadJob(tx, id)
    const run = job && (await loadRun(tx, job.runId))
    if (!run) throw jobGone()
    if (job.outcome !== null) return repeated(job, report)
    if (run.fence !== job.fence) throw staleFence()
    const stored = (await listArtifacts(tx, [run.id])).filter(({ phase }) => phase === job.phase)
    await requireComplete(tx, { job, run, report, stored })
    const after = isHandedBack(job, report)
      ? (await moveOn(desk, { ...run, attempt: run.attempt - 1 }, 'lose'))?.after
      : (await moveOn(desk, run, 'finish', { result: resultOf(job, report, stored) }))?.after
    if (!after) throw staleFence()
    await saveOutcome(tx, id, { outcome: report.outcome, answer: after.status })
    return after.status
  })
}

function repeated({ outcome, answer }: Job, report: Report): Run['status'] {
  if (outcome === report.outcome) return answer as Run['status']
  const text = `The job was reported as ${outcome} before, which stays.`
  throw failure('conflict', 'finished-otherwise', text)
}

/** A runner that drains gives a plan back that it has interrupted: another plans again. */
const isHandedBack = ({ phase }: Job, { outcome, error }: Report): boolean =>
  phase === 'plan' && outcome === 'errored' && error?.code === 'executor-lost'

function resultOf({ phase }: Job, { outcome, error, result }: Report, stored: readonly Artifact[]): PhaseResult {
  const digest = phase === 'plan' ? stored.find(({ name }) => name === 'plan')?.sha256 : undefined
  const known = knownError(error)
  return { outcome, ...result, ...(digest ? { planDigest: digest } : {}), ...(known ? { error: known } : {}) }
}

type Ending = {
  readonly job: Job
  readonly run: Run
  readonly report: Report
  readonly stored: readonly Artifact[]
}

async function requireComplete(tx: Tx, { job, run, report, stored }: Ending): Promise<void> {
  const names = new Set(stored.filter(({ jobId }) => jobId === job.id).map(({ name }) => name))
  const missing: string[] = requiredArtifacts(job.phase, report, run).filter((name) => !names.has(name))
  if (job.phase === 'apply' && report.outcome === 'finished' && (await hasPendingState(tx, run))) missing.push('state')
  const isLogComplete = (report.logLength ?? job.logLength) <= job.logLength
  if (missing.length === 0 && isLogComplete) return
  const text = 'The phase cannot end before everything has been sent: send what is missing, then finish again.'
  throw failure('conflict', 'incomplete', text, { data: { missing, length: job.logLength } })
}

/** The plan that an apply job is to apply, and the lock file that it was made with. */
export const plannedFiles = async (tx: Deps['db'], runId: string) => ({
  plan: await loadArtifact(tx, runId, 'plan', 'plan'),
  lockFile: await loadArtifact(tx, runId, 'plan', 'lock-file'),
})
