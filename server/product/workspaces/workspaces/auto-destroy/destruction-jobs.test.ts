import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../../test/support/many-workspaces.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { instant } from '../../../../kernel/clock.ts'
import { skipReason } from './destruction.ts'
import { handleOverdueDestructions } from './destruction-actions.ts'

test.each([
  ['there are no resources', { resourceCount: 0 }, 'remote', 'no-resources'],
  ['allow-destroy-plan is false', { allowDestroyPlan: false }, 'remote', 'destroy-not-allowed'],
  ['the execution mode is local', {}, 'local', 'runs-elsewhere'],
  ['nothing executes runs', {}, 'remote', 'no-executor'],
  ['the resource count is unknown', { resourceCount: 0, resourceCountKnown: false }, 'remote', 'no-executor'],
])('auto-destroy is skipped when %s', (_name, facts, mode, reason) => {
  const workspace = { resourceCount: 1, resourceCountKnown: true, allowDestroyPlan: true, ...facts }
  expect(skipReason(workspace, mode, false)).toBe(reason)
  expect(skipReason(workspace, mode, true)).toBe(reason === 'no-executor' ? undefined : reason)
})

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = (attributes: object, projectId = org.projectId): Promise<string> =>
    workspaceIn(org, attributes, { project: { data: { type: 'projects', id: projectId } } })
  const shown = async (id: string) => {
    const { attributes } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    return [
      attributes['auto-destroy-at'],
      attributes['auto-destroy-status'],
      attributes['auto-destroy-activity-duration'],
    ]
  }
  const skips = async (id: string) => {
    const { data } = (await ann.get(`/api/v2/workspaces/${id}/changes`)).body
    const actions = data.map((each: { attributes: { action: string } }) => each.attributes.action)
    return actions.filter((action: string) => action === 'skip-auto-destroy').length
  }
  const inHours = (hours: number) => new Date(app.clock.now() + hours * 3_600_000).toISOString()
  const run = () => handleOverdueDestructions(app.deps, AbortSignal.timeout(60_000))

  test('auto-destroy: a fixed time is skipped once, also when the clock is set back afterwards', async () => {
    const id = await workspace({ 'auto-destroy-at': inHours(1) })
    await run()
    expect((await shown(id))[1]).toBe('scheduled')
    const start = app.clock.now()
    app.clock.advance('2h')
    await Promise.all([run(), run(), run()])
    expect([await shown(id), await skips(id)]).toEqual([[null, 'skipped', null], 1])
    app.clock.set(start)
    await run()
    app.clock.advance('2h')
    await run()
    expect(await skips(id)).toBe(1)
  })

  test('auto-destroy: a time in the past and a time that was cleared are never skipped', async () => {
    const past = inHours(-1)
    const [over, cleared] = [
      await workspace({ 'auto-destroy-at': past }),
      await workspace({ 'auto-destroy-at': inHours(1) }),
    ]
    mustBe(await ann.patch(`/api/v2/workspaces/${cleared}`, doc('workspaces', { 'auto-destroy-at': null })), 200)
    app.clock.advance('2h')
    await run()
    expect([(await shown(over))[1], await skips(over), await shown(cleared), await skips(cleared)]).toEqual([
      'skipped',
      0,
      [null, null, null],
      0,
    ])
    expect(Date.parse((await shown(over))[0])).toBe(Math.floor(Date.parse(past)))
  })

  test('auto-destroy: all workspaces of a project follow it, however many, and no others', async () => {
    const created = await ann.post('/api/v2/organizations/acme/projects', doc('projects', { name: 'followed' }))
    const project: string = mustBe(created, 201).body.data.id
    const [followed, other] = [await workspace({}, project), await workspace({})]
    await copyWorkspaces(app.deps.db, followed, 600)
    const own = await workspace({ 'auto-destroy-at': inHours(1) }, project)
    const wanted = doc('projects', { 'auto-destroy-activity-duration': '14d' })
    mustBe(await ann.patch(`/api/v2/projects/${project}`, wanted), 200)
    const counted = app.deps.db
      .selectFrom('workspaces')
      .select(({ fn }) => ['auto_destroy_at', fn.countAll<number>().as('workspaces')])
      .where('project_id', '=', project)
      .where('id', '<>', own)
      .groupBy('auto_destroy_at')
    expect(await counted.execute()).toEqual([{ auto_destroy_at: app.clock.now() + 14 * 86_400_000, workspaces: 601 }])
    expect([await shown(own), await shown(other)]).toEqual([
      [inHours(1), 'scheduled', null],
      [null, null, null],
    ])
  })

  test('auto-destroy: an activity duration is kept after its time was skipped and can be set again', async () => {
    const id = await workspace({ 'auto-destroy-activity-duration': '2h' })
    app.clock.advance('3h')
    await run()
    expect(await shown(id)).toEqual([null, 'skipped', '2h'])
    await run()
    expect(await skips(id)).toBe(1)
    mustBe(
      await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'auto-destroy-activity-duration': '4h' })),
      200,
    )
    expect((await shown(id)).slice(1)).toEqual(['scheduled', '4h'])
  })

  test('auto-destroy: all workspaces that are due are skipped in one run', async () => {
    const ids: string[] = []
    for (let each = 0; each < 5; each++) ids.push(await workspace({ 'auto-destroy-at': inHours(1) }))
    const columns = { auto_destroy_at: instant(app.clock.now() + 1), auto_destroy_status: 'scheduled' }
    await app.deps.db.updateTable('workspaces').set(columns).where('id', 'in', ids).execute()
    app.clock.advance('1s')
    expect(await run()).toBe(5)
    expect(await run()).toBe(0)
  })

  test('auto-destroy: a workspace that cannot be read does not keep others from being skipped', async () => {
    const [damaged, whole] = [
      await workspace({ 'auto-destroy-at': inHours(1) }),
      await workspace({ 'auto-destroy-at': inHours(2) }),
    ]
    const setPatterns = (text: string) =>
      app.deps.db.updateTable('workspaces').set({ trigger_patterns: text }).where('id', '=', damaged).execute()
    await setPatterns('[')
    app.clock.advance('3h')
    await run()
    expect((await shown(whole))[1]).toBe('skipped')
    await setPatterns('[]')
    expect((await shown(damaged))[1]).not.toBe('skipped')
    expect(await run()).toBe(1)
    expect((await shown(damaged))[1]).toBe('skipped')
  })

  test('auto-destroy: workspaces follow the duration of their project, except those with their own', async () => {
    const made = await ann.post(
      `/api/v2/organizations/${org.name}/projects`,
      doc('projects', { name: `project-${++count}` }),
    )
    const { id: projectId } = mustBe(made, 201).body.data
    const follower = await workspace({}, projectId)
    const own = await workspace({ 'auto-destroy-activity-duration': '9h' }, projectId)
    const elsewhere = await workspace({})
    const before = await shown(own)
    const setTo = async (duration: string | null) =>
      mustBe(
        await ann.patch(
          `/api/v2/projects/${projectId}`,
          doc('projects', { 'auto-destroy-activity-duration': duration }),
        ),
        200,
      )
    await setTo('5h')
    const [at, status, duration] = await shown(follower)
    expect([Date.parse(at) - app.clock.now(), status, duration]).toEqual([5 * 3_600_000, 'scheduled', '5h'])
    expect(await shown(elsewhere)).toEqual([null, null, null])
    await setTo(null)
    expect(await shown(follower)).toEqual([null, null, null])
    expect(await shown(own)).toEqual(before)
  })
})
