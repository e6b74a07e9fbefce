import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, executed, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { stateDocument, stateOf } from '../../../../test/support/states.ts'
import { handleOverdueDestructions } from '../workspaces/auto-destroy/destruction-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const withState = async (id: string): Promise<string> => {
    const at = `/api/v2/workspaces/${id}`
    const state = stateOf({ resources: 1 })
    mustBe(await ann.post(`${at}/actions/lock`), 200)
    const sent = stateDocument(state, { state: state.toString('base64') })
    mustBe(await ann.post(`${at}/state-versions`, sent), 201)
    mustBe(await ann.post(`${at}/actions/unlock`), 200)
    return id
  }
  const shown = async (id: string) => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
  const runsOf = async (id: string) => mustBe(await ann.get(`/api/v2/workspaces/${id}/runs`), 200).body.data
  const schedule = async (id: string, hours: number) => {
    const at = new Date(app.clock.now() + hours * 3_600_000).toISOString()
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'auto-destroy-at': at })), 200)
  }
  const overdue = () => handleOverdueDestructions(app.deps, AbortSignal.timeout(60_000))
  const statusOf = async (id: string) => (await shown(id)).attributes['auto-destroy-status']

  test('at its time one run is queued that destroys everything and applies itself', async () => {
    const id = await withState(await runnableWorkspace(app, org))
    await schedule(id, 1)
    app.clock.advance('2h')
    await Promise.all([overdue(), overdue()])
    const [run, ...others] = await runsOf(id)
    expect(others).toEqual([])
    expect(run.attributes).toMatchObject({
      'is-destroy': true,
      'auto-apply': true,
      source: 'auto-destroy',
      'trigger-reason': 'auto_destroy',
      message: 'Scheduled destroy',
      status: 'plan_queued',
    })
    const queued = (await shown(id)).attributes
    expect([queued['auto-destroy-at'], queued['auto-destroy-status']]).toEqual([null, 'queued'])
    await executed(app.deps, run.id, 'claim')
    expect(await statusOf(id)).toBe('destroying')
    await executed(app.deps, run.id, 'finish', { result: { outcome: 'finished', hasChanges: true } })
    expect((await runsOf(id))[0].attributes.status).toBe('apply_queued')
    await executed(app.deps, run.id, 'claim')
    await executed(app.deps, run.id, 'finish', { result: { outcome: 'finished' } })
    expect(await statusOf(id)).toBe('destroyed')
  })

  test('one that fails says so, and the change log says why', async () => {
    const id = await withState(await runnableWorkspace(app, org))
    await schedule(id, 1)
    app.clock.advance('2h')
    await overdue()
    const [run] = await runsOf(id)
    await executed(app.deps, run.id, 'claim')
    await executed(app.deps, run.id, 'finish', { result: { outcome: 'errored' } })
    expect(await statusOf(id)).toBe('errored')
    const changes = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    const told = changes.find(
      ({ attributes }: { attributes: { action: string } }) => attributes.action === 'auto-destroy',
    )
    expect(told.attributes.after).toMatchObject({
      'auto-destroy-status': 'errored',
      run: run.id,
      reason: 'tool-failed',
    })
  })

  test('it waits while somebody holds the workspace, and another time cancels it', async () => {
    const id = await withState(await runnableWorkspace(app, org))
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    await schedule(id, 1)
    app.clock.advance('2h')
    await overdue()
    const [run] = await runsOf(id)
    expect(run.attributes).toMatchObject({ status: 'pending', 'wait-reason': { code: 'locked-by-user' } })
    await schedule(id, 1)
    expect((await runsOf(id))[0].attributes.status).toBe('canceled')
    expect(await statusOf(id)).toBe('scheduled')
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
  })

  test('without a configuration an empty one is planned', async () => {
    const id = await withState(await workspaceIn(org))
    await schedule(id, 1)
    app.clock.advance('2h')
    await overdue()
    const [run] = await runsOf(id)
    expect(run.attributes.status).toBe('plan_queued')
    const version = run.relationships['configuration-version'].data.id
    const { attributes } = mustBe(await ann.get(`/api/v2/configuration-versions/${version}`), 200).body.data
    expect(attributes).toMatchObject({ status: 'uploaded', 'file-count': 0 })
    expect((await shown(id)).relationships['current-configuration-version'].data).toBeNull()
  })

  test('workspaces show what their last runs were like, without plan-only and discarded ones', async () => {
    const id = await runnableWorkspace(app, org)
    const figures = async () => {
      const { attributes } = await shown(id)
      return ['workspace-kpis-runs-count', 'run-failures', 'policy-check-failures', 'plan-duration-average'].map(
        (name) => attributes[name],
      )
    }
    expect(await figures()).toEqual([null, null, null, null])
    const { id: plan } = await createRun(ann, id, { 'plan-only': true })
    await executed(app.deps, plan, 'claim')
    await executed(app.deps, plan, 'finish', { result: { outcome: 'errored' } })
    const { id: discarded } = await createRun(ann, id)
    mustBe(await ann.post(`/api/v2/runs/${discarded}/actions/cancel`, {}), 202)
    expect(await figures()).toEqual([null, null, null, null])
    for (let round = 0; round < 31; round++) {
      const { id: run } = await createRun(ann, id, { 'auto-apply': true })
      await executed(app.deps, run, 'claim')
      app.clock.advance('2s')
      if (round === 30) await executed(app.deps, run, 'finish', { result: { outcome: 'errored' } })
      else {
        await executed(app.deps, run, 'finish', { result: { outcome: 'finished', hasChanges: true } })
        await executed(app.deps, run, 'claim')
        await executed(app.deps, run, 'finish', { result: { outcome: 'finished' } })
      }
    }
    expect(await figures()).toEqual([30, 1, 0, 2_000])
  })
})
