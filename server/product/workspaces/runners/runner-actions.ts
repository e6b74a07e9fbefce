import { type Instant, later } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { authenticateAgentToken } from '../../people/api-tokens/index.ts'
import {
  type GivenJob,
  giveAgain,
  hashOfToken,
  type Job,
  listOpenJobs,
  loadJob,
  loadRun,
  moveRun,
  type Report,
} from '../runs/index.ts'
import { mostFaults, type Runner, type RunnerFacts, sessionLimits } from './runner.ts'
import {
  endSessions,
  findSession,
  loadRunner,
  noteSeen,
  putRunner,
  replaceSession,
  setRunnerStatus,
} from './runner-store.ts'

/** What runners need. */
export type RunnerDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'keyring' | 'log' | 'parts'>

const builtIn = perApp(() => ({ token: '' }))

/**
 * The token by which the runner that this process starts registers here. It is in memory alone, and works until another is
 * asked for. Hand it over by a pipe: what is in the environment of a process, its children can read.
 */
export function builtInRunnerToken(deps: Pick<Deps, 'store' | 'ids'>): string {
  const token = `hfa.${deps.ids.text(32)}`
  builtIn(deps).token = token
  return token
}

/** How somebody who registers proves that it may. */
type Admission = Pick<Runner, 'poolId' | 'signedInBy' | 'tokenId'>

/** Who may register with this token; undefined if nobody. */
export async function admissionOf(deps: RunnerDeps, token: string): Promise<Admission | undefined> {
  if (!token.startsWith('hfa.')) return undefined
  const own = builtIn(deps).token
  // Both are hashed, so that the time of the comparison tells nothing.
  if (own !== '' && hashOfToken(deps, own) === hashOfToken(deps, token))
    return { poolId: null, signedInBy: 'built-in', tokenId: null }
  const found = await authenticateAgentToken(deps, token)
  return found && { poolId: found.poolId, signedInBy: 'agent-token', tokenId: found.tokenId }
}

/** The runner of a session that works now; undefined if it has ended. */
export async function runnerOfSession(deps: RunnerDeps, token: string): Promise<Runner | undefined> {
  if (!token.startsWith('hfn.')) return undefined
  const now = deps.clock.now()
  const found = await findSession(deps.db, hashOfToken(deps, token), now)
  const works = found && found.endedAt === null && found.expiresAt > now && !found.isTokenGone
  return works ? found.runner : undefined
}

/** The runner whose earlier session this was, if it still proves that. */
async function runnerBefore(deps: RunnerDeps, session: string | undefined): Promise<Runner | undefined> {
  if (session === undefined) return undefined
  const now = deps.clock.now()
  const found = await findSession(deps.db, hashOfToken(deps, session), now)
  const end = found && (found.endedAt ?? found.expiresAt)
  return end !== undefined && now < later(end, sessionLimits.proof) ? found?.runner : undefined
}

/** A job that a runner had before it was started again. */
export type KnownJob = { readonly jobId: string; readonly fence: number; readonly process: 'alive' | 'gone' }

/** What a runner is told about a job that it had. */
export type Verdict = { readonly known: KnownJob; readonly given: GivenJob | undefined }

/** What comes with a registration. */
export type Registration = {
  readonly admission: Admission
  readonly facts: RunnerFacts
  readonly ipAddress: string
  readonly previousSession: string | undefined
  readonly resumeJobs: readonly KnownJob[]
}

/** A runner registers, for the first time or again: then its earlier session ends, and it may get its jobs again. */
export async function registerRunner(
  deps: RunnerDeps,
  { admission, facts, ipAddress, previousSession, resumeJobs }: Registration,
): Promise<{ readonly runner: Runner; readonly session: string; readonly verdicts: readonly Verdict[] }> {
  const now = deps.clock.now()
  const before = await runnerBefore(deps, previousSession)
  const isSame = before !== undefined && before.poolId === admission.poolId
  const runner: Runner = {
    ...facts,
    ...admission,
    id: isSame ? before.id : deps.ids.newId('agent'),
    ipAddress,
    status: 'online',
    faults: isSame ? before.faults : 0,
    createdAt: isSame ? before.createdAt : now,
    lastSeenAt: now,
  }
  const session = `hfn.${deps.ids.text(32)}`
  await inTransaction(deps.db, async (tx) => {
    await putRunner(tx, runner)
    const until = later(now, sessionLimits.life)
    await replaceSession(tx, { hash: hashOfToken(deps, session), runnerId: runner.id, at: now, until })
  })
  const verdicts: Verdict[] = []
  for (const known of resumeJobs) {
    verdicts.push({ known, given: isSame ? await resume(deps, runner, known) : undefined })
  }
  return { runner, session, verdicts }
}

/** A runner that is back goes on with what it had: with a tool that is alive, or to hand in the state of an apply. */
async function resume(deps: RunnerDeps, runner: Runner, known: KnownJob): Promise<GivenJob | undefined> {
  const job = await loadJob(deps.db, known.jobId)
  if (job?.runnerId !== runner.id || job.fence !== known.fence || job.endedAt !== null) return undefined
  if (known.process === 'gone' && job.phase === 'plan') {
    await loseJob(deps, job)
    return undefined
  }
  return await giveAgain(deps, job)
}

/** A runner that says itself that the tool of a plan is gone need not be waited for. */
async function loseJob(deps: RunnerDeps, job: Job): Promise<void> {
  const run = await loadRun(deps.db, job.runId)
  if (run?.fence === job.fence) await moveRun(deps, serverAuthor, { run }, 'lose', { fence: job.fence })
}

/** Jobs that a runner has, and does not know of: their answer was lost, so they are handed out again. */
export async function unknownJobs(deps: RunnerDeps, { id }: Runner, running: readonly string[]): Promise<GivenJob[]> {
  const lost = (await listOpenJobs(deps.db, [id])).filter((job) => !running.includes(job.id))
  const given: GivenJob[] = []
  for (const job of lost) {
    const again = await giveAgain(deps, job)
    if (again) given.push(again)
  }
  return given
}

/** A runner has given a sign of life. It is written down only now and then. */
export async function noteRunner(deps: RunnerDeps, { id, lastSeenAt, status }: Runner): Promise<void> {
  const now = deps.clock.now()
  if (status === 'online' && now - lastSeenAt < noteInterval) return
  await noteSeen(deps.db, id, now)
}

const noteInterval = 10_000

/** A runner says goodbye: its sessions end, and its jobs keep their leases. */
export async function deregisterRunner(deps: RunnerDeps, { id, faults }: Runner): Promise<void> {
  const at: Instant = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await setRunnerStatus(tx, id, { status: 'exited', faults })
    await endSessions(tx, id, at)
  })
}

/** The refusal of a token that opens nothing here. */
export const unknownToken = () =>
  failure('unauthenticated', 'token', 'This token is unknown, or has ended: register again.')

/** Who works on a job lives. */
export async function noteJobSeen(deps: RunnerDeps, { runnerId }: Job): Promise<void> {
  const runner = await loadRunner(deps.db, runnerId)
  if (runner) await noteRunner(deps, runner)
}

/** Errors that are the fault of a runner, not of what it executed. */
const ownFaults: ReadonlySet<string> = new Set(['executor-lost', 'executor-start-failed', 'internal'])

/** Counts the jobs in a row that failed by the fault of their runner. */
export async function noteEnd(
  deps: RunnerDeps,
  { runnerId }: Job,
  { outcome, error }: Pick<Report, 'outcome' | 'error'>,
): Promise<void> {
  const runner = await loadRunner(deps.db, runnerId)
  if (!runner) return
  const isFault = outcome === 'errored' && ownFaults.has(error?.code ?? '')
  const faults = isFault ? runner.faults + 1 : 0
  if (faults === runner.faults) return
  const status = faults >= mostFaults ? 'errored' : runner.status
  await setRunnerStatus(deps.db, runnerId, { status, faults })
}
