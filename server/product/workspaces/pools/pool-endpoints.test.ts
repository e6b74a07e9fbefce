import { expect, test } from 'vitest'
import { listOf, poolCalls } from '../../../../test/support/agent-pools.ts'
import type { Answer } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  const { fresh, pools, create, workspace, use } = poolCalls(ann, org)

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
    mustBe(await ann.patch(at, { data: { type: 'agent-pools', id: 'apool-1111111111111111', attributes: {} } }), 409)
  })

  test('agent-pools: a PATCH changes what it names; the change log has it', async () => {
    const id = await workspace()
    const lists = {
      'allowed-workspaces': listOf('workspaces', id),
      'allowed-projects': listOf('projects', org.projectId),
      'excluded-workspaces': listOf('workspaces', await workspace()),
    }
    const { id: poolId, attributes } = await create({}, lists)
    const at = `/api/v2/agent-pools/${poolId}`
    mustBe(await ann.patch(at, doc('agent-pools', { 'organization-scoped': false })), 200)
    mustBe(await ann.patch(at, doc('agent-pools', {}, { 'excluded-workspaces': listOf('workspaces') })), 200)
    expect(mustBe(await ann.get(at), 200).body.data).toMatchObject({
      attributes: { name: attributes.name, 'organization-scoped': false },
      relationships: { ...lists, 'excluded-workspaces': { data: [] } },
    })
    mustBe(await ann.delete(at), 204)
    const { data } = mustBe(await ann.get(`/api/v2/organizations/acme/changes?filter[subject][id]=${poolId}`), 200).body
    const excluded = lists['excluded-workspaces'].data.map((each) => each.id)
    const made = { name: attributes.name, 'organization-scoped': true, 'allowed-workspaces': [id] }
    const rest = { 'allowed-projects': [org.projectId], 'excluded-workspaces': excluded }
    expect(data.reverse().map((each: { attributes: Record<string, unknown> }) => each.attributes)).toMatchObject([
      { action: 'create', before: null, after: { ...made, ...rest } },
      { action: 'update', before: { 'organization-scoped': true }, after: { 'organization-scoped': false } },
      { action: 'update', before: { 'excluded-workspaces': excluded }, after: { 'excluded-workspaces': [] } },
      { action: 'delete', before: { ...made, ...rest, 'organization-scoped': false, 'excluded-workspaces': [] } },
    ])
  })

  test('agent-pools: changing one pool leaves other pools as they are', async () => {
    const allowed = { 'allowed-workspaces': listOf('workspaces', await workspace()) }
    const [pool, other] = [await create(), await create({ 'organization-scoped': false }, allowed)]
    const shown = async () => mustBe(await ann.get(`/api/v2/agent-pools/${other.id}`), 200).body.data
    const before = await shown()
    expect(before.relationships['allowed-workspaces'].data).toHaveLength(1)
    const change = doc(
      'agent-pools',
      { name: fresh(), 'organization-scoped': true },
      { 'allowed-workspaces': listOf('workspaces') },
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

  test.each([' ', ' a', 'a ', 'a\tb', 'a'.repeat(91), undefined])('agent-pools: the name %j is 422', async (name) => {
    const wrong = await ann.post(pools(), doc('agent-pools', { name, 'organization-scoped': 'no' }))
    expect([wrong.status, pointers(wrong)]).toEqual([
      422,
      ['/data/attributes/name', '/data/attributes/organization-scoped'],
    ])
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
})
