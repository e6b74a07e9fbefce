import { expect, test } from 'vitest'
import { listOf, poolCalls } from '../../../../test/support/agent-pools.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  const { fresh, pools, create, workspace, use } = poolCalls(ann, org)

  test('agent-pools: a 422 points to every fault of the lists; ids from other organizations count as unknown', async () => {
    const other = await organization(bob, fresh())
    const foreign = mustBe(
      await bob.post(`/api/v2/organizations/${other.name}/workspaces`, doc('workspaces', { name: 'x' })),
      201,
    ).body.data.id
    const lists = {
      'allowed-workspaces': listOf('workspaces', foreign, 'ws-1111111111111111'),
      'allowed-projects': listOf('projects', other.projectId),
      'excluded-workspaces': listOf('workspaces', foreign),
    }
    const faults = [
      '/data/relationships/allowed-projects/data/0/id',
      '/data/relationships/allowed-workspaces/data/0/id',
      '/data/relationships/allowed-workspaces/data/1/id',
      '/data/relationships/excluded-workspaces/data/0/id',
    ]
    const body = doc('agent-pools', { name: fresh() }, lists)
    const { id } = await create()
    for (const unknown of [await ann.post(pools(), body), await ann.patch(`/api/v2/agent-pools/${id}`, body)])
      expect([unknown.status, pointers(unknown)]).toEqual([422, faults])
  })

  test('agent-pools: only allowed workspaces or projects may use a scoped pool; PATCH replaces the lists', async () => {
    const [allowed, other] = [await workspace('allowed'), await workspace('other')]
    const pool = await create({ 'organization-scoped': false }, { 'allowed-workspaces': listOf('workspaces', allowed) })
    const at = `/api/v2/agent-pools/${pool.id}`
    const refused = await use(other, pool.id)
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/attributes/agent-pool-id']])
    mustBe(await use(allowed, pool.id), 200)
    expect((await ann.get(at)).body.data.relationships).toMatchObject({
      workspaces: listOf('workspaces', allowed),
      'allowed-workspaces': listOf('workspaces', allowed),
    })
    const named = (name: string) => `${pools()}?filter[allowed_workspaces][name]=${name}`
    const idsOf = async (address: string) => (await ann.get(address)).body.data.map((each: { id: string }) => each.id)
    expect(await idsOf(named('allowed'))).toContain(pool.id)
    expect(await idsOf(named('other'))).not.toContain(pool.id)
    const byProject = doc(
      'agent-pools',
      {},
      {
        'allowed-workspaces': listOf('workspaces'),
        'allowed-projects': listOf('projects', org.projectId),
      },
    )
    const changed = mustBe(await ann.patch(at, byProject), 200).body.data
    expect(changed.relationships).toMatchObject({
      'allowed-workspaces': { data: [] },
      'allowed-projects': listOf('projects', org.projectId),
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
      'allowed-projects': listOf('projects', project.id),
      'allowed-workspaces': listOf('workspaces', workspaceId),
    }
    const pool = await create({ 'organization-scoped': false }, scopes)
    const allowed = { 'allowed-workspaces': listOf('workspaces', await workspace()) }
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
    const pool = await create({}, { 'excluded-workspaces': listOf('workspaces', id) })
    expect((await use(id, pool.id)).status).toBe(422)
    mustBe(
      await ann.patch(
        `/api/v2/agent-pools/${pool.id}`,
        doc('agent-pools', {}, { 'excluded-workspaces': listOf('workspaces') }),
      ),
      200,
    )
    mustBe(await use(id, pool.id), 200)
  })

  test('agent-pools: an excluded workspace may not use a pool that it or its project is allowed to use', async () => {
    const name = fresh()
    const id = await workspace(name)
    const excluded = { 'excluded-workspaces': listOf('workspaces', id) }
    const byProject = { ...excluded, 'allowed-projects': listOf('projects', org.projectId) }
    const byName = { ...excluded, 'allowed-workspaces': listOf('workspaces', id) }
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

  test('agent-pools: a pool does not show members the ids of workspaces and projects they cannot see', async () => {
    const [id, excluded] = [await workspace(), await workspace()]
    const lists = {
      'allowed-workspaces': listOf('workspaces', id),
      'allowed-projects': listOf('projects', org.projectId),
      'excluded-workspaces': listOf('workspaces', excluded),
    }
    const pool = await create({ 'organization-scoped': false }, lists)
    mustBe(await use(id, pool.id), 200)
    const members = await team(org, fresh())
    const seen = mustBe(await members.get(`/api/v2/agent-pools/${pool.id}`), 200)
    for (const unseen of [id, excluded, org.projectId]) expect(seen.text).not.toContain(unseen)
    const readers = await team(org, fresh())
    const granted = {
      project: { data: { type: 'projects', id: org.projectId } },
      team: { data: { type: 'teams', id: readers.id } },
    }
    mustBe(await ann.post('/api/v2/team-projects', doc('team-projects', { access: 'read' }, granted)), 201)
    const whole = mustBe(await readers.get(`/api/v2/agent-pools/${pool.id}`), 200).body.data
    expect(whole.relationships).toMatchObject({ ...lists, workspaces: listOf('workspaces', id) })
  })
})
