import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team } from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { changeProject, storePool, storeProject } from '../../../../../test/support/workspace-parts.ts'

type Shown = {
  id: string
  attributes: Record<string, unknown>
  relationships: Record<string, { data: { id: string } }>
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))

  const path = '/api/v2/organizations/acme/workspaces'
  const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } })
  const made = async (attributes: object, relationships?: object): Promise<Shown> =>
    mustBe(await ann.post(path, doc('workspaces', attributes, relationships)), 201).body.data
  const shown = async (id: string): Promise<Shown> => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
  const patched = async (id: string, attributes: object, relationships?: object): Promise<Shown> =>
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes, relationships)), 200).body.data
  const follow = { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } }
  const execution = ({ attributes, relationships }: Shown) => [
    attributes['execution-mode'],
    relationships['agent-pool']?.data?.id ?? null,
  ]
  const organizationDefaults = async (attributes: object, relationships?: object) =>
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', attributes, relationships)), 200)

  test('a workspace that follows changes with its organization and project, one with its own mode does not', async () => {
    const pool = await storePool(app, acme, 'one')
    const other = await storePool(app, acme, 'two')
    const project = await storeProject(app, acme, 'Apps')
    const following = await made({ name: 'following', ...follow }, inProject(project))
    const settled = await made({ name: 'settled', 'execution-mode': 'local' }, inProject(project))
    expect(execution(following)).toEqual(['remote', null])
    await organizationDefaults(
      { 'default-execution-mode': 'agent' },
      { 'default-agent-pool': { data: { type: 'agent-pools', id: pool } } },
    )
    expect(execution(await shown(following.id))).toEqual(['agent', pool])
    const listed = mustBe(await ann.get(`${path}?search[name]=following`), 200).body.data
    expect(listed).toEqual([await shown(following.id)])
    await changeProject(app, project, { defaultAgentPoolId: other })
    expect(execution(await shown(following.id))).toEqual(['agent', other])
    await changeProject(app, project, { defaultExecutionMode: 'local' })
    expect(execution(await shown(following.id))).toEqual(['local', null])
    expect((await shown(following.id)).attributes.operations).toBe(false)
    expect(execution(await shown(settled.id))).toEqual(['local', null])
    const byDefault = await patched(settled.id, { 'execution-mode': 'remote' })
    expect(execution(byDefault)).toEqual(['remote', null])
    expect(execution(await patched(settled.id, { ...follow, 'execution-mode': 'remote' }))).toEqual(['local', null])
    const moved = await patched(following.id, {}, inProject(acme.projectId))
    expect(execution(moved)).toEqual(['agent', pool])
    await organizationDefaults({ 'default-execution-mode': 'remote' })
    expect(execution(await shown(following.id))).toEqual(['remote', null])
  })

  test('new workspaces inherit settings if workspaces-inherit-settings-by-default is true', async () => {
    await organizationDefaults({ 'workspaces-inherit-settings-by-default': true, 'default-global-remote-state': true })
    const workspace = await made({ name: 'wished' })
    expect(workspace.attributes).toMatchObject({
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
      'global-remote-state': true,
    })
    await organizationDefaults({
      'workspaces-inherit-settings-by-default': false,
      'default-global-remote-state': false,
    })
    expect((await made({ name: 'copied' })).attributes).toMatchObject({
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
      'global-remote-state': false,
    })
  })

  test('auto-destroy: the project duration applies until own settings override it, and when inherited', async () => {
    const project = await storeProject(app, acme, 'Short', { autoDestroyActivityDuration: '3d' })
    const workspace = await made({ name: 'short-lived' }, inProject(project))
    const later = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString()
    expect(workspace.attributes).toMatchObject({
      'auto-destroy-activity-duration': '3d',
      'auto-destroy-at': later(3),
      'auto-destroy-status': 'scheduled',
      'inherits-project-auto-destroy': true,
    })
    const own = await patched(workspace.id, { 'auto-destroy-activity-duration': '14d' })
    expect(own.attributes).toMatchObject({
      'auto-destroy-activity-duration': '14d',
      'auto-destroy-at': later(14),
      'inherits-project-auto-destroy': false,
    })
    const cleared = await patched(workspace.id, { 'auto-destroy-activity-duration': null })
    expect(cleared.attributes).toMatchObject({
      'auto-destroy-activity-duration': null,
      'auto-destroy-at': null,
      'auto-destroy-status': null,
      'inherits-project-auto-destroy': false,
    })
    const back = await patched(workspace.id, { 'inherits-project-auto-destroy': true })
    expect(back.attributes).toMatchObject({ 'auto-destroy-activity-duration': '3d', 'auto-destroy-at': later(3) })
    const moved = await patched(workspace.id, {}, inProject(acme.projectId))
    expect(moved.attributes).toMatchObject({ 'auto-destroy-activity-duration': null, 'auto-destroy-at': null })
  })

  test('auto-destroy: a workspace inherits nothing while its project has no duration', async () => {
    const project = await storeProject(app, acme, 'Later')
    const inherits = { 'inherits-project-auto-destroy': true }
    const workspace = await made({ name: 'later', ...inherits }, inProject(project))
    expect(workspace.attributes['inherits-project-auto-destroy']).toBeNull()
    const changeDuration = async (duration: string | null) => {
      const change = doc('projects', { 'auto-destroy-activity-duration': duration })
      mustBe(await ann.patch(`/api/v2/projects/${project}`, change), 200)
      return (await shown(workspace.id)).attributes
    }
    expect(await changeDuration('3d')).toMatchObject({ ...inherits, 'auto-destroy-activity-duration': '3d' })
    expect(await changeDuration(null)).toMatchObject({ 'inherits-project-auto-destroy': null, 'auto-destroy-at': null })
    expect((await patched(workspace.id, inherits)).attributes['inherits-project-auto-destroy']).toBeNull()
  })

  test('auto-destroy: following a project while its duration changes ends with its final duration', async () => {
    const project = await storeProject(app, acme, 'Changing')
    const changeDuration = (duration: string | null) =>
      ann.patch(`/api/v2/projects/${project}`, doc('projects', { 'auto-destroy-activity-duration': duration }))
    const isScheduled = async (id: string) => (await shown(id)).attributes['auto-destroy-at'] !== null
    for (const [round, duration] of ['3d', null, '1d', null].entries()) {
      const moving = await made({ name: `moving-${round}` })
      const own = { name: `own-${round}`, 'inherits-project-auto-destroy': false }
      const joining = await made(own, inProject(project))
      const [changed, ...followers] = await Promise.all([
        changeDuration(duration),
        made({ name: `new-${round}` }, inProject(project)),
        made({ name: `newer-${round}` }, inProject(project)),
        patched(moving.id, {}, inProject(project)),
        patched(joining.id, { 'inherits-project-auto-destroy': true }),
      ])
      mustBe(changed, 200)
      const scheduled = await Promise.all(followers.map(({ id }) => isScheduled(id)))
      expect({ duration, scheduled }).toEqual({ duration, scheduled: followers.map(() => duration !== null) })
    }
  })

  test('pools: a pool allowed for a project or workspace can be used there; excluded workspaces get 422', async () => {
    const project = await storeProject(app, acme, 'Pooled')
    const workspace = await made({ name: 'pooled' }, inProject(project))
    const agent = (id: string) => ({ 'execution-mode': 'agent', 'agent-pool-id': id })
    const byProject = await storePool(app, acme, 'by-project', { allowed: [project] })
    const byWorkspace = await storePool(app, acme, 'by-workspace', { allowed: [workspace.id] })
    const excluded = await storePool(app, acme, 'excluded', { excluded: [workspace.id] })
    expect(execution(await patched(workspace.id, agent(byProject)))).toEqual(['agent', byProject])
    expect(execution(await patched(workspace.id, { 'agent-pool-id': byWorkspace }))).toEqual(['agent', byWorkspace])
    const scope = { allowed: [project], excluded: [workspace.id] }
    const excludedFromProject = await storePool(app, acme, 'excluded-from-project', scope)
    for (const pool of [excluded, excludedFromProject]) {
      const refused = await ann.patch(`/api/v2/workspaces/${workspace.id}`, doc('workspaces', agent(pool)))
      expect(pointers(mustBe(refused, 422))).toEqual(['/data/attributes/agent-pool-id'])
    }
    mustBe(await ann.post(path, doc('workspaces', { name: 'elsewhere', ...agent(byProject) })), 422)
  })

  test('pools: the agent-pool relationship counts only in agent mode', async () => {
    const [pool, other] = [await storePool(app, acme, 'linked'), await storePool(app, acme, 'linked-too')]
    const linked = (id: string | null) => ({ 'agent-pool': { data: id && { type: 'agent-pools', id } } })
    const workspace = await made({ name: 'linked', 'execution-mode': 'agent' }, linked(pool))
    expect(execution(workspace)).toEqual(['agent', pool])
    const change = async (attributes: object, id: string | null) =>
      execution(await patched(workspace.id, attributes, linked(id)))
    expect(await change({}, other)).toEqual(['agent', other])
    expect(await change({ 'agent-pool-id': pool }, other)).toEqual(['agent', pool])
    expect(await change({}, null)).toEqual(['agent', pool])
    expect(await change({ 'execution-mode': 'local' }, pool)).toEqual(['local', null])
    expect(await change({ 'execution-mode': 'agent' }, other)).toEqual(['agent', other])
    expect(await change({ operations: true }, other)).toEqual(['remote', null])
  })

  test('pools: a 422 points to the attribute or relationship that names the pool', async () => {
    const { id } = await made({ name: 'pointed' })
    const closed = await storePool(app, acme, 'closed-to-all', { allowed: ['ws-nobody'] })
    const agent = { 'execution-mode': 'agent' }
    const linked = (pool: string | null) => ({ 'agent-pool': { data: pool && { type: 'agent-pools', id: pool } } })
    const refused = async (attributes: object, relationships?: object) => {
      const body = doc('workspaces', { name: 'pointed-too', ...attributes }, relationships)
      const answers = [await ann.post(path, body), await ann.patch(`/api/v2/workspaces/${id}`, body)]
      return [...new Set(answers.flatMap((answer) => pointers(mustBe(answer, 422))))]
    }
    const [attribute, relationship] = [['/data/attributes/agent-pool-id'], ['/data/relationships/agent-pool']]
    for (const pool of [closed, 'apool-1111111111111111']) {
      expect(await refused({ ...agent, 'agent-pool-id': pool })).toEqual(attribute)
      expect(await refused(agent, linked(pool))).toEqual(relationship)
      expect(await refused({ ...agent, 'agent-pool-id': pool }, linked(closed))).toEqual(attribute)
    }
    expect(await refused({}, linked(closed))).toEqual(relationship)
    expect(await refused(agent)).toEqual(attribute)
    expect(await refused(agent, linked(null))).toEqual(relationship)
    expect(await refused(agent, { 'agent-pool': { data: { type: 'pools', id: closed } } })).toEqual([
      '/data/relationships/agent-pool/data/type',
    ])
    expect(await refused({ ...agent, 'agent-pool-id': 5 }, linked(closed))).toEqual(attribute)
  })

  test('move: needs manage-projects; manage-workspaces alone is 404', async () => {
    const target = await storeProject(app, acme, 'Guarded')
    const workspace = await made({ name: 'guarded' })
    const movers = await team(acme, 'movers', { 'organization-access': { 'manage-projects': true } })
    const managers = await team(acme, 'managers', { 'organization-access': { 'manage-workspaces': true } })
    const move = doc('workspaces', {}, inProject(target))
    mustBe(await managers.patch(`/api/v2/workspaces/${workspace.id}`, move), 404)
    mustBe(await managers.patch(`/api/v2/workspaces/${workspace.id}`, doc('workspaces', { 'auto-apply': true })), 200)
    mustBe(await movers.patch(`/api/v2/workspaces/${workspace.id}`, move), 200)
    expect((await shown(workspace.id)).relationships.project?.data.id).toBe(target)
  })

  test('a workspace created to share its state with its project alone does not take the default to share with all', async () => {
    await organizationDefaults({ 'default-global-remote-state': true })
    const [shared, narrow] = [await made({ name: 'all' }), await made({ name: 'narrow', 'project-remote-state': true })]
    const sharing = [shared, narrow].map(({ attributes }) => [
      attributes['global-remote-state'],
      attributes['project-remote-state'],
    ])
    expect(sharing).toEqual([
      [true, false],
      [false, true],
    ])
    const both = { name: 'both', 'global-remote-state': true, 'project-remote-state': true }
    expect((await ann.post(path, doc('workspaces', both))).status).toBe(422)
    await organizationDefaults({ 'default-global-remote-state': false })
  })
})

test('hosted edition: assessments need a supported mode and version; organizations can enforce them', async () => {
  const app = await ownApp({ settings: { edition: 'hosted' } })
  const ann = await person(app, 'ann')
  await organization(ann, 'acme')
  const path = '/api/v2/organizations/acme/workspaces'
  const post = (attributes: object) => ann.post(path, doc('workspaces', attributes))
  const assessed = { 'assessments-enabled': true }
  const good = mustBe(await post({ name: 'good', ...assessed, 'tool-version': '0.15.4' }), 201).body.data
  expect(good.attributes['assessments-enabled']).toBe(true)
  const byOldName = mustBe(await post({ name: 'old', 'drift-detection': true }), 201).body.data
  expect(byOldName.attributes['assessments-enabled']).toBe(true)
  const pool = mustBe(
    await ann.post('/api/v2/organizations/acme/agent-pools', doc('agent-pools', { name: 'own' })),
    201,
  )
  for (const wrong of [
    { 'execution-mode': 'local' },
    { 'execution-mode': 'agent', 'agent-pool-id': pool.body.data.id },
    { 'tool-version': '0.15.3' },
    { 'tool-version': 'terraform:~> 0.14.0' },
  ]) {
    expect(pointers(mustBe(await post({ name: 'bad', ...assessed, ...wrong }), 422))).toEqual([
      '/data/attributes/assessments-enabled',
    ])
  }
  const plain = mustBe(await post({ name: 'plain' }), 201).body.data
  const local = mustBe(await post({ name: 'local', 'execution-mode': 'local' }), 201).body.data
  mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'assessments-enforced': true })), 200)
  const enabled = async (id: string) =>
    (await ann.get(`/api/v2/workspaces/${id}`)).body.data.attributes['assessments-enabled']
  expect([await enabled(plain.id), await enabled(local.id)]).toEqual([true, false])
  const change = (attributes: object) =>
    ann.patch(`/api/v2/workspaces/${good.id}`, doc('workspaces', attributes)).then((answer) => mustBe(answer, 200))
  expect((await change({ 'execution-mode': 'local' })).body.data.attributes['assessments-enabled']).toBe(false)
  expect((await change({ 'execution-mode': 'remote' })).body.data.attributes['assessments-enabled']).toBe(true)
})
