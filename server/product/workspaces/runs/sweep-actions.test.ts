import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, executed, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { sweepRuns } from './sweep-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const show = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes
  const actions = async (id: string): Promise<string[]> =>
    mustBe(await ann.get(`/api/v2/runs/${id}/run-events`), 200).body.data.map(
      (each: { attributes: { action: string } }) => each.attributes.action,
    )
  const logOf = async (id: string, phase: 'plan' | 'apply') => {
    const url = mustBe(await ann.get(`/api/v2/runs/${id}/${phase}`), 200).body.data.attributes['log-read-url']
    return (await app.anonymous.get(new URL(url).pathname)).text
  }
  const planning = async (attributes: object = {}) => {
    const workspaceId = await runnableWorkspace(app, org)
    const { id } = await createRun(ann, workspaceId, attributes)
    await executed(app.deps, id, 'claim')
    return { id, workspaceId }
  }

  test('a run that waits is told why, once for each cause, in events and in the log that is read meanwhile', async () => {
    const workspaceId = await runnableWorkspace(app, org)
    const [first, second] = [await createRun(ann, workspaceId), await createRun(ann, workspaceId)]
    await sweepRuns(app.deps)
    expect(await actions(first.id)).toEqual(['created', 'queued'])
    app.clock.advance('6s')
    for (let round = 0; round < 3; round++) await sweepRuns(app.deps)
    app.clock.advance('31s')
    await sweepRuns(app.deps)
    expect(await actions(first.id)).toEqual(['created', 'queued', 'waiting'])
    expect(await actions(second.id)).toEqual(['created', 'waiting'])
    expect(await logOf(first.id, 'plan')).toBe('\u0002Waiting: no runner has been online yet\n')
    mustBe(await ann.post(`/api/v2/runs/${first.id}/actions/cancel`, {}), 202)
    expect(await logOf(first.id, 'plan')).toBe(
      '\u0002Waiting: no runner has been online yet\nThe run was canceled.\n\u0003',
    )
    app.clock.advance('6s')
    await sweepRuns(app.deps)
    expect(await actions(second.id)).toEqual(['created', 'waiting', 'queued', 'waiting'])
  })

  test('a runner that gives no signs of life loses its plan once, then the run ends and frees the workspace', async () => {
    const { id, workspaceId } = await planning()
    app.clock.advance('59s')
    await sweepRuns(app.deps)
    expect((await show(id)).status).toBe('planning')
    app.clock.advance('1s')
    await sweepRuns(app.deps)
    expect(await show(id)).toMatchObject({ status: 'plan_queued', 'deadline-at': null })
    await executed(app.deps, id, 'claim')
    app.clock.advance('1m')
    await sweepRuns(app.deps)
    expect(await show(id)).toMatchObject({ status: 'errored', error: { code: 'executor-lost', phase: 'plan' } })
    expect(mustBe(await ann.get(`/api/v2/workspaces/${workspaceId}`), 200).body.data.attributes.locked).toBe(false)
  })

  test('three sweepers at once act on a deadline once', async () => {
    const { id } = await planning()
    app.clock.advance('1m')
    await Promise.all([sweepRuns(app.deps), sweepRuns(app.deps), sweepRuns(app.deps)])
    expect((await actions(id)).filter((name) => name === 'executor_lost')).toHaveLength(1)
  })

  test('a saved plan ends after two weeks, and when another run has changed the state', async () => {
    const { id } = await planning({ 'save-plan': true })
    await executed(app.deps, id, 'finish', { result: { outcome: 'finished', hasChanges: true } })
    expect((await show(id))['wait-reason'].code).toBe('needs-confirmation')
    app.clock.advance('335h')
    await sweepRuns(app.deps)
    expect((await show(id)).status).toBe('planned_and_saved')
    app.clock.advance('1h')
    await sweepRuns(app.deps)
    expect((await show(id)).status).toBe('discarded')
  })

  test('while remote execution is off nothing begins; when it is on again, the sweeper lets runs begin', async () => {
    const other = await organization(ann, 'switched')
    await enableRuns(other)
    const workspaceId = await runnableWorkspace(app, other)
    const at = '/api/v2/organizations/switched'
    const [first, second] = [await createRun(ann, workspaceId), await createRun(ann, workspaceId)]
    mustBe(await ann.patch(at, doc('organizations', { 'remote-execution-enabled': false })), 200)
    mustBe(await ann.post(`/api/v2/runs/${first.id}/actions/cancel`, {}), 202)
    await sweepRuns(app.deps)
    expect(await show(second.id)).toMatchObject({ status: 'pending', 'wait-reason': { code: 'remote-execution-off' } })
    mustBe(await ann.patch(at, doc('organizations', { 'remote-execution-enabled': true })), 200)
    await sweepRuns(app.deps)
    expect((await show(second.id)).status).toBe('plan_queued')
  })

  test('the metrics tell how many runs there are, and that none is stuck', async () => {
    const { id } = await planning()
    await app.deps.metrics.render()
    const shown = await app.deps.metrics.render()
    expect(shown).toMatch(/holdfast_runs\{status="planning"\} [1-9]/)
    expect(shown).toContain('holdfast_runs_stuck 0')
    app.clock.advance('2m')
    expect(await app.deps.metrics.render()).toMatch(/holdfast_runs_stuck [1-9]/)
    await sweepRuns(app.deps)
    expect(await app.deps.metrics.render()).toContain('holdfast_runs_stuck 0')
    expect((await show(id)).status).toBe('plan_queued')
  })
})
