import { createHash } from 'node:crypto'
import { builtInRunnerToken } from '../../server/product/workspaces/runners/index.ts'
import type { Answer, Client } from './client.ts'
import { doc, mustBe } from './platform.ts'
import type { TestApp } from './test-app.ts'

const base = '/api/runner/v1'

/** A job as a runner is given it. */
export type GivenJob = Answer['body']

/** What a runner says about itself. */
export const registration = (facts: object = {}) => ({
  name: 'scripted',
  version: '0.1.0',
  os: 'linux',
  arch: 'amd64',
  max_jobs: 4,
  executor: 'process',
  isolation: { not_in_force: ['mounts'] },
  tools: [{ name: 'opentofu', version: '1.9.0', sha256: 'ab'.repeat(32) }],
  capabilities: [],
  work_root: '/var/lib/runner',
  ...facts,
})

/** The digest of a content. */
export const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** Speaks the protocol of runners as a test tells it to. */
export async function scriptedRunner(app: Pick<TestApp, 'anonymous'>, token: string, facts: object = {}) {
  const registered = mustBe(await app.anonymous.as(token).post(`${base}/register`, registration(facts)), 201).body
  return runnerWith(app, registered.session, registered.runner_id)
}

/** The runner that the server starts itself. */
export const builtInRunner = (app: Pick<TestApp, 'anonymous' | 'deps'>, facts: object = {}) =>
  scriptedRunner(app, builtInRunnerToken(app.deps), facts)

/** A runner with a session. */
export function runnerWith(app: Pick<TestApp, 'anonymous'>, session: string, id: string) {
  const self = app.anonymous.as(session)
  const at = (job: GivenJob, rest: string) => `${base}/jobs/${job.job_id}/${rest}`
  const fence = (job: GivenJob) => ({ 'holdfast-fence': String(job.fence) })
  const by = (job: GivenJob): Client => app.anonymous.as(job.token)
  /** Jobs that it knows it has. */
  const held: string[] = []
  const octets = { 'content-type': 'application/octet-stream' }
  const runner = {
    id,
    session,
    claimed: async (free = 1, waitMs = 0, running: readonly string[] = held): Promise<Answer> => {
      const answer = await self.post(`${base}/claim`, { free, wait_ms: waitMs, running })
      if (answer.status === 200) held.push(...answer.body.jobs.map((job: GivenJob) => job.job_id))
      return answer
    },
    /** Takes one job, which has to be there. */
    claim: async (): Promise<GivenJob> => mustBe(await runner.claimed(), 200).body.jobs[0],
    heartbeat: () => self.post(`${base}/heartbeat`, { running: [] }),
    deregister: () => self.post(`${base}/deregister`, {}),
    renew: (job: GivenJob, waitMs = 0) => by(job).post(at(job, 'renew'), { wait_ms: waitMs }, { headers: fence(job) }),
    log: (job: GivenJob, offset: number, content: string | Buffer) =>
      by(job).send('PUT', at(job, `log?offset=${offset}`), undefined, {
        raw: content,
        headers: { ...fence(job), ...octets },
      }),
    store: (job: GivenJob, name: string, content: string | Buffer, digest = sha256Of(content)) =>
      by(job).send('PUT', at(job, `artifacts/${name}`), undefined, {
        raw: content,
        headers: { ...fence(job), ...octets, 'x-content-sha256': digest },
      }),
    load: (job: GivenJob, name: string) => by(job).get(at(job, `artifacts/${name}`)),
    finish: (job: GivenJob, report: object) => by(job).post(at(job, 'finish'), report, { headers: fence(job) }),
    /** Stores everything that a plan which may be applied has to leave behind. */
    storePlan: async (job: GivenJob, plan = 'a plan'): Promise<void> => {
      const redacted = JSON.stringify({ plan_format_version: '1.2', resource_changes: [], provider_schemas: {} })
      for (const [name, content] of [
        ['plan', plan],
        ['lock-file', 'a lock file'],
        ['plan-json', JSON.stringify({ variables: { password: { value: 'clear' } } })],
        ['plan-redacted', redacted],
        ['provider-schemas', JSON.stringify({ format_version: '1.0', provider_schemas: {} })],
      ] as const)
        mustBe(await runner.store(job, name, content), 201)
    },
    /** Plans with this result. */
    plan: async (job: GivenJob, summary: object = { has_changes: true, additions: 1 }): Promise<string> => {
      mustBe(await runner.renew(job), 200)
      await runner.storePlan(job)
      return mustBe(await runner.finish(job, { outcome: 'finished', exit_code: 2, summary }), 200).body.run_status
    },
    /** Stores a state, as the runner of an apply does. */
    announceState: (job: GivenJob, serial: number, state: string, headers: Record<string, string> = fence(job)) =>
      by(job).post(
        `/api/v2/workspaces/${job.run.workspace.id}/state-versions`,
        doc('state-versions', {
          serial,
          md5: createHash('md5').update(state).digest('hex'),
          lineage: 'a-lineage',
          state: Buffer.from(state).toString('base64'),
        }),
        { headers },
      ),
  }
  return runner
}
