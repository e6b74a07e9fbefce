import { join } from 'node:path'
import type { Journal } from '../journal.ts'
import { type Client, Refused, Unreachable, untilPassed } from '../protocol/client.ts'
import type { Finish, Job } from '../protocol/messages.ts'
import { SecretFilter } from '../secrets/secret-filter.ts'
import { secretForms } from '../secrets/secret-forms.ts'
import type { ToolStore } from '../tools/tool-store.ts'
import { PhaseFailure, textOf } from './failure.ts'
import { JobLog } from './job-log.ts'
import { Lease } from './lease.ts'
import { Phase, type Wish } from './phase.ts'
import { StateKeeper } from './state-keeper.ts'
import { configurationFolder, type Places } from './workplace.ts'

/** The parts of a runner that every job needs. */
export type JobSite = {
  readonly client: Client
  readonly journal: Journal
  readonly tools: ToolStore
  readonly chunkBytes: number
  readonly note: (text: string) => void
}

/** A job that runs. */
export type RunningJob = { request(wish: Wish): void; readonly ended: Promise<void> }

/** How long the end of a job is told to a server that does not answer. */
const finishMs = 600_000

/** Runs one phase, and tells the server how it ended. */
export function startJob(site: JobSite, places: Omit<Places, 'privateFolder'>, job: Job): RunningJob {
  let phase: Phase | undefined
  let early: Wish | undefined
  const request = (wish: Wish): void => {
    early = wish
    phase?.request(wish)
  }
  const run = async (): Promise<void> => {
    const { client, journal, tools, chunkBytes, note } = site
    const privateFolder = await journal.open(job)
    const filter = new SecretFilter(secretForms(secretsOf(job)))
    const log = new JobLog({
      client,
      job,
      file: join(privateFolder, 'log'),
      filter,
      maxBytes: places.settings.logBytes,
      chunkBytes,
      onRefused: (error) => {
        note(`job ${job.job_id}: the log is not taken: ${error.message}`)
        request('lost')
      },
    })
    const lease = new Lease(client, job, () => log.length, request)
    try {
      if (job.kind !== 'plan' && job.kind !== 'apply')
        throw new PhaseFailure('unsupported', `This runner does not know jobs of kind '${job.kind}'.`)
      const tool = await tools.find(job.tool, job.token)
      phase = new Phase({ client, job, places: { ...places, privateFolder }, tool, log, filter, lease })
      if (early) phase.request(early)
      const result = await phase.run()
      if (phase.wish === 'lost') return
      await log.end()
      await sendFinish(client, job, { ...result, log_length: log.length })
    } catch (error) {
      if (lease.isLost) return
      const { code, message } = error instanceof PhaseFailure ? error : { code: 'internal', message: textOf(error) }
      log.line('Preparing failed.')
      await log.end()
      await sendFinish(client, job, { ...failed(code, message), log_length: log.length })
    } finally {
      lease.close()
      log.close()
      await journal.close(job.job_id)
    }
  }
  const ended = run().catch((error) => site.note(`job ${job.job_id}: ${textOf(error)}`))
  return { request, ended }
}

const failed = (code: string, message: string): Omit<Finish, 'log_length'> => ({
  outcome: 'errored',
  exit_code: null,
  error: { code, message },
  summary: {},
  usage: { cpu_ms: 0, max_rss: 0, wall_ms: 0 },
})

/** Everything that the job knows and nobody should read. */
function secretsOf(job: Job): string[] {
  const key = job.ssh_key ?? undefined
  return [
    job.token,
    job.tool_token,
    ...(key ? [key] : []),
    ...job.variables.filter(({ sensitive }) => sensitive).map(({ value }) => value),
  ]
}

async function sendFinish(
  client: Client,
  job: Job,
  finish: Omit<Finish, 'log_length'> & { log_length?: number },
): Promise<void> {
  const call = {
    method: 'POST',
    path: `/api/runner/v1/jobs/${job.job_id}/finish`,
    token: job.token,
    fence: job.fence,
    body: finish,
  } as const
  try {
    await client.persist(call, untilPassed(finishMs))
  } catch (error) {
    const isIncomplete = error instanceof Refused && error.code === 'incomplete'
    if (!isIncomplete || finish.outcome !== 'finished') throw error
    const message = `The server lacks something of the result: ${error.message}.`
    await client.persist({ ...call, body: { ...finish, ...failed('internal', message) } }, untilPassed(finishMs))
  }
}

/**
 * An apply whose runner was killed, and its tool with it: the state that it left is handed in, and the phase ends in
 * error, since nobody knows how far the tool came beyond that.
 */
export async function rescueJob(site: JobSite, places: Omit<Places, 'privateFolder'>, job: Job): Promise<void> {
  const { client, journal, note } = site
  const privateFolder = await journal.open(job)
  const { name } = job.run.workspace
  const folder = [configurationFolder, job.configuration.working_directory ?? ''].join('/')
  const file = name === 'default' ? 'terraform.tfstate' : `terraform.tfstate.d/${name}/terraform.tfstate`
  const keeper = new StateKeeper({
    client,
    job,
    root: join(places.workFolder, job.run.id),
    path: `${folder}/${file}`,
    privateFolder,
    intervalMs: places.settings.stateIntervalMs,
    line: (text) => note(`job ${job.job_id}: ${text}`),
  })
  try {
    await keeper.finish(false)
  } catch (error) {
    if (error instanceof Unreachable) throw error
    note(`job ${job.job_id}: ${textOf(error)}`)
  }
  const message = 'The runner was killed while this ran. Real resources may differ from the state that it left.'
  await sendFinish(client, job, failed('executor-lost', message))
  await journal.close(job.job_id)
}
