import { expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  organization,
  organizationToken,
  person,
  pointers,
  type TeamCaller,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const fresh = () => `thing-${++count}`
  const workspace = (): Promise<string> => workspaceIn(org)
  const someTeam = (): Promise<TeamCaller> => team(org, fresh())
  const to = (type: string, id: string) => ({ data: { type, id } })
  const onWorkspace = (teamId: string, workspaceId: string, attributes: object) =>
    doc('team-workspaces', attributes, { team: to('teams', teamId), workspace: to('workspaces', workspaceId) })
  const onProject = (teamId: string, attributes: object, projectId = org.projectId) =>
    doc('team-projects', attributes, { team: to('teams', teamId), project: to('projects', projectId) })
  const give = (body: object, by: Client = ann) => by.post('/api/v2/team-workspaces', body)
  const giveProject = (body: object, by: Client = ann) => by.post('/api/v2/team-projects', body)
  const rightsOn = async (caller: Client, workspaceId: string) =>
    (await caller.get(`/api/v2/workspaces/${workspaceId}`)).body.data?.attributes.permissions

  test('team-workspaces: without admin access to the workspace granting, changing and removing are 404', async () => {
    const [id, writers, others] = [await workspace(), await someTeam(), await someTeam()]
    const given = mustBe(await give(onWorkspace(writers.id, id, { access: 'write' })), 201).body.data
    const at = `/api/v2/team-workspaces/${given.id}`
    for (const caller of [bob, writers, others]) {
      expect([
        (await give(onWorkspace(others.id, id, { access: 'read' }), caller)).status,
        (await caller.patch(at, doc('team-workspaces', { access: 'admin' }))).status,
        (await caller.delete(at)).status,
      ]).toEqual([404, 404, 404])
    }
    const list = `/api/v2/team-workspaces?filter[workspace][id]=${id}`
    expect([(await bob.get(list)).status, (await others.get(list)).status, (await bob.get(at)).status]).toEqual([
      404, 404, 404,
    ])
    expect((await writers.get(list)).body.data.map((each: { id: string }) => each.id)).toEqual([given.id])
    expect((await (await organizationToken(org)).get(at)).status).toBe(200)
  })

  test.each(['team-workspaces', 'team-projects'])('%s: a list can be narrowed to one team', async (type) => {
    const [id, ops, others] = [await workspace(), await someTeam(), await someTeam()]
    for (const { id: to } of [ops, others]) {
      if (type === 'team-workspaces') mustBe(await give(onWorkspace(to, id, { access: 'read' })), 201)
      else mustBe(await giveProject(onProject(to, { access: 'read' })), 201)
    }
    const target = type === 'team-workspaces' ? `workspace][id]=${id}` : `project][id]=${org.projectId}`
    const list = async (team: string) =>
      (await ann.get(`/api/v2/${type}?filter[${target}&filter[team][id]=${team}`)).body
    const teams = ({ data }: { data: { relationships: { team: { data: { id: string } } } }[] }) =>
      data.map(({ relationships }) => relationships.team.data.id)
    expect(teams(await list(ops.id))).toEqual([ops.id])
    expect((await list(ops.id)).meta.pagination['total-count']).toBe(1)
    expect(teams(await list('team-1111111111111111'))).toEqual([])
  })

  test('team-workspaces: no row is left when a workspace is deleted while access is being granted', async () => {
    for (let round = 0; round < 8; round++) {
      const [id, ops] = [await workspace(), await someTeam()]
      const [gone, given] = await Promise.all([
        ann.delete(`/api/v2/workspaces/${id}`),
        give(onWorkspace(ops.id, id, { access: 'read' })),
      ])
      mustBe(gone, 204)
      expect([201, 404]).toContain(given.status)
      const left = app.deps.db.selectFrom('team_workspace_access').select('id').where('workspace_id', '=', id)
      expect(await left.execute()).toEqual([])
    }
  })

  test('team-workspaces: granting, changing and removing access takes effect at once', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    expect((await ops.get(`/api/v2/workspaces/${id}`)).status).toBe(404)
    const made = mustBe(await give(onWorkspace(ops.id, id, { access: 'plan' })), 201)
    expect(made.body.data).toMatchObject({
      type: 'team-workspaces',
      attributes: {
        access: 'plan',
        runs: 'plan',
        variables: 'read',
        'state-versions': 'read',
        'sentinel-mocks': 'none',
        'workspace-locking': false,
        'run-tasks': false,
      },
      relationships: { team: { data: { id: ops.id } }, workspace: { data: { id } } },
    })
    expect(await rightsOn(ops, id)).toMatchObject({ 'can-queue-run': true, 'can-update': false })
    const at = `/api/v2/team-workspaces/${made.body.data.id}`
    mustBe(await ann.patch(at, doc('team-workspaces', { access: 'admin' })), 200)
    expect(await rightsOn(ops, id)).toMatchObject({ 'can-update': true })
    mustBe(await ann.delete(at), 204)
    expect((await ops.get(`/api/v2/workspaces/${id}`)).status).toBe(404)
    expect((await ann.delete(at)).status).toBe(404)
  })

  test('team access: policy-overrides of custom access is stored, shown and kept, and belongs to no level', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const own = { access: 'custom', 'policy-overrides': true }
    const made = mustBe(await give(onWorkspace(ops.id, id, own)), 201).body.data
    expect(made.attributes).toMatchObject(own)
    const at = `/api/v2/team-workspaces/${made.id}`
    mustBe(await ann.patch(at, doc('team-workspaces', { runs: 'plan' })), 200)
    expect(mustBe(await ann.get(at), 200).body.data.attributes).toMatchObject(own)
    const refused = await ann.patch(at, doc('team-workspaces', { access: 'read', 'policy-overrides': true }))
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/attributes/policy-overrides']])
    const asAdmin = mustBe(await ann.patch(at, doc('team-workspaces', { access: 'admin' })), 200)
    expect(asAdmin.body.data.attributes['policy-overrides']).toBe(false)
    const below = { access: 'custom', 'workspace-access': { 'policy-overrides': true } }
    const onAll = mustBe(await giveProject(onProject(ops.id, below)), 201).body.data
    const shown = mustBe(await ann.get(`/api/v2/team-projects/${onAll.id}`), 200).body.data.attributes
    expect(shown['workspace-access']).toMatchObject({ 'policy-overrides': true, 'run-tasks': false })
  })

  test('team-workspaces: concurrent changes all succeed and none overwrites attributes set by another', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const made = mustBe(await give(onWorkspace(ops.id, id, { access: 'custom' })), 201).body.data
    const change = (attributes: object) =>
      ann.patch(`/api/v2/team-workspaces/${made.id}`, doc('team-workspaces', attributes))
    const flips = Array.from({ length: 30 }, (_, index) => ({ variables: ['none', 'read', 'write'][index % 3] }))
    const answers = await Promise.all([{ runs: 'apply' }, ...flips, { 'run-tasks': true }].map(change))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { attributes } = (await ann.get(`/api/v2/team-workspaces/${made.id}`)).body.data
    expect(attributes).toMatchObject({ runs: 'apply', 'run-tasks': true })
  })

  test('team-workspaces: when changed and removed concurrently, the delete entry has the last state', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    for (let round = 0; round < 10; round++) {
      const made = mustBe(await give(onWorkspace(ops.id, id, { access: 'read' })), 201).body.data
      const at = `/api/v2/team-workspaces/${made.id}`
      await Promise.all([ann.patch(at, doc('team-workspaces', { access: 'write' })), ann.delete(at)])
      const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes?page[size]=2`), 200).body
      const [ended, before] = data.map(({ attributes }: { attributes: object }) => attributes)
      expect([ended.action, ended.before.access]).toEqual(['delete', before.after.access])
    }
  })

  test('team access: deleting a team removes its access and logs the removal', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const here = mustBe(await give(onWorkspace(ops.id, id, { access: 'write' })), 201).body.data
    const there = mustBe(await giveProject(onProject(ops.id, { access: 'read' })), 201).body.data
    mustBe(await ann.delete(`/api/v2/teams/${ops.id}`), 204)
    const ended = { action: 'delete', before: { access: 'write', target: id }, after: null }
    const history = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    expect(history[0].attributes).toMatchObject({ ...ended, subject: { type: 'team-workspaces', id: here.id } })
    const about = `/api/v2/organizations/acme/changes?filter[subject][id]=${there.id}`
    const [last] = mustBe(await ann.get(about), 200).body.data
    expect(last.attributes).toMatchObject({ action: 'delete', before: { access: 'read', target: org.projectId } })
    for (const at of [`team-workspaces/${here.id}`, `team-projects/${there.id}`])
      mustBe(await ann.get(`/api/v2/${at}`), 404)
  })

  test('team-workspaces: access granted while the team is deleted is logged as ended, or refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [id, ops] = [await workspace(), await someTeam()]
      const [given, deleted] = await Promise.all([
        give(onWorkspace(ops.id, id, { access: 'read' })),
        ann.delete(`/api/v2/teams/${ops.id}`),
      ])
      mustBe(deleted, 204)
      const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body
      const told = data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
      expect([201, 409, 422]).toContain(given.status)
      expect(told).toEqual(given.status === 201 ? ['delete', 'create', 'create'] : ['create'])
    }
  })

  test('team-workspaces: a team with admin access to the workspace can grant and remove access', async () => {
    const [id, admins, others] = [
      await workspace(),
      await someTeam(),
      await team(org, fresh(), { visibility: 'organization' }),
    ]
    mustBe(await give(onWorkspace(admins.id, id, { access: 'admin' })), 201)
    const given = mustBe(await give(onWorkspace(others.id, id, { access: 'read' }), admins), 201).body.data
    mustBe(await admins.delete(`/api/v2/team-workspaces/${given.id}`), 204)
  })

  test('team access: workspace and project admins manage access of secret teams; others do not see it', async () => {
    const [id, admins, readers] = [await workspace(), await someTeam(), await someTeam()]
    mustBe(await give(onWorkspace(readers.id, id, { access: 'read' })), 201)
    mustBe(await giveProject(onProject(admins.id, { access: 'admin' })), 201)
    const secret = await someTeam()
    const cases = [
      ['team-workspaces', `filter[workspace][id]=${id}`, onWorkspace(secret.id, id, { access: 'read' })],
      ['team-projects', `filter[project][id]=${org.projectId}`, onProject(secret.id, { access: 'read' })],
    ] as const
    for (const [type, filter, body] of cases) {
      const given = mustBe(await admins.post(`/api/v2/${type}`, body), 201).body.data
      const at = `/api/v2/${type}/${given.id}`
      const listed = async (caller: Client): Promise<string[]> =>
        ((await caller.get(`/api/v2/${type}?${filter}&page[size]=100`)).body.data ?? []).map(
          (each: { id: string }) => each.id,
        )
      expect(await listed(admins)).toContain(given.id)
      expect(await listed(readers)).not.toContain(given.id)
      expect([(await readers.get(at)).status, (await readers.delete(at)).status]).toEqual([404, 404])
      expect(mustBe(await admins.get(at), 200).body.data.relationships.team.data.id).toBe(secret.id)
      mustBe(await admins.patch(at, doc(type, { access: 'write' })), 200)
      mustBe(await admins.delete(at), 204)
    }
    expect((await admins.get(`/api/v2/teams/${secret.id}`)).status).toBe(404)
  })

  test('team-workspaces: custom access starts with the least, and attributes that are not sent stay', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const made = mustBe(await give(onWorkspace(ops.id, id, { access: 'custom', 'workspace-locking': true })), 201)
    expect(made.body.data.attributes).toEqual({
      access: 'custom',
      runs: 'read',
      variables: 'none',
      'state-versions': 'none',
      'sentinel-mocks': 'none',
      'workspace-locking': true,
      'run-tasks': false,
      'policy-overrides': false,
    })
    const at = `/api/v2/team-workspaces/${made.body.data.id}`
    await Promise.all([
      ann.patch(at, doc('team-workspaces', { runs: 'apply' })),
      ann.patch(at, doc('team-workspaces', { variables: 'write' })),
      ann.patch(at, doc('team-workspaces', { 'state-versions': 'read-outputs' })),
    ])
    expect((await ann.get(at)).body.data.attributes).toMatchObject({
      runs: 'apply',
      variables: 'write',
      'state-versions': 'read-outputs',
      'workspace-locking': true,
    })
    expect(await rightsOn(ops, id)).toMatchObject({ 'can-queue-apply': true, 'can-lock': true, 'can-update': false })
    const level = mustBe(await ann.patch(at, doc('team-workspaces', { access: 'read' })), 200)
    expect(level.body.data.attributes).toMatchObject({ access: 'read', runs: 'read', 'workspace-locking': false })
  })

  test('team-workspaces: details besides a level, a second access and unknown teams are 422', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const refused = async (body: object) => {
      const answer = await give(body)
      return [answer.status, answer.status === 422 ? pointers(answer) : []]
    }
    expect(await refused(onWorkspace(ops.id, id, { access: 'read', runs: 'apply', 'run-tasks': true }))).toEqual([
      422,
      ['/data/attributes/run-tasks', '/data/attributes/runs'],
    ])
    expect(await refused(onWorkspace(ops.id, id, { access: 'owner' }))).toEqual([422, ['/data/attributes/access']])
    expect(await refused(doc('team-workspaces', {}))).toEqual([
      422,
      ['/data/attributes/access', '/data/relationships/team', '/data/relationships/workspace'],
    ])
    expect(await refused(onWorkspace('team-1111111111111111', id, { access: 'read' }))).toEqual([
      422,
      ['/data/relationships/team'],
    ])
    expect(await refused(onWorkspace(ops.id, 'ws-1111111111111111', { access: 'read' }))).toEqual([404, []])
    const other = await organization(bob, fresh())
    const foreign = await team(other, 'strangers')
    expect(await refused(onWorkspace(foreign.id, id, { access: 'read' }))).toEqual([422, ['/data/relationships/team']])
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => give(onWorkspace(ops.id, id, { access: 'read' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    expect((await ann.get('/api/v2/team-workspaces')).status).toBe(422)
  })

  test('team-projects: access to a project applies to its workspaces, level by level', async () => {
    const [id, ops] = [await workspace(), await someTeam()]
    const made = mustBe(await giveProject(onProject(ops.id, { access: 'maintain' })), 201).body.data
    expect(made).toMatchObject({
      type: 'team-projects',
      attributes: {
        access: 'maintain',
        'project-access': { settings: 'read', teams: 'none', 'variable-sets': 'write' },
        'workspace-access': { runs: 'apply', locking: true, delete: true, move: false, create: false },
      },
      relationships: { team: { data: { id: ops.id } }, project: { data: { id: org.projectId } } },
    })
    expect(await rightsOn(ops, id)).toMatchObject({ 'can-destroy': true, 'can-lock': true, 'can-update': false })
    const at = `/api/v2/team-projects/${made.id}`
    expect([(await ops.get(at)).status, (await ops.delete(at)).status, (await bob.get(at)).status]).toEqual([
      404, 404, 404,
    ])
    const custom = { access: 'custom', 'workspace-access': { runs: 'plan', variables: 'write' } }
    mustBe(
      await ann.patch(at, doc('team-project-access', { ...custom, 'project-access': { settings: 'update' } })),
      200,
    )
    expect(await rightsOn(ops, id)).toMatchObject({ 'can-queue-run': true, 'can-update-variable': true })
    expect((await ops.get(`/api/v2/projects/${org.projectId}`)).body.data.attributes.permissions).toMatchObject({
      'can-update': true,
      'can-destroy': false,
    })
    const list = (await ann.get(`/api/v2/team-projects?filter[project][id]=${org.projectId}`)).body
    expect(list.data.map((each: { id: string }) => each.id)).toContain(made.id)
    mustBe(await ann.delete(at), 204)
    expect((await ops.get(`/api/v2/workspaces/${id}`)).status).toBe(404)
  })

  test('team-projects: access to variable sets is stored and shown, also when only another detail changes', async () => {
    const ops = await someTeam()
    const requested = { access: 'custom', 'project-access': { 'variable-sets': 'write' } }
    const made = mustBe(await giveProject(onProject(ops.id, requested)), 201).body.data
    const at = `/api/v2/team-projects/${made.id}`
    const change = async (attributes: object) => {
      const changed = mustBe(await ann.patch(at, doc('team-projects', attributes)), 200).body.data.attributes
      expect((await ann.get(at)).body.data.attributes).toEqual(changed)
      return changed['project-access']['variable-sets']
    }
    expect(made.attributes['project-access']).toEqual({ settings: 'read', teams: 'none', 'variable-sets': 'write' })
    expect(await change({ 'project-access': { teams: 'read' } })).toBe('write')
    expect(await change({ 'project-access': { 'variable-sets': 'read' } })).toBe('read')
    expect(await change({ access: 'admin' })).toBe('write')
    for (const attributes of [requested, { access: 'read', 'project-access': { 'variable-sets': 'none' } }])
      mustBe(await ann.patch(at, doc('team-projects', attributes)), attributes === requested ? 200 : 422)
    mustBe(await ann.patch(at, doc('team-projects', { 'project-access': { 'variable-sets': 'all' } })), 422)
    mustBe(await ann.delete(at), 204)
  })

  test('team-projects: managing the teams of a project does not allow granting more than one has (403)', async () => {
    const [managers, others] = [await someTeam(), await team(org, fresh(), { visibility: 'organization' })]
    const custom = {
      access: 'custom',
      'project-access': { settings: 'read', teams: 'manage' },
      'workspace-access': { runs: 'plan', variables: 'read', 'state-versions': 'read' },
    }
    const own = mustBe(await giveProject(onProject(managers.id, custom)), 201).body.data
    expect((await giveProject(onProject(others.id, { access: 'write' }), managers)).status).toBe(403)
    const raise = doc('team-projects', { access: 'admin' })
    expect((await managers.patch(`/api/v2/team-projects/${own.id}`, raise)).status).toBe(403)
    const given = mustBe(await giveProject(onProject(others.id, { access: 'read' }), managers), 201).body.data
    mustBe(await ann.patch(`/api/v2/team-projects/${given.id}`, raise), 200)
    expect((await managers.delete(`/api/v2/team-projects/${given.id}`)).status).toBe(403)
    mustBe(await ann.delete(`/api/v2/team-projects/${given.id}`), 204)
  })

  test('team-projects: details besides a level and unknown values are 422, an unknown project 404', async () => {
    const ops = await someTeam()
    const both = { access: 'read', 'project-access': { teams: 'read' }, 'workspace-access': { locking: true } }
    const wrong = await giveProject(onProject(ops.id, both))
    expect([wrong.status, pointers(wrong)]).toEqual([
      422,
      ['/data/attributes/project-access/teams', '/data/attributes/workspace-access/locking'],
    ])
    const unknown = await giveProject(
      onProject(ops.id, { access: 'plan', 'workspace-access': { runs: 'all', move: 'yes' } }),
    )
    expect([unknown.status, pointers(unknown)]).toEqual([
      422,
      ['/data/attributes/access', '/data/attributes/workspace-access/move', '/data/attributes/workspace-access/runs'],
    ])
    expect((await giveProject(onProject(ops.id, { access: 'read' }, 'prj-1111111111111111'))).status).toBe(404)
    mustBe(await giveProject(onProject(ops.id, { access: 'read' })), 201)
    expect((await giveProject(onProject(ops.id, { access: 'write' }))).status).toBe(422)
  })
})
