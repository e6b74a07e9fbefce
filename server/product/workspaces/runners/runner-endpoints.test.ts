import { expect, test } from 'vitest'
import { poolCalls } from '../../../../test/support/agent-pools.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, type Organization, organization, person } from '../../../../test/support/platform.ts'
import { createRun, runnableWorkspace } from '../../../../test/support/runs.ts'
import { builtInRunner, registration, scriptedRunner } from '../../../../test/support/scripted-runner.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { forgetRunners } from './upkeep-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))

  /** A pool with a token of it, and a workspace that uses it. */
  const pool = async (of: Organization = acme) => {
    const calls = poolCalls(ann, of)
    const { id } = await calls.create({ name: `pool-${app.deps.ids.hex(8)}` })
    const made = await ann.post(`/api/v2/agent-pools/${id}/authentication-tokens`, doc('authentication-tokens'))
    const { id: tokenId, attributes } = mustBe(made, 201).body.data
    const workspaceId = await runnableWorkspace(app, of)
    mustBe(await calls.use(workspaceId, id), 200)
    return { id: id as string, token: attributes.token as string, tokenId: tokenId as string, workspaceId }
  }
  const show = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes
  const agent = async (id: string) => mustBe(await ann.get(`/api/v2/agents/${id}`), 200).body.data
  const ended = async (id: string) => mustBe(await ann.post(`/api/v2/runs/${id}/actions/cancel`, {}), 202)

  test('registering: without a token of a pool, with one that was revoked or has ended, it is 401', async () => {
    const { token, tokenId } = await pool()
    const register = (by: string, body: object = registration()) =>
      app.anonymous.as(by).post('/api/runner/v1/register', body)
    for (const stranger of ['', 'hfa.nonsense', 'hfu.nonsense']) mustBe(await register(stranger), 401)
    mustBe(await register(token, { name: 'incomplete' }), 400)
    mustBe(await register(token, registration({ executor: 'magic' })), 400)
    const { body } = mustBe(await register(token), 201)
    expect(body).toMatchObject({
      runner_id: expect.stringMatching(/^agent-/),
      session: expect.stringMatching(/^hfn\./),
      jobs: [],
    })
    mustBe(await ann.delete(`/api/v2/authentication-tokens/${tokenId}`), 204)
    mustBe(await register(token), 401)
    mustBe(await app.anonymous.as(body.session).post('/api/runner/v1/claim', { free: 1 }), 401)
  })

  test('a token of a pool that was revoked takes its jobs from its runners', async () => {
    const { token, tokenId, workspaceId } = await pool()
    const { id } = await createRun(ann, workspaceId)
    const runner = await scriptedRunner(app, token)
    const job = await runner.claim()
    mustBe(await runner.renew(job), 200)
    mustBe(await ann.delete(`/api/v2/authentication-tokens/${tokenId}`), 204)
    mustBe(await runner.renew(job), 401)
    mustBe(await runner.claimed(), 401)
    await ended(id)
  })

  test('jobs of a pool go to its runners alone, and those of the server to none of a pool', async () => {
    const [one, other] = [await pool(), await pool()]
    const { id } = await createRun(ann, one.workspaceId)
    mustBe(await (await scriptedRunner(app, other.token)).claimed(), 204)
    mustBe(await (await builtInRunner(app)).claimed(), 204)
    const runner = await scriptedRunner(app, one.token, { name: 'rack 7' })
    const job = await runner.claim()
    expect(job.run.id).toBe(id)
    const plan = mustBe(await ann.get(`/api/v2/runs/${id}/plan`), 200).body.data.attributes
    expect(plan['execution-details']).toMatchObject({
      mode: 'agent',
      layer: 'process',
      'agent-name': 'rack 7',
      'agent-pool-id': one.id,
      'not-in-force': ['mounts'],
    })
    await ended(id)
  })

  test('a claim that waits is answered when a run is queued; a run that is created is told why it waits until then', async () => {
    const { token, workspaceId } = await pool()
    const waiting = await createRun(ann, workspaceId)
    expect((await show(waiting.id))['wait-reason'].code).toBe('no-runner')
    const runner = await scriptedRunner(app, token, { max_jobs: 1 })
    const job = await runner.claim()
    const second = await runnableWorkspace(app, acme)
    const poolId = mustBe(await ann.get(`/api/v2/workspaces/${workspaceId}`), 200).body.data.relationships['agent-pool']
      .data.id
    mustBe(await poolCalls(ann, acme).use(second, poolId), 200)
    const next = await createRun(ann, second)
    expect((await show(next.id))['wait-reason'].code).toBe('runners-busy')
    const claiming = runner.claimed(1, 20_000)
    await ended(waiting.id)
    mustBe(await runner.finish(job, { outcome: 'canceled' }), 200)
    expect(mustBe(await claiming, 200).body.jobs[0].run.id).toBe(next.id)
    await ended(next.id)
  })

  test('an organization at its limit waits for itself, and says so', async () => {
    const limited = await organization(ann, 'limited')
    const { token, workspaceId, id: poolId } = await pool(limited)
    mustBe(await ann.patch('/api/v2/organizations/limited', doc('organizations', { 'run-concurrency': 1 })), 200)
    const second = await runnableWorkspace(app, limited)
    mustBe(await poolCalls(ann, limited).use(second, poolId), 200)
    const runs = [await createRun(ann, workspaceId), await createRun(ann, second)]
    const runner = await scriptedRunner(app, token)
    const answers = await Promise.all([runner.claimed(2, 0, ['none']), runner.claimed(2, 0, ['none'])])
    const ids = new Set(
      answers.flatMap(({ status, body }) => (status === 200 ? body.jobs : [])).map(({ run }) => run.id),
    )
    expect(ids.size).toBe(1)
    const held = runs.find(({ id }) => !ids.has(id))
    expect((await show(held.id))['wait-reason'].code).toBe('organization-limit')
    for (const { id } of runs) await ended(id)
  })

  test('a pause lets nothing begin, says why, and ends in order; only site administrators switch it', async () => {
    const { token, workspaceId } = await pool()
    mustBe(await ann.post('/api/v2/admin/runs/actions/pause', { reason: 'no' }), 404)
    mustBe(await app.root.post('/api/v2/admin/runs/actions/pause', { reason: 'upgrade' }), 200)
    mustBe(await app.root.post('/api/v2/admin/runs/actions/pause', {}), 409)
    const { id } = await createRun(ann, workspaceId)
    const runner = await scriptedRunner(app, token)
    mustBe(await runner.claimed(), 204)
    expect((await show(id))['wait-reason']).toMatchObject({
      code: 'paused',
      message: expect.stringContaining('upgrade'),
    })
    const waiting = runner.claimed(1, 20_000)
    mustBe(await app.root.post('/api/v2/admin/runs/actions/resume', {}), 200)
    expect(mustBe(await waiting, 200).body.jobs[0].run.id).toBe(id)
    mustBe(await app.root.post('/api/v2/admin/runs/actions/resume', {}), 409)
    await ended(id)
  })

  test('agents: idle, busy, unknown, exited, forgotten; only one that is gone can be deleted', async () => {
    const { id: poolId, token, workspaceId } = await pool()
    const runner = await scriptedRunner(app, token, { name: 'rack 8' })
    expect((await agent(runner.id)).attributes).toMatchObject({ name: 'rack 8', status: 'idle', 'current-jobs': 0 })
    const poolShown = mustBe(await ann.get(`/api/v2/agent-pools/${poolId}`), 200).body.data.attributes
    expect(poolShown['agent-count']).toBe(1)
    const { id } = await createRun(ann, workspaceId)
    const job = await runner.claim()
    expect((await agent(runner.id)).attributes).toMatchObject({ status: 'busy', 'current-jobs': 1 })
    mustBe(await ann.delete(`/api/v2/agents/${runner.id}`), 409)
    const listed = mustBe(await ann.get(`/api/v2/agent-pools/${poolId}/agents`), 200).body.data
    expect(listed.map((each: { id: string }) => each.id)).toEqual([runner.id])
    await ended(id)
    mustBe(await runner.finish(job, { outcome: 'canceled' }), 200)
    app.clock.advance('61s')
    expect((await agent(runner.id)).attributes.status).toBe('unknown')
    mustBe(await runner.heartbeat(), 200)
    expect((await agent(runner.id)).attributes.status).toBe('idle')
    mustBe(await runner.deregister(), 204)
    mustBe(await runner.heartbeat(), 401)
    expect((await agent(runner.id)).attributes.status).toBe('exited')
    mustBe(await ann.delete(`/api/v2/agents/${runner.id}`), 204)
    mustBe(await ann.get(`/api/v2/agents/${runner.id}`), 404)
    const silent = await scriptedRunner(app, token)
    app.clock.advance('25h')
    await forgetRunners(app.deps)
    mustBe(await ann.get(`/api/v2/agents/${silent.id}`), 404)
  })

  test('a new organization lets the server execute its runs; without a runner nothing hangs silently', async () => {
    const fresh = await organization(ann, `fresh-${app.deps.ids.hex(6)}`)
    const workspaceId = await runnableWorkspace(app, fresh)
    const { id } = await createRun(ann, workspaceId)
    expect(await show(id)).toMatchObject({ status: 'plan_queued' })
    await ended(id)
  })
})
