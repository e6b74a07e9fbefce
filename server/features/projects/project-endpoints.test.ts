import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  type Organization,
  organization,
  type Person,
  person,
  pointers,
} from '../../../test/support/platform.ts'
import { type TestApp, testApp } from '../../../test/support/test-app.ts'

eachEngine((engine) => {
  let app: TestApp
  let ann: Person
  let bob: Person
  let org: Organization

  beforeAll(async () => {
    app = await testApp({ engine })
    ann = await person(app, 'ann')
    bob = await person(app, 'bob')
    org = await organization(ann, 'acme')
  })
  afterAll(() => app.close())

  const projects = () => `/api/v2/organizations/${org.name}/projects`
  const create = async (name: string, attributes = {}): Promise<string> =>
    mustBe(await ann.post(projects(), doc('projects', { name, ...attributes })), 201).body.data.id
  const workspace = async (name: string, projectId?: string): Promise<string> => {
    const relationships = projectId ? { project: { data: { type: 'projects', id: projectId } } } : undefined
    return mustBe(
      await ann.post(`/api/v2/organizations/${org.name}/workspaces`, doc('workspaces', { name }, relationships)),
      201,
    ).body.data.id
  }

  test('projects: strangers see nothing and change nothing', async () => {
    const id = await create('Hidden one')
    const answers = await Promise.all([
      bob.get(projects()),
      bob.get(`/api/v2/projects/${id}`),
      bob.patch(`/api/v2/projects/${id}`, doc('projects', { name: 'Mine now' })),
      bob.delete(`/api/v2/projects/${id}`),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
  })

  test('projects: made, shown, changed, listed by name, deleted', async () => {
    const id = await create('Network', { description: 'wires' })
    const shown = mustBe(await ann.get(`/api/v2/projects/${id}`), 200).body.data
    expect(shown.attributes).toMatchObject({
      name: 'Network',
      description: 'wires',
      'workspace-count': 0,
      'default-execution-mode': 'remote',
    })
    expect(shown.attributes.permissions['can-update']).toBe(true)
    expect(
      mustBe(await ann.patch(`/api/v2/projects/${id}`, doc('projects', { name: 'Networks' })), 200).body.data
        .attributes,
    ).toMatchObject({ name: 'Networks', description: 'wires' })
    const named = (await ann.get(`${projects()}?filter[names]=Networks,Nothing`)).body
    expect(named.data.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await ann.get(`${projects()}?q=etwor`)).body.data).toHaveLength(1)
    mustBe(await ann.delete(`/api/v2/projects/${id}`), 204)
    expect((await ann.get(`/api/v2/projects/${id}`)).status).toBe(404)
  })

  test.each([
    ['missing', {}],
    ['too short', { name: 'ab' }],
    ['too long', { name: 'a'.repeat(41) }],
    ['with a slash', { name: 'a/b/c' }],
    ['with outer spaces', { name: ' abc ' }],
  ])('projects: a name that is %s is 422 at its place', async (_what, attributes) => {
    const answer = await ann.post(projects(), doc('projects', attributes))
    expect([answer.status, pointers(answer)]).toEqual([422, ['/data/attributes/name']])
  })

  test('projects: a taken name is 422, also for a rename and for parallel creations', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ann.post(projects(), doc('projects', { name: 'Only one' }))),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 422, 422, 422, 422])
    const other = await create('Another one')
    expect((await ann.patch(`/api/v2/projects/${other}`, doc('projects', { name: 'Only one' }))).status).toBe(422)
  })

  test('projects: neither the default project nor one with workspaces is deleted', async () => {
    expect((await ann.delete(`/api/v2/projects/${org.projectId}`)).status).toBe(422)
    const id = await create('Full one')
    await workspace('in-full', id)
    expect((await ann.delete(`/api/v2/projects/${id}`)).status).toBe(422)
    expect((await ann.get(`/api/v2/projects/${id}`)).body.data.attributes['workspace-count']).toBe(1)
  })

  test('projects: workspaces are moved, all or none', async () => {
    const id = await create('Target')
    const [one, two] = [await workspace('move-1'), await workspace('move-2')]
    const move = (...ids: string[]) =>
      ann.post(`/api/v2/projects/${id}/relationships/workspaces`, {
        data: ids.map((each) => ({ type: 'workspaces', id: each })),
      })
    expect((await move(one, 'ws-1111111111111111')).status).toBe(403)
    mustBe(await move(one, two), 204)
    for (const each of [one, two])
      expect((await ann.get(`/api/v2/workspaces/${each}`)).body.data.relationships.project.data.id).toBe(id)
  })

  test('projects: bindings are inherited by workspaces, and a direct one hides them', async () => {
    const id = await create('Bound one')
    const bind = (at: string, key: string, value: string) =>
      ann.patch(`${at}/tag-bindings`, { data: [{ type: 'tag-bindings', attributes: { key, value } }] })
    mustBe(await bind(`/api/v2/projects/${id}`, 'env', 'dev'), 200)
    mustBe(await bind(`/api/v2/projects/${id}`, 'team', 'ops'), 200)
    const inside = await workspace('inherits', id)
    mustBe(await bind(`/api/v2/workspaces/${inside}`, 'env', 'prod'), 200)
    const { data } = (await ann.get(`/api/v2/workspaces/${inside}/effective-tag-bindings`)).body
    expect(data[0]).toEqual({
      type: 'effective-tag-bindings',
      id: expect.any(String),
      attributes: { key: 'env', value: 'prod' },
    })
    expect(data[1]).toMatchObject({
      attributes: { key: 'team', value: 'ops' },
      relationships: { 'inherited-from': { links: { related: `/api/v2/projects/${id}` } } },
    })
    expect((await ann.get(`/api/v2/projects/${id}/effective-tag-bindings`)).body.data).toHaveLength(2)
  })

  test('projects: a default execution mode reaches the workspaces that do not overwrite it', async () => {
    const id = await create('Local one', { 'default-execution-mode': 'local' })
    const inside = await workspace('local-by-project', id)
    const follow = doc('workspaces', { 'setting-overwrites': { 'execution-mode': false } })
    mustBe(await ann.patch(`/api/v2/workspaces/${inside}`, follow), 200)
    expect((await ann.get(`/api/v2/workspaces/${inside}`)).body.data.attributes['execution-mode']).toBe('local')
    mustBe(
      await ann.patch(
        `/api/v2/projects/${id}`,
        doc('projects', { 'setting-overwrites': { 'default-execution-mode': false } }),
      ),
      200,
    )
    expect((await ann.get(`/api/v2/workspaces/${inside}`)).body.data.attributes['execution-mode']).toBe('remote')
  })
})
