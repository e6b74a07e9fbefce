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
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { createRun, enableRuns, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { loadRun } from '../runs/run-store.ts'
import { jobVariables } from '../runs/variable-actions.ts'

type Named = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const eve = shared(() => person(app, 'eve'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  let count = 0
  const fresh = (word: string): string => `${word}-${++count}`
  const sets = () => `/api/v2/organizations/${org.name}/varsets`
  const makeSet = async (attributes: object = {}, relationships: object = {}, by: Client = ann) =>
    mustBe(await by.post(sets(), doc('varsets', { name: fresh('set'), ...attributes }, relationships)), 201).body.data
  const show = async (id: string, by: Client = ann) => mustBe(await by.get(`/api/v2/varsets/${id}`), 200).body.data
  const project = async (): Promise<string> =>
    mustBe(
      await ann.post(`/api/v2/organizations/${org.name}/projects`, doc('projects', { name: fresh('project') })),
      201,
    ).body.data.id
  const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } })
  const workspace = (projectId?: string): Promise<string> =>
    workspaceIn(org, { name: fresh('place') }, projectId ? inProject(projectId) : undefined)
  const items = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })
  const give = async (id: string, type: 'workspaces' | 'projects', ...ids: string[]) =>
    mustBe(await ann.post(`/api/v2/varsets/${id}/relationships/${type}`, items(type, ...ids)), 204)
  const addVariable = async (id: string, key: string, value: string, rest: object = {}) =>
    mustBe(
      await ann.post(
        `/api/v2/varsets/${id}/relationships/vars`,
        doc('vars', { key, value, category: 'terraform', ...rest }),
      ),
      201,
    ).body.data
  const namesOf = async (path: string, by: Client = ann): Promise<string[]> =>
    mustBe(await by.get(path), 200).body.data.map(({ attributes }: Named) => attributes.name)

  test('who manages no workspaces cannot make, change, give or delete a set, and strangers see none', async () => {
    const { id } = await makeSet()
    const readers = await team(org, fresh('readers'), { 'organization-access': { 'read-workspaces': true } })
    const { id: variable } = await addVariable(id, 'a', 'b')
    const target = await workspace()
    for (const caller of [readers, eve]) {
      mustBe(await caller.post(sets(), doc('varsets', { name: '' })), 404)
      mustBe(await caller.patch(`/api/v2/varsets/${id}`, doc('varsets', { name: 'x' })), 404)
      mustBe(await caller.delete(`/api/v2/varsets/${id}`), 404)
      mustBe(await caller.post(`/api/v2/varsets/${id}/relationships/workspaces`, items('workspaces', target)), 404)
      mustBe(await caller.post(`/api/v2/varsets/${id}/relationships/vars`, doc('vars', { key: '' })), 404)
      mustBe(await caller.delete(`/api/v2/varsets/${id}/relationships/vars/${variable}`), 404)
    }
    for (const path of [sets(), `/api/v2/varsets/${id}`, `/api/v2/varsets/${id}/relationships/vars/${variable}`])
      mustBe(await eve.get(path), 404)
    expect((await show(id, readers)).attributes.permissions).toEqual({ 'can-update': false })
    expect((await show(id)).attributes.permissions).toEqual({ 'can-update': true })
    mustBe(await (await organizationToken(org)).get(`/api/v2/varsets/${id}`), 200)
  })

  test('who may read variables in one workspace reads the sets that it has, and learns of no other workspace', async () => {
    const [mine, other] = [await workspace(), await workspace()]
    const seen = await makeSet({}, { workspaces: items('workspaces', mine, other) })
    const unseen = await makeSet({}, { workspaces: items('workspaces', other) })
    const ofProject = await makeSet({}, { projects: items('projects', org.projectId) })
    const everywhere = await makeSet({ global: true })
    const few = await team(org, fresh('few'))
    const access = {
      team: { data: { type: 'teams', id: few.id } },
      workspace: { data: { type: 'workspaces', id: mine } },
    }
    mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'read' }, access)), 201)
    const listed = await namesOf(`${sets()}?page[size]=100`, few)
    expect(listed).toEqual(
      expect.arrayContaining([seen, ofProject, everywhere].map(({ attributes }) => attributes.name)),
    )
    expect(listed).not.toContain(unseen.attributes.name)
    mustBe(await few.get(`/api/v2/varsets/${unseen.id}`), 404)
    const read = mustBe(await few.get(`/api/v2/varsets/${seen.id}?include=workspaces`), 200).body
    expect(read.data.relationships.workspaces.data).toEqual([{ type: 'workspaces', id: mine }])
    expect(read.included.map(({ id }: Named) => id)).toEqual([mine])
    mustBe(await ann.delete(`/api/v2/varsets/${everywhere.id}`), 204)
  })

  test('administrators of a project manage its own sets, and none of the organization', async () => {
    const [home, elsewhere] = [await project(), await project()]
    const parent = (id: string) => ({ parent: { data: { type: 'projects', id } } })
    const admins = await team(org, fresh('admins'))
    const access = {
      team: { data: { type: 'teams', id: admins.id } },
      project: { data: { type: 'projects', id: home } },
    }
    mustBe(await ann.post('/api/v2/team-projects', doc('team-projects', { access: 'admin' }, access)), 201)
    mustBe(await admins.post(sets(), doc('varsets', { name: fresh('set') })), 404)
    mustBe(await admins.post(sets(), doc('varsets', { name: fresh('set') }, parent(elsewhere))), 404)
    const made = await makeSet({}, parent(home), admins)
    expect(made.relationships.parent.data).toEqual({ type: 'projects', id: home })
    expect((await show(made.id, admins)).attributes.permissions).toEqual({ 'can-update': true })
    expect(await namesOf(sets(), admins)).toContain(made.attributes.name)
    const [inside, outside] = [await workspace(home), await workspace()]
    await give(made.id, 'workspaces', inside)
    const refused = await ann.post(`/api/v2/varsets/${made.id}/relationships/workspaces`, items('workspaces', outside))
    expect(pointers(mustBe(refused, 422))).toEqual(['/data/0/id'])
    const other = await ann.post(`/api/v2/varsets/${made.id}/relationships/projects`, items('projects', elsewhere))
    expect(pointers(mustBe(other, 422))).toEqual(['/data/0/id'])
    const global = await ann.patch(`/api/v2/varsets/${made.id}`, doc('varsets', { global: true }))
    expect(pointers(mustBe(global, 422))).toEqual(['/data/attributes/global'])
  })

  test('a set is made with defaults, read as it was made, changed in part, listed and deleted', async () => {
    const made = await makeSet({ name: 'life-of-a-set', description: null })
    expect(made).toMatchObject({
      type: 'varsets',
      attributes: {
        name: 'life-of-a-set',
        description: '',
        global: false,
        priority: false,
        'var-count': 0,
        'workspace-count': 0,
        'project-count': 0,
      },
      relationships: {
        organization: { data: { type: 'organizations', id: org.name } },
        parent: { data: { type: 'organizations', id: org.name } },
        workspaces: { data: [] },
        projects: { data: [] },
        vars: { data: [] },
      },
    })
    expect(await show(made.id)).toEqual(made)
    const listed = mustBe(await ann.get(`${sets()}?q=OF-A-SE&include=`), 200).body
    expect([listed.data, listed.meta.pagination['total-count']]).toEqual([[made], 1])
    expect(pointers(mustBe(await ann.post(sets(), doc('varsets', { name: 'life-of-a-set' })), 422))).toEqual([
      '/data/attributes/name',
    ])
    expect(pointers(mustBe(await ann.post(sets(), doc('varsets', { name: ' x', global: 'no' })), 422))).toEqual([
      '/data/attributes/global',
      '/data/attributes/name',
    ])
    app.clock.advance('1s')
    const changed = mustBe(await ann.patch(`/api/v2/varsets/${made.id}`, doc('varsets', { priority: true })), 200).body
    expect(changed.data.attributes).toMatchObject({ name: 'life-of-a-set', priority: true })
    expect(changed.data.attributes['updated-at']).not.toBe(made.attributes['updated-at'])
    mustBe(await ann.delete(`/api/v2/varsets/${made.id}`), 204)
    mustBe(await ann.get(`/api/v2/varsets/${made.id}`), 404)
    const changes = `/api/v2/organizations/${org.name}/changes?filter[subject][id]=${made.id}`
    expect(mustBe(await ann.get(changes), 200).body.data.map(({ attributes }: Named) => attributes.action)).toEqual([
      'delete',
      'update',
      'create',
    ])
  })

  test('giving and taking a set adds and removes; what is there or not there already is ignored', async () => {
    const { id } = await makeSet()
    const [first, second] = [await workspace(), await workspace()]
    const given = async () => (await show(id)).relationships.workspaces.data.map(({ id }: Named) => id)
    await give(id, 'workspaces', first)
    await give(id, 'workspaces', first, second)
    expect(new Set(await given())).toEqual(new Set([first, second]))
    const take = (...ids: string[]) =>
      ann.delete(`/api/v2/varsets/${id}/relationships/workspaces`, items('workspaces', ...ids))
    mustBe(await take(first), 204)
    mustBe(await take(first), 204)
    expect(await given()).toEqual([second])
    await give(id, 'projects', org.projectId)
    expect((await show(id)).attributes).toMatchObject({ 'workspace-count': 1, 'project-count': 1 })
    const unknown = await ann.post(
      `/api/v2/varsets/${id}/relationships/workspaces`,
      items('workspaces', first, 'ws-1111111111111111'),
    )
    expect(pointers(mustBe(unknown, 422))).toEqual(['/data/1/id'])
    expect(await given()).toEqual([second])
    const replaced = await ann.patch(
      `/api/v2/varsets/${id}?include=workspaces`,
      doc('varsets', { global: false }, { workspaces: items('workspaces', first) }),
    )
    expect(mustBe(replaced, 200).body.included.map(({ id }: Named) => id)).toEqual([first])
    const emptied = await ann.patch(`/api/v2/varsets/${id}`, doc('varsets', {}, { workspaces: { data: [] } }))
    expect(mustBe(emptied, 200).body.data.relationships.workspaces.data).toEqual([])
  })

  test('of twenty who give a set at once, none is forgotten, and a workspace that goes takes nothing along', async () => {
    const { id } = await makeSet()
    const ids = await Promise.all(Array.from({ length: 20 }, () => workspace()))
    await Promise.all(ids.map((each) => give(id, 'workspaces', each)))
    expect((await show(id)).attributes['workspace-count']).toBe(20)
    mustBe(await ann.delete(`/api/v2/workspaces/${ids[0]}`), 204)
    expect((await show(id)).attributes['workspace-count']).toBe(19)
  })

  test('a global set is given to nobody in particular, and no two of them have one name', async () => {
    const { id } = await makeSet({}, { workspaces: items('workspaces', await workspace()) })
    mustBe(await ann.patch(`/api/v2/varsets/${id}`, doc('varsets', { global: true })), 200)
    expect((await show(id)).relationships.workspaces.data).toEqual([])
    const refused = await ann.post(
      `/api/v2/varsets/${id}/relationships/workspaces`,
      items('workspaces', await workspace()),
    )
    expect(pointers(mustBe(refused, 422))).toEqual(['/data'])
    await addVariable(id, 'region', 'eu')
    const other = await makeSet({ global: true })
    const clash = { key: 'region', value: 'us', category: 'terraform' }
    const at = `/api/v2/varsets/${other.id}/relationships/vars`
    mustBe(await ann.post(at, doc('vars', clash)), 422)
    mustBe(await ann.post(at, doc('vars', { ...clash, category: 'env' })), 201)
    const local = await makeSet()
    await addVariable(local.id, 'region', 'us')
    mustBe(await ann.patch(`/api/v2/varsets/${local.id}`, doc('varsets', { global: true })), 422)
    expect((await show(local.id)).attributes.global).toBe(false)
    const vars = { vars: { data: [{ type: 'vars', attributes: clash }] } }
    mustBe(await ann.post(sets(), doc('varsets', { name: fresh('set'), global: true }, vars)), 422)
    expect(await namesOf(`${sets()}?filter[global]=true`)).toHaveLength(2)
    for (const each of [id, other.id]) mustBe(await ann.delete(`/api/v2/varsets/${each}`), 204)
  })

  test('variables of a set: made with it or later, changed, kept secret, and gone with it', async () => {
    const vars = { vars: { data: [{ type: 'vars', attributes: { key: 'first', value: '1', category: 'env' } }] } }
    const { id, relationships } = await makeSet({}, vars)
    expect(relationships.vars.data).toHaveLength(1)
    const secret = await addVariable(id, 'password', 'swordfish', { sensitive: true, description: '' })
    expect(secret).toMatchObject({
      type: 'vars',
      attributes: { key: 'password', value: null, category: 'terraform', sensitive: true, 'apply-only': false },
      relationships: { varset: { data: { type: 'varsets', id } } },
    })
    const at = `/api/v2/varsets/${id}/relationships/vars`
    expect(mustBe(await ann.get(`${at}/${secret.id}`), 200).body.data).toEqual(secret)
    const row = await app.deps.db.selectFrom('set_variables').selectAll().where('id', '=', secret.id).executeTakeFirst()
    expect(Buffer.from(row?.value ?? '').includes('swordfish')).toBe(false)
    expect(pointers(mustBe(await ann.post(at, doc('vars', { key: 'first', category: 'env' })), 422))).toEqual([
      '/data/attributes/key',
    ])
    const only = { key: 'x', category: 'terraform', 'apply-only': true }
    expect(pointers(mustBe(await ann.post(at, doc('vars', only)), 422))).toEqual(['/data/attributes/apply-only'])
    const changed = mustBe(await ann.patch(`${at}/${secret.id}`, doc('vars', { value: 'other' })), 200).body.data
    expect(changed.attributes['version-id']).not.toBe(secret.attributes['version-id'])
    mustBe(await ann.patch(`${at}/${secret.id}`, doc('vars', { sensitive: false })), 422)
    const { id: other } = await makeSet()
    mustBe(await ann.get(`/api/v2/varsets/${other}/relationships/vars/${secret.id}`), 404)
    mustBe(await ann.delete(`${at}/${secret.id}`), 204)
    expect(mustBe(await ann.get(at), 200).body.data).toHaveLength(1)
    mustBe(await ann.delete(`/api/v2/varsets/${id}`), 204)
    expect(await app.deps.db.selectFrom('set_variables').select('id').where('set_id', '=', id).execute()).toEqual([])
  })

  test('workspaces and projects list the sets that they have, and a workspace that moves loses those of its project', async () => {
    const [home, elsewhere] = [await project(), await project()]
    const id = await workspace(home)
    const own = await makeSet({}, { workspaces: items('workspaces', id) })
    const inherited = await makeSet({}, { projects: items('projects', home) })
    const global = await makeSet({ global: true })
    const parent = { parent: { data: { type: 'projects', id: home } }, workspaces: items('workspaces', id) }
    const ofProject = await makeSet({}, parent)
    const all = [own, inherited, global, ofProject].map(({ attributes }) => attributes.name)
    for (const path of ['varsets', 'applicable-varsets'])
      expect(new Set(await namesOf(`/api/v2/workspaces/${id}/${path}`))).toEqual(new Set(all))
    expect(new Set(await namesOf(`/api/v2/projects/${home}/varsets`))).toEqual(
      new Set([inherited, global].map(({ attributes }) => attributes.name)),
    )
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', {}, inProject(elsewhere))), 200)
    expect(new Set(await namesOf(`/api/v2/workspaces/${id}/varsets`))).toEqual(
      new Set([own, global].map(({ attributes }) => attributes.name)),
    )
    mustBe(await ann.delete(`/api/v2/varsets/${global.id}`), 204)
  })

  test('a run has the variables of sets by their level, as they were when it was created', async () => {
    const id = await runnableWorkspace(app, org)
    const [weak, strong, priority] = [await makeSet(), await makeSet(), await makeSet({ priority: true })]
    await give(weak.id, 'projects', org.projectId)
    await give(strong.id, 'workspaces', id)
    await give(priority.id, 'workspaces', id)
    for (const key of ['a', 'b', 'c', 'd', 'e']) await addVariable(weak.id, key, 'project')
    for (const key of ['b', 'c', 'd', 'e'])
      await addVariable(strong.id, key, 'workspace-set', { sensitive: key === 'd' })
    for (const key of ['c', 'd', 'e'])
      mustBe(
        await ann.post(`/api/v2/workspaces/${id}/vars`, doc('vars', { key, value: 'own', category: 'terraform' })),
        201,
      )
    await addVariable(priority.id, 'e', 'priority')
    const inForce = mustBe(await ann.get(`/api/v2/workspaces/${id}/all-vars`), 200).body.data as Named[]
    expect(Object.fromEntries(inForce.map(({ attributes }) => [attributes.key, attributes.value]))).toEqual({
      a: 'project',
      b: 'workspace-set',
      c: 'own',
      d: 'own',
      e: 'priority',
    })
    const variables = [
      { key: 'd', value: '"run"' },
      { key: 'e', value: '"run"' },
    ]
    const { id: runId, attributes } = await createRun(ann, id, { variables })
    expect(attributes.variables).toEqual([
      { key: 'd', value: null },
      { key: 'e', value: '"run"' },
    ])
    mustBe(await ann.delete(`/api/v2/varsets/${strong.id}`), 204)
    const run = await loadRun(app.deps.db, runId)
    if (!run) throw new Error('The run is gone')
    const job = await jobVariables(app.deps, run, 'plan')
    expect(Object.fromEntries(job.map(({ key, value, origin }) => [key, [value, origin]]))).toEqual({
      a: ['project', `set:${weak.id}`],
      b: ['workspace-set', `set:${strong.id}`],
      c: ['own', 'workspace'],
      d: ['"run"', 'run'],
      e: ['priority', `set:${priority.id}`],
    })
    mustBe(await ann.delete(`/api/v2/varsets/${weak.id}`), 204)
  })
})
