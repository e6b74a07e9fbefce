import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, runnableWorkspace } from '../../../../test/support/runs.ts'
import { builtInRunner, type GivenJob } from '../../../../test/support/scripted-runner.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'run-concurrency': 0 })), 200)
    return acme
  })
  const runner = shared(() => builtInRunner(app, { max_jobs: 100 }))
  const show = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes
  const phase = async (id: string, kind: 'plan' | 'apply') =>
    mustBe(await ann.get(`/api/v2/runs/${id}/${kind}`), 200).body.data
  const logOf = async (id: string, kind: 'plan' | 'apply'): Promise<string> => {
    const url = (await phase(id, kind)).attributes['log-read-url']
    return (await app.anonymous.get(`${new URL(url).pathname}?limit=1000000`)).text
  }
  const workspaceOf = async (id: string) => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data

  /** A run whose plan the runner has taken. */
  const planning = async (attributes: object = {}) => {
    const workspaceId = await runnableWorkspace(app, org)
    const run = await createRun(ann, workspaceId, attributes)
    const job: GivenJob = await runner.claim()
    expect(job.run.id).toBe(run.id)
    return { id: run.id as string, workspaceId, job }
  }

  test('a run is planned, confirmed and applied: statuses, logs, counts, state and lock', async () => {
    const { id, workspaceId, job } = await planning()
    expect(job).toMatchObject({ kind: 'plan', state: { url: null }, configuration: { sha256: expect.any(String) } })
    expect(await show(id)).toMatchObject({ status: 'planning' })
    mustBe(await runner.load(job, 'configuration'), 200)
    mustBe(await runner.log(job, 0, 'Configuration and plugins are ready.\nplanned\n'), 200)
    expect(await runner.plan(job, { has_changes: true, additions: 1, output_changes: 2 })).toBe('planned')
    expect(await show(id)).toMatchObject({ 'has-changes': true, actions: { 'is-confirmable': true } })
    expect((await phase(id, 'plan')).attributes).toMatchObject({
      status: 'finished',
      'resource-additions': 1,
      'output-changes': 2,
    })
    expect(await logOf(id, 'plan')).toBe(
      `\u0002${job.tool.name} ${job.tool.version}\non linux_amd64, on the built-in runner\nConfiguration and plugins are ready.\nplanned\n\u0003`,
    )
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/apply`, {}), 202)
    const apply = await runner.claim()
    expect(apply).toMatchObject({ kind: 'apply', work_root: job.work_root, plan: { sha256: (await show(id))['plan-digest'] } })
    expect(mustBe(await runner.load(apply, 'plan'), 200).text).toBe('a plan')
    mustBe(await runner.renew(apply), 200)
    mustBe(await runner.announceState(apply, 1, stateText(1)), 201)
    expect((await workspaceOf(workspaceId)).relationships['current-state-version']?.data ?? null).toBeNull()
    const finished = await runner.finish(apply, { outcome: 'finished', summary: { additions: 1 } })
    expect(mustBe(finished, 200).body).toEqual({ run_status: 'applied' })
    const current = mustBe(await ann.get(`/api/v2/workspaces/${workspaceId}/current-state-version`), 200).body.data
    expect(current.relationships.run.data).toEqual({ type: 'runs', id })
    expect(current.attributes.serial).toBe(1)
    expect((await workspaceOf(workspaceId)).attributes.locked).toBe(false)
  })

  const stateText = (serial: number): string =>
    JSON.stringify({ version: 4, terraform_version: '1.9.0', serial, lineage: 'a-lineage', outputs: {}, resources: [] })
})
