import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { storePool } from '../../../../../test/support/workspace-parts.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  let count = 0

  /** An organization of its own with a pool, which is its default. */
  async function place(defaults = true) {
    const name = `place-${++count}`
    const made = await organization(ann, name)
    const pool = await storePool(app, made, 'one')
    const path = `/api/v2/organizations/${name}`
    const change = (attributes: object) => ann.patch(path, doc('organizations', attributes))
    const agents = { 'default-execution-mode': 'agent', 'default-agent-pool-id': pool }
    if (defaults) mustBe(await change(agents), 200)
    const project = async (attributes: object): Promise<string> =>
      mustBe(await ann.post(`${path}/projects`, doc('projects', attributes)), 201).body.data.id
    const create = (workspace: string, projectId = made.projectId, attributes: object = follower) =>
      ann.post(`${path}/workspaces`, doc('workspaces', { name: workspace, ...attributes }, inProject(projectId)))
    const follow = async (workspace: string, projectId?: string): Promise<string> =>
      mustBe(await create(workspace, projectId), 201).body.data.id
    return { ...made, pool, agents, change, project, create, follow }
  }

  const follower = { 'execution-mode': 'agent', 'setting-overwrites': { 'agent-pool': false } }
  const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } })
  const execution = async (id: string) => {
    const { attributes, relationships } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    return [attributes['execution-mode'], relationships['agent-pool'].data?.id ?? null]
  }
  const faultOf = (answer: Parameters<typeof mustBe>[0]) => {
    const [error] = mustBe(answer, 422).body.errors
    return [error?.source.pointer, error?.detail.split(': ')[1]]
  }

  test('default pool: an organization keeps it while workspaces in agent mode use it, and says which', async () => {
    const here = await place()
    const ids = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await here.follow(name))
    const refused = await here.change({ 'default-execution-mode': 'remote' })
    expect(faultOf(refused)).toEqual(['/data/attributes/default-execution-mode', 'a, b, c and 2 more'])
    expect(await execution(`${ids[0]}`)).toEqual(['agent', here.pool])
    expect((await ann.delete(`/api/v2/agent-pools/${here.pool}`)).status).toBe(422)
    const other = await storePool(app, here, 'two')
    mustBe(await here.change({ 'default-agent-pool-id': other }), 200)
    expect(await execution(`${ids[0]}`)).toEqual(['agent', other])
    for (const id of ids)
      mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'execution-mode': 'local' })), 200)
    mustBe(await here.change({ 'default-execution-mode': 'remote' }), 200)
  })

  test('default pool: workspaces of a project with a pool of its own do not hinder the organization', async () => {
    const here = await place()
    const project = await here.project({ name: 'own', ...here.agents })
    const workspace = await here.follow('a', project)
    mustBe(await here.change({ 'default-execution-mode': 'local' }), 200)
    expect(await execution(workspace)).toEqual(['agent', here.pool])
  })

  test('default pool: an organization keeps it while a project in agent mode uses it', async () => {
    const here = await place()
    const project = await here.project({ name: 'mode-only', ...here.agents })
    const poolOfOrganization = { 'setting-overwrites': { 'default-agent-pool': false } }
    mustBe(await ann.patch(`/api/v2/projects/${project}`, doc('projects', poolOfOrganization)), 200)
    const refused = await here.change({ 'default-execution-mode': 'remote' })
    expect(faultOf(refused)).toEqual(['/data/attributes/default-execution-mode', 'mode-only'])
  })

  test('default pool: a project keeps it while workspaces in agent mode use it', async () => {
    const here = await place(false)
    const project = await here.project({ name: 'agents', ...here.agents })
    const workspace = await here.follow('a', project)
    const change = (attributes: object) => ann.patch(`/api/v2/projects/${project}`, doc('projects', attributes))
    expect(faultOf(await change({ 'default-execution-mode': 'remote' }))).toEqual([
      '/data/attributes/default-execution-mode',
      'a',
    ])
    const giveUp = { 'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false } }
    expect(faultOf(await change(giveUp))).toEqual(['/data/attributes/setting-overwrites', 'a'])
    mustBe(await change({ description: 'other' }), 200)
    expect(await execution(workspace)).toEqual(['agent', here.pool])
    mustBe(await here.change(here.agents), 200)
    mustBe(await change(giveUp), 200)
    expect(await execution(workspace)).toEqual(['agent', here.pool])
  })

  test('default pool: a workspace that uses it is not moved to a project without one', async () => {
    const here = await place(false)
    const project = await here.project({ name: 'agents', ...here.agents })
    const [one, two] = [await here.follow('one', project), await here.follow('two', project)]
    const move = (attributes: object) =>
      ann.patch(`/api/v2/workspaces/${one}`, doc('workspaces', attributes, inProject(here.projectId)))
    expect(faultOf(await move({}))[0]).toBe('/data/relationships/project')
    const list = { data: [two, one].map((id) => ({ type: 'workspaces', id })) }
    const moved = await ann.post(`/api/v2/projects/${here.projectId}/relationships/workspaces`, list)
    expect(faultOf(moved)).toEqual(['/data', 'one, two'])
    expect([await execution(one), await execution(two)]).toEqual(Array(2).fill(['agent', here.pool]))
    mustBe(await move({ 'execution-mode': 'agent', 'agent-pool-id': here.pool }), 200)
    expect(await execution(one)).toEqual(['agent', here.pool])
  })

  test('default pool: a workspace that wanted a pool of its own and named none follows a later default', async () => {
    const here = await place(false)
    const flags = { 'setting-overwrites': { 'execution-mode': false } }
    const { id } = mustBe(await here.create('a', here.projectId, flags), 201).body.data
    const own = { 'setting-overwrites': { 'agent-pool': true } }
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', own)), 200)
    mustBe(await here.change(here.agents), 200)
    expect(await execution(id)).toEqual(['agent', here.pool])
  })

  test('default pool: of two requests at once, one that removes it and one that begins to use it, one is refused', async () => {
    const here = await place()
    const project = await here.project({ name: 'agents', ...here.agents })
    const remote = { 'default-execution-mode': 'remote' }
    const changeProject = (attributes: object) => ann.patch(`/api/v2/projects/${project}`, doc('projects', attributes))
    for (let round = 0; round < 6; round++) {
      const [removed, used, removedThere, usedThere] = await Promise.all([
        here.change(remote),
        here.create(`here-${round}`),
        changeProject(remote),
        here.create(`there-${round}`, project),
      ])
      expect([removed.status, used.status].sort(), `round ${round}`).toEqual([used.status === 201 ? 201 : 200, 422])
      expect([removedThere.status, usedThere.status].sort()).toEqual([usedThere.status === 201 ? 201 : 200, 422])
      for (const { status, body } of [used, usedThere])
        if (status === 201) mustBe(await ann.delete(`/api/v2/workspaces/${body.data.id}`), 204)
      mustBe(await here.change(here.agents), 200)
      mustBe(await changeProject(here.agents), 200)
    }
  })
})
