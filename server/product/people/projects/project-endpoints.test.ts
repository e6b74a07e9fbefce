import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, workspaceIn } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))

  const projects = () => `/api/v2/organizations/${org.name}/projects`
  const create = async (name: string, attributes = {}): Promise<string> =>
    mustBe(await ann.post(projects(), doc('projects', { name, ...attributes })), 201).body.data.id
  const workspace = (name: string, projectId = org.projectId): Promise<string> =>
    workspaceIn(org, { name }, { project: { data: { type: 'projects', id: projectId } } })

  test('projects: strangers get 404 for list, read, update and delete', async () => {
    const id = await create('Hidden one')
    const answers = await Promise.all([
      bob.get(projects()),
      bob.get(`/api/v2/projects/${id}`),
      bob.patch(`/api/v2/projects/${id}`, doc('projects', { name: 'Mine now' })),
      bob.delete(`/api/v2/projects/${id}`),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
  })

  test('projects: a project can be created, read, updated, found by name and deleted', async () => {
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
    const named = (await ann.get(`${projects()}?filter[names]=NETworks,Nothing`)).body
    expect(named.data.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await ann.get(`${projects()}?q=etwor`)).body.data).toHaveLength(1)
    mustBe(await ann.delete(`/api/v2/projects/${id}`), 204)
    expect((await ann.get(`/api/v2/projects/${id}`)).status).toBe(404)
  })

  test('projects: the list is searched case-insensitively, sorted and paginated', async () => {
    for (const name of ['paged_a', 'Paged_B', 'PAGED_c', 'pagedxd']) {
      app.clock.advance('1s')
      await create(name)
    }
    const found = async (query: string) => {
      const { data, meta } = mustBe(await ann.get(`${projects()}?${query}`), 200).body
      const names = data.map((each: { attributes: { name: string } }) => each.attributes.name)
      return [...names, meta.pagination['total-count']]
    }
    expect(await found('q=pAGED_')).toEqual(['paged_a', 'Paged_B', 'PAGED_c', 3])
    expect(await found('q=paged&sort=name')).toEqual(['paged_a', 'Paged_B', 'PAGED_c', 'pagedxd', 4])
    expect(await found('q=paged&sort=-name&page[size]=2&page[number]=2')).toEqual(['Paged_B', 'paged_a', 4])
    expect(await found('q=paged&page[size]=3&page[number]=2')).toEqual(['pagedxd', 4])
    expect(await found('q=paged%25&page[number]=9')).toEqual([0])
  })

  test.each([
    ['missing', {}],
    ['too short', { name: 'ab' }],
    ['too long', { name: 'a'.repeat(41) }],
    ['with a slash', { name: 'a/b/c' }],
    ['with outer spaces', { name: ' abc ' }],
  ])('projects: a name that is %s is 422 with a pointer', async (_what, attributes) => {
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

  test('projects: concurrent changes of different settings all stay', async () => {
    const path = `/api/v2/projects/${await create('Contended')}`
    const settings = { description: 'shared', name: 'Contended too', 'auto-destroy-activity-duration': '14d' }
    const each = Object.entries(settings).map(([name, value]) => doc('projects', { [name]: value }))
    for (const answer of await Promise.all(each.map((sent) => ann.patch(path, sent)))) mustBe(answer, 200)
    expect((await ann.get(path)).body.data.attributes).toMatchObject(settings)
  })

  test('projects: neither the default project nor one with workspaces is deleted', async () => {
    expect((await ann.delete(`/api/v2/projects/${org.projectId}`)).status).toBe(422)
    const id = await create('Full one')
    await workspace('in-full', id)
    expect((await ann.delete(`/api/v2/projects/${id}`)).status).toBe(422)
    expect((await ann.get(`/api/v2/projects/${id}`)).body.data.attributes['workspace-count']).toBe(1)
  })

  test('projects: moving workspaces moves all of them, or is 403 if one is unknown', async () => {
    const id = await create('Target')
    const [one, two] = [await workspace('move-1'), await workspace('move-2')]
    const move = (...ids: string[]) =>
      ann.post(`/api/v2/projects/${id}/relationships/workspaces`, {
        data: ids.map((each) => ({ type: 'workspaces', id: each })),
      })
    expect((await move(one, 'ws-1111111111111111')).status).toBe(403)
    mustBe(await move(...Array(1_000).fill(one), two), 204)
    for (const each of [one, two])
      expect((await ann.get(`/api/v2/workspaces/${each}`)).body.data.relationships.project.data.id).toBe(id)
  })

  test('projects: a move of several workspaces is atomic under concurrent moves, updates and deletions', async () => {
    const targets = [await create('Left side'), await create('Right side')]
    const move = (target: string | undefined, ids: readonly string[]) =>
      ann.post(`/api/v2/projects/${target}/relationships/workspaces`, {
        data: ids.map((id) => ({ type: 'workspaces', id })),
      })
    const projectOf = async (id: string) =>
      (await ann.get(`/api/v2/workspaces/${id}`)).body.data?.relationships.project.data.id
    const [one, two, three] = [await workspace('pair-1'), await workspace('pair-2'), await workspace('pair-3')]
    const moved = await Promise.all([
      move(targets[0], [one, two, three]),
      move(targets[1], [three, two, one]),
      ann.patch(`/api/v2/workspaces/${two}`, doc('workspaces', { description: 'busy' })),
    ])
    expect(moved.map(({ status }) => status)).toEqual([204, 204, 200])
    expect(new Set([await projectOf(one), await projectOf(two), await projectOf(three)]).size).toBe(1)
    for (let round = 0; round < 8; round++) {
      const [kept, gone] = [await workspace(`kept-${round}`), await workspace(`gone-${round}`)]
      const [answer] = await Promise.all([move(targets[0], [kept, gone]), ann.delete(`/api/v2/workspaces/${gone}`)])
      expect((await projectOf(kept)) === targets[0]).toBe(answer.status === 204)
    }
  })

  test('projects: workspaces inherit tag bindings of the project; their own binding overrides a key', async () => {
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

  test('projects: relationships/tag-bindings adds with POST and replaces with PATCH', async () => {
    const id = await create('Bound by relationship')
    const at = `/api/v2/projects/${id}/relationships/tag-bindings`
    const bound = (pairs: Record<string, string>) => ({
      data: Object.entries(pairs).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
    })
    const shown = async (address: string) =>
      (await ann.get(address)).body.data.map(({ attributes }: { attributes: { key: string; value: string } }) => [
        attributes.key,
        attributes.value,
      ])
    mustBe(await ann.post(at, bound({ a: '1', b: '2' })), 204)
    mustBe(await ann.patch(at, bound({ b: '3' })), 204)
    expect(await shown(at)).toEqual([['b', '3']])
    expect((await ann.post(at, bound({}))).status).toBe(422)
    mustBe(await ann.patch(at, bound({})), 204)
    expect(await shown(`/api/v2/projects/${id}/tag-bindings`)).toEqual([])
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

  const binding = (key: string, value: string) => ({ type: 'tag-bindings', attributes: { key, value } })
  const bound = (...data: object[]) => ({ 'tag-bindings': { data } })
  const pairsOf = async (id: string): Promise<string[]> =>
    (await ann.get(`/api/v2/projects/${id}/tag-bindings`)).body.data.map(
      ({ attributes }: { attributes: { key: string; value: string } }) => `${attributes.key}=${attributes.value}`,
    )

  test('projects: a PATCH with tag bindings replaces them; a PATCH without them keeps them', async () => {
    const id = await create('Replaced one')
    const change = (relationships?: object) =>
      ann.patch(`/api/v2/projects/${id}`, doc('projects', { description: 'x' }, relationships))
    mustBe(await change(bound(binding('a', '1'), binding('b', '2'))), 200)
    mustBe(await change(bound(binding('b', '3'))), 200)
    mustBe(await change(), 200)
    expect(await pairsOf(id)).toEqual(['b=3'])
    const many = Array.from({ length: 11 }, (_, index) => binding(`k${index}`, ''))
    const refused = await change(bound(...many))
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/relationships/tag-bindings/data']])
    mustBe(await change(bound()), 200)
    expect(await pairsOf(id)).toEqual([])
  })

  test('projects: filter[tagged] and include=effective_tag_bindings', async () => {
    const tagged = async (name: string, ...data: object[]): Promise<string> =>
      mustBe(await ann.post(projects(), doc('projects', { name }, bound(...data))), 201).body.data.id
    const one = await tagged('Tagged one', binding('key1', 'v1'), binding('key2', 'v2a'))
    const two = await tagged('Tagged two', binding('key2', 'v2b'))
    const found = async (query: string): Promise<string[]> =>
      mustBe(await ann.get(`${projects()}?${query}`), 200).body.data.map((each: { id: string }) => each.id)
    expect(await found('filter[tagged][0][key]=key1&filter[tagged][0][value]=')).toEqual([one])
    expect(await found('filter[tagged][0][key]=key2&sort=name')).toEqual([one, two])
    expect(await found('filter[tagged][0][key]=key2&sort=-name')).toEqual([two, one])
    expect(await found('filter[tagged][0][key]=key2&filter[tagged][0][value]=v2b')).toEqual([two])
    expect(await found('filter[tagged][0][key]=key1&filter[tagged][1][key]=key2')).toEqual([one])
    expect(await found('filter[tagged][0][key]=key9')).toEqual([])
    expect((await ann.get(`${projects()}?filter[tagged][x][key]=key9`)).status).toBe(400)
    const { data, included } = mustBe(await ann.get(`/api/v2/projects/${one}?include=effective_tag_bindings`), 200).body
    expect(data.relationships['effective-tag-bindings'].data).toHaveLength(2)
    expect(included.map((each: { attributes: object }) => each.attributes)).toEqual([
      { key: 'key1', value: 'v1' },
      { key: 'key2', value: 'v2a' },
    ])
    const page = mustBe(await ann.get(`${projects()}?q=tagged&include=effective_tag_bindings`), 200).body
    expect(page.included).toHaveLength(3)
    const unknown = await ann.get(`/api/v2/projects/${one}?include=nothing`)
    expect([unknown.status, unknown.body.errors[0].detail]).toEqual([
      400,
      expect.stringMatching(/Invalid include parameter$/),
    ])
  })

  test('projects: an agent pool fault points to the attribute or the relationship that names the pool', async () => {
    const related = { 'default-agent-pool': { data: { type: 'agent-pools', id: 'apool-1111111111111111' } } }
    const attribute = { 'default-agent-pool-id': 'apool-1111111111111111' }
    const refused = async (attributes: object, relationships?: object) => {
      const body = doc('projects', { name: 'Pointed', ...attributes }, relationships)
      const answer = mustBe(await ann.post(`/api/v2/organizations/${org.name}/projects`, body), 422)
      return [answer.body.errors[0].title, ...pointers(answer)]
    }
    for (const [mode, title] of [
      ['agent', 'invalid attribute'],
      ['local', 'unprocessable entity'],
    ]) {
      const settings = { 'default-execution-mode': mode }
      expect(await refused({ ...settings, ...attribute })).toEqual([title, '/data/attributes/default-agent-pool-id'])
      expect(await refused(settings, related)).toEqual([title, '/data/relationships/default-agent-pool'])
    }
  })

  test('projects: execution mode and pool follow the organization until the project sets its own', async () => {
    const other = await organization(ann, 'acme-agents')
    const at = `/api/v2/organizations/${other.name}`
    const pool = async (name: string): Promise<string> =>
      mustBe(await ann.post(`${at}/agent-pools`, doc('agent-pools', { name })), 201).body.data.id
    const [ours, own] = [await pool('ours'), await pool('own')]
    const settings = { 'default-execution-mode': 'agent', 'default-agent-pool-id': ours }
    mustBe(await ann.patch(at, doc('organizations', settings)), 200)
    const id = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'Follower' })), 201).body.data.id
    const shown = async (attributes: object = {}) => {
      const answer = await ann.patch(`/api/v2/projects/${id}`, doc('projects', attributes))
      if (answer.status !== 200) return [answer.status, ...pointers(answer)]
      const { data } = answer.body
      return [
        data.attributes['default-execution-mode'],
        data.relationships['default-agent-pool'].data?.id ?? null,
        data.attributes['setting-overwrites']['default-execution-mode'],
      ]
    }
    const mode = (value: string) => ({ 'default-execution-mode': value })
    const withPool = { 'default-agent-pool-id': own }
    const overwrites = (execution: boolean, agents: boolean) => ({
      'setting-overwrites': { 'default-execution-mode': execution, 'default-agent-pool': agents },
    })
    const atPool = [422, '/data/attributes/default-agent-pool-id']
    expect(await shown()).toEqual(['agent', ours, false])
    expect(await shown({ ...mode('local'), ...withPool })).toEqual(atPool)
    expect(await shown(mode('local'))).toEqual(['local', null, true])
    expect(await shown(mode('agent'))).toEqual(atPool)
    expect(await shown({ ...mode('agent'), ...withPool })).toEqual(['agent', own, true])
    expect(await shown({ ...mode('agent'), ...withPool, ...overwrites(true, false) })).toEqual([
      422,
      '/data/attributes/setting-overwrites',
    ])
    expect(await shown({ ...mode('local'), ...overwrites(false, false) })).toEqual(['agent', ours, false])
    const included = mustBe(await ann.get(`${at}?include=default_project`), 200).body.included
    expect(included).toMatchObject([{ type: 'projects', attributes: { 'default-execution-mode': 'agent' } }])
  })

  test.each([
    ['was null from the start', { 'default-agent-pool-id': null }, undefined],
    ['was emptied', {}, { 'default-agent-pool-id': '' }],
    ['was said to be its own, but not which,', {}, { 'setting-overwrites': { 'default-agent-pool': true } }],
  ])('projects: a default agent pool that %s follows the organization', async (how, made, changed) => {
    const other = await organization(ann, `poolless-${how.length}`)
    const at = `/api/v2/organizations/${other.name}`
    const { data } = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'Follower', ...made })), 201).body
    const self = `/api/v2/projects/${data.id}`
    if (changed) mustBe(await ann.patch(self, doc('projects', changed)), 200)
    const pool = mustBe(await ann.post(`${at}/agent-pools`, doc('agent-pools', { name: 'ours' })), 201).body.data.id
    const agents = { 'default-execution-mode': 'agent', 'default-agent-pool-id': pool }
    mustBe(await ann.patch(at, doc('organizations', agents)), 200)
    const follow = { name: 'follower', 'setting-overwrites': { 'execution-mode': false } }
    const project = { project: { data: { type: 'projects', id: data.id } } }
    const workspace = await ann.post(`${at}/workspaces`, doc('workspaces', follow, project))
    expect(mustBe(workspace, 201).body.data.relationships['agent-pool'].data).toMatchObject({ id: pool })
    const renamed = mustBe(await ann.patch(self, doc('projects', { name: 'Renamed' })), 200).body.data
    expect(renamed.attributes['setting-overwrites']['default-agent-pool']).toBe(false)
    expect(renamed.relationships['default-agent-pool'].data).toMatchObject({ id: pool })
  })
})
