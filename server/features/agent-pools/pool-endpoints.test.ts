import { expect, test } from 'vitest'
import type { Answer } from '../../../test/support/client.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team, workspaceIn } from '../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const fresh = () => `thing-${++count}`
  const pools = () => `/api/v2/organizations/${org.name}/agent-pools`
  const create = async (attributes: object = {}, relationships?: object) =>
    mustBe(await ann.post(pools(), doc('agent-pools', { name: fresh(), ...attributes }, relationships)), 201).body.data
  const workspace = (name = fresh()): Promise<string> => workspaceIn(org, { name })
  const list = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })
  const use = (workspaceId: string, poolId: string) =>
    ann.patch(
      `/api/v2/workspaces/${workspaceId}`,
      doc('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': poolId }),
    )

  test('agent-pools: non-members get 404, members may only read, teams with manage-agent-pools may write', async () => {
    const pool = await create()
    const at = `/api/v2/agent-pools/${pool.id}`
    expect([(await bob.get(pools())).status, (await bob.get(at)).status, (await bob.delete(at)).status]).toEqual([
      404, 404, 404,
    ])
    const members = await team(org, fresh())
    expect([
      (await members.get(at)).status,
      (await members.post(pools(), doc('agent-pools', { name: fresh() }))).status,
      (await members.patch(at, doc('agent-pools', { name: fresh() }))).status,
      (await members.delete(at)).status,
    ]).toEqual([200, 404, 404, 404])
    const managers = await team(org, fresh(), { 'organization-access': { 'manage-agent-pools': true } })
    mustBe(await managers.patch(at, doc('agent-pools', { name: fresh() })), 200)
    mustBe(await managers.delete(at), 204)
  })

  test('agent-pools: a pool can be created, read, found by a search in any case, and renamed', async () => {
    const made = await create({ name: 'On Premises' })
    expect(made).toMatchObject({
      type: 'agent-pools',
      attributes: { name: 'On Premises', 'organization-scoped': true, 'agent-count': 0 },
      relationships: {
        workspaces: { data: [] },
        'allowed-workspaces': { data: [] },
        'allowed-projects': { data: [] },
        'excluded-workspaces': { data: [] },
      },
    })
    const at = `/api/v2/agent-pools/${made.id}`
    expect((await ann.get(at)).body.data).toEqual(made)
    expect((await ann.get(`${pools()}?q=premIS`)).body.data).toEqual([made])
    const renamed = mustBe(await ann.patch(at, doc('agent-pools', { name: 'renamed' })), 200).body.data
    expect(renamed.attributes).toMatchObject({ name: 'renamed', 'organization-scoped': true })
  })

  test('agent-pools: changing one pool leaves other pools as they are', async () => {
    const allowed = { 'allowed-workspaces': list('workspaces', await workspace()) }
    const [pool, other] = [await create(), await create({ 'organization-scoped': false }, allowed)]
    const shown = async () => mustBe(await ann.get(`/api/v2/agent-pools/${other.id}`), 200).body.data
    const before = await shown()
    expect(before.relationships['allowed-workspaces'].data).toHaveLength(1)
    const change = doc(
      'agent-pools',
      { name: fresh(), 'organization-scoped': true },
      { 'allowed-workspaces': list('workspaces') },
    )
    mustBe(await ann.patch(`/api/v2/agent-pools/${pool.id}`, change), 200)
    expect(await shown()).toEqual(before)
  })

  test('agent-pools: names are unique within an organization, also under concurrent creation (422)', async () => {
    const name = fresh()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ann.post(pools(), doc('agent-pools', { name }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    const other = await create()
    const taken = await ann.patch(`/api/v2/agent-pools/${other.id}`, doc('agent-pools', { name }))
    expect([taken.status, pointers(taken)]).toEqual([422, ['/data/attributes/name']])
  })

  test('agent-pools: a 422 points to every fault; ids from other organizations count as unknown', async () => {
    const wrong = await ann.post(pools(), doc('agent-pools', { name: ' ', 'organization-scoped': 'no' }))
    expect([wrong.status, pointers(wrong)]).toEqual([
      422,
      ['/data/attributes/name', '/data/attributes/organization-scoped'],
    ])
    const other = await organization(bob, fresh())
    const foreign = mustBe(
      await bob.post(`/api/v2/organizations/${other.name}/workspaces`, doc('workspaces', { name: 'x' })),
      201,
    ).body.data.id
    const lists = {
      'allowed-workspaces': list('workspaces', foreign, 'ws-1111111111111111'),
      'allowed-projects': list('projects', other.projectId),
    }
    const unknown = await ann.post(pools(), doc('agent-pools', { name: fresh() }, lists))
    expect([unknown.status, pointers(unknown)]).toEqual([
      422,
      [
        '/data/relationships/allowed-projects/data/0/id',
        '/data/relationships/allowed-workspaces/data/0/id',
        '/data/relationships/allowed-workspaces/data/1/id',
      ],
    ])
  })

  test('agent-pools: only allowed workspaces or projects may use a scoped pool; PATCH replaces the lists', async () => {
    const [allowed, other] = [await workspace('allowed'), await workspace('other')]
    const pool = await create({ 'organization-scoped': false }, { 'allowed-workspaces': list('workspaces', allowed) })
    const at = `/api/v2/agent-pools/${pool.id}`
    const refused = await use(other, pool.id)
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/attributes/agent-pool-id']])
    mustBe(await use(allowed, pool.id), 200)
    expect((await ann.get(at)).body.data.relationships).toMatchObject({
      workspaces: list('workspaces', allowed),
      'allowed-workspaces': list('workspaces', allowed),
    })
    const named = (name: string) => `${pools()}?filter[allowed_workspaces][name]=${name}`
    const idsOf = async (address: string) => (await ann.get(address)).body.data.map((each: { id: string }) => each.id)
    expect(await idsOf(named('allowed'))).toContain(pool.id)
    expect(await idsOf(named('other'))).not.toContain(pool.id)
    const byProject = doc(
      'agent-pools',
      {},
      {
        'allowed-workspaces': list('workspaces'),
        'allowed-projects': list('projects', org.projectId),
      },
    )
    const changed = mustBe(await ann.patch(at, byProject), 200).body.data
    expect(changed.relationships).toMatchObject({
      'allowed-workspaces': { data: [] },
      'allowed-projects': list('projects', org.projectId),
    })
    mustBe(await use(other, pool.id), 200)
    expect(await idsOf(named('other'))).toContain(pool.id)
    // For a team that cannot see the workspace the filter finds no pool.
    const members = await team(org, fresh())
    const told = mustBe(await members.get(named('other')), 200).body.data.map((each: { id: string }) => each.id)
    expect(told).not.toContain(pool.id)
  })

  test('agent-pools: deleting a workspace or project removes it from the allowed lists of pools', async () => {
    const path = `/api/v2/organizations/${org.name}/projects`
    const project = mustBe(await ann.post(path, doc('projects', { name: fresh() })), 201).body.data
    const workspaceId = await workspace()
    const scopes = {
      'allowed-projects': list('projects', project.id),
      'allowed-workspaces': list('workspaces', workspaceId),
    }
    const pool = await create({ 'organization-scoped': false }, scopes)
    const allowed = { 'allowed-workspaces': list('workspaces', await workspace()) }
    const other = await create({ 'organization-scoped': false }, allowed)
    const left = (id: string) =>
      app.deps.db.selectFrom('agent_pool_scopes').select('kind').where('pool_id', '=', id).execute()
    mustBe(await ann.delete(`/api/v2/projects/${project.id}`), 204)
    expect(await left(pool.id)).toHaveLength(1)
    mustBe(await ann.delete(`/api/v2/workspaces/${workspaceId}`), 204)
    expect(await left(pool.id)).toEqual([])
    expect(await left(other.id)).toHaveLength(1)
  })

  test('agent-pools: an excluded workspace may not use an organization-scoped pool', async () => {
    const id = await workspace()
    const pool = await create({}, { 'excluded-workspaces': list('workspaces', id) })
    expect((await use(id, pool.id)).status).toBe(422)
    mustBe(
      await ann.patch(
        `/api/v2/agent-pools/${pool.id}`,
        doc('agent-pools', {}, { 'excluded-workspaces': list('workspaces') }),
      ),
      200,
    )
    mustBe(await use(id, pool.id), 200)
  })

  test('agent-pools: an excluded workspace may not use a pool that it or its project is allowed to use', async () => {
    const name = fresh()
    const id = await workspace(name)
    const excluded = { 'excluded-workspaces': list('workspaces', id) }
    const byProject = { ...excluded, 'allowed-projects': list('projects', org.projectId) }
    const byName = { ...excluded, 'allowed-workspaces': list('workspaces', id) }
    const found = async () =>
      (await ann.get(`${pools()}?filter[allowed-workspaces][name]=${name}`)).body.data.map(
        (each: { id: string }) => each.id,
      )
    for (const scopes of [byProject, byName]) {
      const pool = await create({ 'organization-scoped': false }, scopes)
      expect((await use(id, pool.id)).status).toBe(422)
      expect(await found()).not.toContain(pool.id)
    }
  })

  test('agent-pools: include=workspaces adds the workspaces of a pool that the caller may see', async () => {
    const pool = await create()
    const id = await workspace()
    mustBe(await use(id, pool.id), 200)
    const shown = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    const at = `/api/v2/agent-pools/${pool.id}`
    for (const path of [at, `${pools()}?q=${pool.attributes.name}`]) {
      const along = mustBe(await ann.get(`${path}${path.includes('?') ? '&' : '?'}include=workspaces`), 200).body
      expect(along.included).toEqual([shown])
      expect(mustBe(await ann.get(path), 200).body.included).toBeUndefined()
    }
    const members = await team(org, fresh())
    expect(mustBe(await members.get(`${at}?include=workspaces`), 200).body.included).toEqual([])
    mustBe(await ann.get(`${at}?include=executors`), 400)
  })

  test('agent-pools: a pool does not show members the ids of workspaces and projects they cannot see', async () => {
    const id = await workspace()
    const lists = { 'allowed-workspaces': list('workspaces', id), 'allowed-projects': list('projects', org.projectId) }
    const pool = await create({ 'organization-scoped': false }, lists)
    mustBe(await use(id, pool.id), 200)
    const members = await team(org, fresh())
    const seen = mustBe(await members.get(`/api/v2/agent-pools/${pool.id}`), 200)
    expect(seen.text).not.toContain(id)
    expect(seen.text).not.toContain(org.projectId)
  })

  test('agent-pools: a pool that a workspace uses, or that is the default, cannot be deleted (422)', async () => {
    const [id, pool] = [await workspace(), await create()]
    const at = `/api/v2/agent-pools/${pool.id}`
    mustBe(await use(id, pool.id), 200)
    expect((await ann.delete(at)).status).toBe(422)
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'execution-mode': 'local' })), 200)
    const settings = (mode: string, poolId: string | null) =>
      ann.patch(
        `/api/v2/organizations/${org.name}`,
        doc('organizations', { 'default-execution-mode': mode, 'default-agent-pool-id': poolId }),
      )
    mustBe(await settings('agent', pool.id), 200)
    expect((await ann.delete(at)).status).toBe(422)
    mustBe(await settings('remote', null), 200)
    mustBe(await ann.delete(at), 204)
    expect((await ann.get(at)).status).toBe(404)
  })

  test('agent-pools: deleting a pool while it is being assigned never leaves a link to a deleted pool', async () => {
    const attributes = (id: string) => ({ 'default-execution-mode': 'agent', 'default-agent-pool-id': id })
    const project = mustBe(
      await ann.post(`/api/v2/organizations/${org.name}/projects`, doc('projects', { name: fresh() })),
      201,
    ).body.data
    const workspaceId = await workspace()
    const users: readonly [string, (poolId: string) => Promise<Answer>, string][] = [
      [`/api/v2/workspaces/${workspaceId}`, (id) => use(workspaceId, id), 'agent-pool'],
      [
        `/api/v2/projects/${project.id}`,
        (id) => ann.patch(`/api/v2/projects/${project.id}`, doc('projects', attributes(id))),
        'default-agent-pool',
      ],
      [
        `/api/v2/organizations/${org.name}`,
        (id) => ann.patch(`/api/v2/organizations/${org.name}`, doc('organizations', attributes(id))),
        'default-agent-pool',
      ],
    ]
    for (const [address, begin, name] of users) {
      for (let round = 0; round < 12; round++) {
        const { id } = await create()
        const [, deleted] = await Promise.all([begin(id), ann.delete(`/api/v2/agent-pools/${id}`)])
        const linked = mustBe(await ann.get(address), 200).body.data.relationships[name].data
        expect([deleted.status, linked?.id === id]).toEqual(deleted.status === 204 ? [204, false] : [422, true])
      }
    }
    const plain = { 'default-execution-mode': 'remote' }
    mustBe(await ann.patch(`/api/v2/organizations/${org.name}`, doc('organizations', plain)), 200)
  })

  test('agent-pools: lists sort by name and created-at in both directions; another sort key is 400', async () => {
    const made = [await create({ name: 'sorted-b' }), await create({ name: 'sorted-a' })].map(({ id }) => id)
    const listed = async (sort: string): Promise<string[]> =>
      mustBe(await ann.get(`${pools()}?q=sorted-&sort=${sort}`), 200).body.data.map(({ id }: { id: string }) => id)
    const backwards = made.toReversed()
    expect([await listed('name'), await listed('-name')]).toEqual([backwards, made])
    app.clock.advance('1s')
    const last = (await create({ name: 'sorted-aa' })).id
    expect((await listed('created-at')).at(-1)).toBe(last)
    expect((await listed('-created-at'))[0]).toBe(last)
    expect((await ann.get(`${pools()}?sort=size`)).status).toBe(400)
  })
})
