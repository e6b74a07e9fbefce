import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, runnableWorkspace } from '../../../../test/support/runs.ts'
import { builtInRunner, type GivenJob, registration } from '../../../../test/support/scripted-runner.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { sweepRuns } from '../runs/sweep-actions.ts'
import { builtInRunnerToken } from './runner-actions.ts'

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
    expect(apply).toMatchObject({
      kind: 'apply',
      work_root: job.work_root,
      plan: { sha256: (await show(id))['plan-digest'] },
    })
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

  const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).sort()
  const code = (answer: { readonly body: { readonly error: { readonly code: string } } }) => answer.body.error.code

  test('no token, a strange one and that of another job are 401; a token of the tool opens nothing here', async () => {
    const { job } = await planning()
    const other = await planning()
    for (const token of ['', 'hfr.nonsense', job.tool_token, other.job.token, runner_session()])
      expect((await runner.renew({ ...job, token })).status).toBe(401)
    mustBe(await runner.renew(job), 200)
    await runner.plan(job)
    await runner.plan(other.job)
  })

  const runner_session = (): string => runner.session

  test('another protocol is refused, and refusals have a code', async () => {
    const refused = await app.anonymous.post(
      '/api/runner/v1/register',
      {},
      { headers: { 'holdfast-runner-protocol': '2' } },
    )
    expect(mustBe(refused, 426).body.error).toMatchObject({ code: 'protocol', supported: { from: '1', to: '1' } })
    expect(refused.headers['holdfast-runner-protocol']).toBe('1')
    expect(code(mustBe(await app.anonymous.post('/api/runner/v1/register', {}), 401))).toBe('token')
    mustBe(await app.anonymous.post('/api/runner/v1/enrol', {}), 404)
  })

  test('an old fence or none changes nothing', async () => {
    const { job } = await planning()
    mustBe(await runner.renew(job), 200)
    const old = { ...job, fence: job.fence - 1 }
    expect(code(mustBe(await runner.log(old, 0, 'x'), 409))).toBe('stale-fence')
    expect(code(mustBe(await runner.store(old, 'plan', 'x'), 409))).toBe('stale-fence')
    expect(code(mustBe(await runner.finish(old, { outcome: 'errored' }), 409))).toBe('stale-fence')
    const path = `/api/runner/v1/jobs/${job.job_id}/finish`
    expect(code(mustBe(await app.anonymous.as(job.token).post(path, { outcome: 'errored' }), 409))).toBe('stale-fence')
    expect((await show(job.run.id)).status).toBe('planning')
    await runner.plan(job)
  })

  test('the log: repeated, overlapping, with a gap, diverging; bytes 2 and 3 become question marks', async () => {
    const { id, job } = await planning()
    mustBe(await runner.renew(job), 200)
    expect(mustBe(await runner.log(job, 0, 'one\n'), 200).body).toEqual({ length: 4 })
    expect(mustBe(await runner.log(job, 0, 'one\n'), 200).body).toEqual({ length: 4 })
    expect(mustBe(await runner.log(job, 2, 'e\ntwo\u0002\u0003\n'), 200).body).toEqual({ length: 10 })
    expect(mustBe(await runner.log(job, 2, 'e\ntwo\u0002\u0003\n'), 200).body).toEqual({ length: 10 })
    expect(mustBe(await runner.log(job, 50, 'x'), 409).body.error).toMatchObject({ code: 'offset', length: 10 })
    expect(code(mustBe(await runner.log(job, 0, 'another\n'), 409))).toBe('log-diverged')
    mustBe(await runner.log(job, 10, Buffer.alloc(256 * 1024 + 1)), 413)
    await runner.plan(job)
    expect((await logOf(id, 'plan')).split('\n').slice(2)).toEqual(['one', 'two??', '\u0003'])
  })

  test('eight writers of the same bytes of log leave them once', async () => {
    const { id, job } = await planning()
    const answers = await Promise.all(Array.from({ length: 8 }, () => runner.log(job, 0, 'only once\n')))
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    await runner.plan(job)
    expect((await logOf(id, 'plan')).split('only once')).toHaveLength(2)
  })

  test('a log at its limit says so once, drops the rest, and lets the tool go on', async () => {
    const { id, job } = await planning()
    const full = 64 * 1024 * 1024
    const jobs = app.deps.db.updateTable('run_jobs').set({ log_length: full - 4 })
    await jobs.where('id', '=', job.job_id).execute()
    expect(mustBe(await runner.log(job, full - 4, 'end\ndropped'), 200).body).toEqual({ length: full + 7 })
    expect(mustBe(await runner.log(job, full + 7, 'more'), 200).body).toEqual({ length: full + 11 })
    await runner.plan(job)
    expect((await logOf(id, 'plan')).split('\n').slice(2)).toEqual([
      'end',
      '',
      'The log has reached its limit of 64 MiB: the rest is dropped, the tool goes on.',
      '\u0003',
    ])
  })

  test('a line reaches a reader that waits for it', async () => {
    const { id, job } = await planning()
    const path = new URL((await phase(id, 'plan')).attributes['log-read-url']).pathname
    const { length } = await logOf(id, 'plan')
    const reading = app.anonymous.get(`${path}?offset=${length}`)
    mustBe(await runner.log(job, 0, 'news\n'), 200)
    expect((await reading).text).toBe('news\n')
    expect(mustBe(await ann.get(`/api/v2/plans/${(await phase(id, 'plan')).id}/log?offset=${length}`), 200).text).toBe(
      'news\n',
    )
    await runner.plan(job)
    expect((await app.anonymous.get(`${path}?offset=1000000`)).text).toBe('')
  })

  test('a plan ends only when all of it was sent; the same again is 200, other bytes or a wrong digest are refused', async () => {
    const { id, job } = await planning()
    mustBe(await runner.renew(job), 200)
    const report = { outcome: 'finished', summary: { has_changes: true }, log_length: 5 }
    expect(mustBe(await runner.finish(job, report), 409).body.error).toMatchObject({
      code: 'incomplete',
      missing: ['plan-json', 'plan-redacted', 'provider-schemas', 'plan', 'lock-file'],
      length: 0,
    })
    expect((await show(id)).status).toBe('planning')
    await runner.storePlan(job)
    mustBe(await runner.store(job, 'plan', 'a plan'), 200)
    expect(code(mustBe(await runner.store(job, 'plan', 'another'), 409))).toBe('artifact-differs')
    expect(code(mustBe(await runner.store(job, 'readme', 'x', 'ab'.repeat(32)), 422))).toBe('digest')
    mustBe(await runner.store(job, 'nonsense', 'x'), 404)
    expect(code(mustBe(await runner.finish(job, report), 409))).toBe('incomplete')
    mustBe(await runner.log(job, 0, '12345'), 200)
    mustBe(await runner.finish(job, report), 200)
  })

  test('the end of a job repeated is answered as before, another end is 409; after ten minutes the token is over', async () => {
    const { job } = await planning({ 'plan-only': true })
    await runner.plan(job)
    const again = mustBe(await runner.finish(job, { outcome: 'finished' }), 200)
    expect(again.body).toEqual({ run_status: 'planned_and_finished' })
    expect(code(mustBe(await runner.finish(job, { outcome: 'errored' }), 409))).toBe('finished-otherwise')
    expect(mustBe(await runner.renew(job), 200).body).toEqual({ lease_ms: 0, signal: 'kill', deadline_ms: 0 })
    mustBe(await runner.log(job, 0, 'late'), 401)
    mustBe(await runner.store(job, 'plan', 'late'), 401)
    app.clock.advance('10m')
    mustBe(await runner.finish(job, { outcome: 'finished' }), 401)
    mustBe(await runner.renew(job), 401)
  })

  test('a claim whose answer was lost is answered again, with other tokens; the first ones work no more', async () => {
    const { job } = await planning()
    const again = mustBe(await runner.claimed(1, 0, []), 200).body.jobs[0]
    expect(again).toMatchObject({ job_id: job.job_id, fence: job.fence })
    mustBe(await runner.renew(job), 401)
    mustBe(await runner.renew(again), 200)
    mustBe(await runner.claimed(), 204)
    await runner.plan(again)
  })

  test('twenty runners that claim at once take each of three jobs once', async () => {
    const crew: Awaited<ReturnType<typeof builtInRunner>>[] = []
    while (crew.length < 20) crew.push(await builtInRunner(app))
    const ids: string[] = []
    for (let made = 0; made < 3; made++) ids.push((await createRun(ann, await runnableWorkspace(app, org))).id)
    const answers = await Promise.all(crew.map((each) => each.claimed(3)))
    const jobs = answers.flatMap(({ status, body }, index) =>
      status === 200 ? body.jobs.map((job: GivenJob) => ({ job, by: crew[index] })) : [],
    )
    expect(jobs.map(({ job }) => job.run.id).sort()).toEqual(ids.sort())
    for (const { job, by } of jobs) await by?.plan(job)
    for (const id of ids) expect((await show(id)).status).toBe('planned')
  })

  test('a cancel reaches a runner that waits, and the tool that it ended counts as canceled', async () => {
    const { id, workspaceId, job } = await planning()
    mustBe(await runner.renew(job), 200)
    const waiting = runner.renew(job, 10_000)
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/cancel`, {}), 202)
    expect(mustBe(await waiting, 200).body.signal).toBe('interrupt')
    expect(mustBe(await runner.finish(job, { outcome: 'canceled', exit_code: 1 }), 200).body.run_status).toBe(
      'canceled',
    )
    expect((await workspaceOf(workspaceId)).attributes.locked).toBe(false)
    expect((await logOf(id, 'plan')).endsWith('\u0003')).toBe(true)
  })

  test('a plan that failed says what the runner says, and its log ends with it', async () => {
    const { id, job } = await planning()
    mustBe(await runner.log(job, 0, 'Preparing failed.\n'), 200)
    const error = { code: 'init-failed', message: 'The module could not be fetched.' }
    expect(mustBe(await runner.finish(job, { outcome: 'errored', exit_code: 1, error }), 200).body.run_status).toBe(
      'errored',
    )
    expect((await show(id)).error).toEqual({ ...error, phase: 'plan' })
    expect(await logOf(id, 'plan')).toContain('Preparing failed.\nThe module could not be fetched.\n\u0003')
  })

  test('a lost plan is planned again by another, with the old log before; the old runner changes nothing', async () => {
    const { id, job } = await planning()
    mustBe(await runner.renew(job), 200)
    mustBe(await runner.log(job, 0, 'half a'), 200)
    app.clock.advance('61s')
    await sweepRuns(app.deps)
    expect((await show(id)).status).toBe('plan_queued')
    mustBe(await runner.log(job, 6, ' line'), 401)
    expect(mustBe(await runner.renew(job), 200).body.signal).toBe('kill')
    expect(code(mustBe(await runner.finish(job, { outcome: 'finished' }), 409))).toBe('stale-fence')
    const second = await runner.claim()
    expect(second.fence).toBeGreaterThan(job.fence)
    await runner.plan(second)
    expect(await logOf(id, 'plan')).toMatch(/half a.*The executor was lost; planning again\.\n\S+ \S+\non linux_amd64/s)
  })

  test('a runner that gives a plan back is not counted as an attempt', async () => {
    const { id, job } = await planning()
    mustBe(await runner.renew(job), 200)
    const error = { code: 'executor-lost', message: '' }
    for (let round = 0, held = job; round < 3; round++, held = await runner.claim())
      expect(mustBe(await runner.finish(held, { outcome: 'errored', error }), 200).body.run_status).toBe('plan_queued')
    expect((await show(id)).status).toBe('planning')
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/cancel`, {}), 202)
  })

  /** A run whose apply the runner has begun. */
  const applying = async () => {
    const { id, workspaceId, job } = await planning()
    await runner.plan(job)
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/apply`, {}), 202)
    const apply = await runner.claim()
    mustBe(await runner.renew(apply), 200)
    return { id, workspaceId, job: apply }
  }

  test('a runner that was started again proves who it was, and goes on with its apply', async () => {
    const own = await builtInRunner(app)
    const workspaceId = await runnableWorkspace(app, org)
    const { id } = await createRun(ann, workspaceId, { 'auto-apply': true })
    await own.plan(await own.claim())
    const apply = await own.claim()
    mustBe(await own.renew(apply), 200)
    app.clock.advance('61s')
    await sweepRuns(app.deps)
    const known = [{ job_id: apply.job_id, fence: apply.fence, process: 'gone' }]
    const token = builtInRunnerToken(app.deps)
    const register = (extra: object) =>
      app.anonymous.as(token).post('/api/runner/v1/register', registration({ resume_jobs: known, ...extra }))
    const stranger = mustBe(await register({}), 201).body
    expect(stranger.jobs).toEqual([{ job_id: apply.job_id, fence: apply.fence, verdict: 'abandon' }])
    const back = mustBe(await register({ previous_session: own.session }), 201).body
    expect(back.runner_id).toBe(own.id)
    expect(back.jobs[0]).toMatchObject({ verdict: 'continue', job: { job_id: apply.job_id, fence: apply.fence } })
    const [{ job }] = back.jobs
    mustBe(await own.renew(apply), 401)
    mustBe(await own.claimed(), 401)
    mustBe(await own.announceState(job, 1, stateText(1)), 201)
    const error = { code: 'executor-lost', message: 'The tool was gone.' }
    mustBe(await own.finish(job, { outcome: 'errored', error }), 200)
    expect(await show(id)).toMatchObject({ status: 'errored', error: { code: 'executor-lost' } })
  })

  test('state: without its fence refused; an equal serial with other content only from the job that wrote it', async () => {
    const { workspaceId, job } = await applying()
    expect((await runner.announceState(job, 1, stateText(1), {})).status).toBe(409)
    expect((await runner.announceState(job, 1, stateText(1), { 'holdfast-fence': '1' })).status).toBe(409)
    mustBe(await runner.announceState(job, 1, stateText(1)), 201)
    mustBe(await runner.announceState(job, 1, `${stateText(1)}\n`), 201)
    const by = ann.as(job.token)
    const elsewhere = `/api/v2/workspaces/${await runnableWorkspace(app, org)}/state-versions`
    mustBe(await by.post(elsewhere, doc('x'), { headers: { 'holdfast-fence': String(job.fence) } }), 404)
    mustBe(await runner.finish(job, { outcome: 'finished', summary: {} }), 200)
    expect((await workspaceOf(workspaceId)).attributes.locked).toBe(false)
  })

  test('the token of the tool reads its workspace and its state, and nothing else; it ends with the phase', async () => {
    const { id, workspaceId, job } = await applying()
    mustBe(await runner.announceState(job, 1, stateText(1)), 201)
    const tool = ann.as(job.tool_token)
    const { name } = (await workspaceOf(workspaceId)).attributes
    for (const path of [
      '/account/details',
      '/organizations/acme/entitlement-set',
      `/workspaces/${workspaceId}`,
      `/organizations/acme/workspaces/${name}`,
      `/runs/${id}`,
      `/workspaces/${workspaceId}/current-state-version`,
    ])
      mustBe(await tool.get(`/api/v2${path}`), 200)
    const other = await runnableWorkspace(app, org)
    for (const path of [
      `/workspaces/${workspaceId}/vars`,
      `/workspaces/${other}`,
      `/workspaces/${other}/current-state-version`,
      '/organizations',
      '/organizations/acme',
      `/workspaces/${workspaceId}/runs`,
      `/workspaces/${workspaceId}?include=organization`,
    ])
      mustBe(await tool.get(`/api/v2${path}`), 404)
    mustBe(await ann.patch(`/api/v2/workspaces/${other}`, doc('workspaces', { 'global-remote-state': true })), 200)
    mustBe(await tool.get(`/api/v2/workspaces/${other}`), 200)
    mustBe(await tool.post(`/api/v2/runs/${id}/actions/cancel`, {}), 404)
    mustBe(await tool.post(`/api/v2/workspaces/${workspaceId}/state-versions`, doc('state-versions')), 404)
    mustBe(await runner.finish(job, { outcome: 'finished' }), 200)
    mustBe(await tool.get(`/api/v2/workspaces/${workspaceId}`), 401)
  })

  test('a workspace that is deleted while its run is executed: the runner is told that it is gone', async () => {
    const { workspaceId, job } = await planning()
    mustBe(await ann.delete(`/api/v2/workspaces/${workspaceId}`), 204)
    expect(code(mustBe(await runner.renew(job), 404))).toBe('gone')
    expect(code(mustBe(await runner.finish(job, { outcome: 'errored' }), 404))).toBe('gone')
  })

  test('the plan as JSON: with all values for those who may change the workspace, else without', async () => {
    const { id, job } = await planning({ 'plan-only': true })
    const { id: planId } = await phase(id, 'plan')
    const at = (rest: string) => `/api/v2/plans/${planId}/${rest}`
    mustBe(await ann.get(at('json-output')), 204)
    mustBe(await ann.get(at('json-output-redacted')), 204)
    await runner.plan(job)
    const readers = await team(org, `readers-${planId.slice(-6)}`, {
      'organization-access': { 'read-workspaces': true },
    })
    mustBe(await readers.get(at('json-output')), 404)
    const lead = mustBe(await ann.get(at('json-output')), 307)
    const address = new URL(String(lead.headers.location)).pathname
    expect((await app.anonymous.get(address)).body.variables.password.value).toBe('clear')
    expect(mustBe(await readers.get(at('json-output-redacted')), 200).body.plan_format_version).toBe('1.2')
    mustBe(await readers.get(`/api/v2/runs/${id}/plan/json-schema`), 200)
    app.clock.advance('61s')
    mustBe(await app.anonymous.get(address), 404)
  })

  test('a lost apply waits for its runner, then ends with its last state; a late state is kept aside', async () => {
    const { id, workspaceId, job } = await applying()
    mustBe(await runner.announceState(job, 1, stateText(1)), 201)
    app.clock.advance('61s')
    await sweepRuns(app.deps)
    expect(await show(id)).toMatchObject({ status: 'applying', 'wait-reason': { code: 'executor-lost' } })
    app.clock.advance('10m')
    await sweepRuns(app.deps)
    expect(await show(id)).toMatchObject({ status: 'errored', error: { code: 'executor-lost', phase: 'apply' } })
    const current = mustBe(await ann.get(`/api/v2/workspaces/${workspaceId}/current-state-version`), 200).body.data
    expect(current.attributes.serial).toBe(1)
    mustBe(await runner.announceState(job, 2, stateText(2)), 401)
    app.clock.advance('1h')
    mustBe(await runner.store(job, 'errored-state', stateText(2)), 201)
    const { id: applyId, attributes } = await phase(id, 'apply')
    expect(attributes['errored-state-available']).toBe(true)
    const lead = mustBe(await ann.get(`/api/v2/applies/${applyId}/errored-state`), 307)
    expect((await app.anonymous.get(new URL(String(lead.headers.location)).pathname)).text).toBe(stateText(2))
    app.clock.advance('24h')
    mustBe(await runner.store(job, 'errored-state', stateText(2)), 401)
  })

  const stateText = (serial: number): string =>
    JSON.stringify({ version: 4, terraform_version: '1.9.0', serial, lineage: 'a-lineage', outputs: {}, resources: [] })
})
