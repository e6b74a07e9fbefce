import { expect, test } from 'vitest'
import type { Answer, Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  organization,
  type Person,
  person,
  team,
  workspaceIn,
} from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { storeProject } from '../../../../../test/support/workspace-parts.ts'

type Shown = {
  id: string
  attributes: { action: string; before: Record<string, unknown> | null; after: Record<string, unknown> }
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = (attributes: object = {}): Promise<string> =>
    workspaceIn(org, { name: `ws-${++count}`, ...attributes })
  const patch = async (id: string, attributes: object, relationships?: object) =>
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes, relationships)), 200).body.data
  const shown = async (id: string) => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
  const history = async (id: string, query = ''): Promise<Shown[]> =>
    mustBe(await ann.get(`/api/v2/workspaces/${id}/changes${query}`), 200).body.data
  const newest = async (id: string): Promise<string> => (await history(id))[0]?.id ?? ''
  const undo = (id: string, changeId: string, body?: object): Promise<Answer> =>
    ann.post(`/api/v2/workspaces/${id}/changes/${changeId}/actions/undo`, body)

  test('history: strangers get 404; readers may read it but not undo', async () => {
    const id = await workspace()
    await patch(id, { description: 'x' })
    const change = await newest(id)
    mustBe(await bob.get(`/api/v2/workspaces/${id}/changes`), 404)
    mustBe(await bob.post(`/api/v2/workspaces/${id}/changes/${change}/actions/undo`), 404)
    const readers = await team(org, `readers-${count}`, { 'organization-access': { 'read-workspaces': true } })
    mustBe(await readers.get(`/api/v2/workspaces/${id}/changes`), 200)
    mustBe(await readers.post(`/api/v2/workspaces/${id}/changes/${change}/actions/undo`), 404)
    expect((await shown(id)).attributes.description).toBe('x')
  })

  test('undo: an overwrite flag changed concurrently is not reverted with the execution mode', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await workspace({ 'execution-mode': 'remote' })
      await patch(id, { 'execution-mode': 'local' })
      const change = await newest(id)
      const [, undone] = await Promise.all([
        patch(id, { 'setting-overwrites': { 'agent-pool': false } }),
        undo(id, change),
      ])
      mustBe(undone, 200)
      const { attributes } = await shown(id)
      expect(attributes).toMatchObject({
        'execution-mode': 'remote',
        'setting-overwrites': { 'execution-mode': true, 'agent-pool': false },
      })
    }
  })

  test('update: a team with access only to the old project cannot change a workspace after it was moved', async () => {
    const ops = await team(org, `ops-${++count}`)
    const made = await ann.post(`/api/v2/organizations/${org.name}/projects`, doc('projects', { name: `to-${count}` }))
    const to = { project: { data: { type: 'projects', id: mustBe(made, 201).body.data.id } } }
    const on = {
      team: { data: { type: 'teams', id: ops.id } },
      project: { data: { type: 'projects', id: org.projectId } },
    }
    mustBe(await ann.post('/api/v2/team-projects', doc('team-projects', { access: 'admin' }, on)), 201)
    for (let round = 0; round < 8; round++) {
      const id = await workspace()
      const at = `/api/v2/workspaces/${id}`
      const [moved, changed] = await Promise.all([
        ann.patch(at, doc('workspaces', {}, to)),
        ops.patch(at, doc('workspaces', { description: 'theirs' })),
      ])
      mustBe(moved, 200)
      expect([200, 404]).toContain(changed.status)
      expect((await ann.get(`${at}/changes`)).body.data[0].attributes.actor.name).toBe('ann')
    }
  })

  test('history: changes of team access are hidden from those who cannot see every team', async () => {
    const id = await workspace()
    const covert = await team(org, `covert-${count}`)
    const relationships = {
      team: { data: { type: 'teams', id: covert.id } },
      workspace: { data: { type: 'workspaces', id } },
    }
    mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'write' }, relationships)), 201)
    const readers = await team(org, `others-${count}`, { 'organization-access': { 'read-workspaces': true } })
    const told = async (reader: Pick<Person, 'get'>) =>
      mustBe(await reader.get(`/api/v2/workspaces/${id}/changes`), 200).text
    expect(await told(ann)).toContain(`covert-${count}`)
    expect(await told(readers)).not.toContain(`covert-${count}`)
  })

  test('history: remote state consumers show only workspaces the caller can see', async () => {
    const [known, unknown] = [await workspace({ name: 'consumer-a' }), await workspace({ name: 'consumer-b' })]
    const producer = await workspace()
    const consumers = { data: [known, unknown].map((id) => ({ type: 'workspaces', id })) }
    const readers = await team(org, `few-${count}`)
    for (const id of [producer, known]) {
      const to = { workspace: { data: { type: 'workspaces', id } }, team: { data: { type: 'teams', id: readers.id } } }
      mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'read' }, to)), 201)
    }
    const path = `/api/v2/workspaces/${producer}/relationships/remote-state-consumers`
    mustBe(await ann.post(path, consumers), 204)
    mustBe(await ann.delete(path, consumers), 204)
    const told = async (by: Client) =>
      mustBe(await by.get(`/api/v2/workspaces/${producer}/changes?filter[subject][type]=workspaces`), 200)
        .body.data.slice(0, 2)
        .map(({ attributes: { before, after } }: Shown) =>
          [before, after].map((each) => each?.['remote-state-consumers']),
        )
    expect(await told(ann)).toEqual([
      [[known, unknown], []],
      [[], [known, unknown]],
    ])
    expect(await told(readers)).toEqual([
      [[known], []],
      [[], [known]],
    ])
  })

  test('history: changes of this workspace only, newest first, in pages', async () => {
    const [id, other] = [await workspace(), await workspace()]
    await patch(id, { description: 'one' })
    await patch(other, { description: 'other' })
    await patch(id, { description: 'two' })
    const all = await history(id)
    expect(all.map(({ attributes: { action, after } }) => [action, after.description])).toEqual([
      ['update', 'two'],
      ['update', 'one'],
      ['create', null],
    ])
    const first = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes?page[size]=2`), 200).body
    const second = mustBe(await ann.get(first.links.next.slice(app.url.length)), 200).body
    expect([...first.data, ...second.data]).toEqual(all)
  })

  test('undo: restores the previous settings, keeps later changes, and can itself be undone', async () => {
    const id = await workspace({ 'auto-apply': false, description: 'old' })
    await patch(id, { 'auto-apply': true, description: 'new', name: `renamed-${count}` })
    const change = await newest(id)
    await patch(id, { 'working-directory': 'later' })
    const back = mustBe(await undo(id, change), 200).body.data.attributes
    expect(back).toMatchObject({
      'auto-apply': false,
      description: 'old',
      name: `ws-${count}`,
      'working-directory': 'later',
    })
    mustBe(await undo(id, await newest(id)), 200)
    expect((await shown(id)).attributes).toMatchObject({ 'auto-apply': true, name: `renamed-${count}` })
  })

  test('undo: a setting changed again since is 409 and named, unless force is true', async () => {
    const id = await workspace({ description: 'first' })
    await patch(id, { description: 'second', 'auto-apply': true })
    const change = await newest(id)
    await patch(id, { description: 'third' })
    const refused = await undo(id, change)
    expect([refused.status, refused.body.errors[0].detail]).toEqual([409, expect.stringContaining('description')])
    expect((await shown(id)).attributes).toMatchObject({ description: 'third', 'auto-apply': true })
    const forced = mustBe(await undo(id, change, { force: true }), 200).body.data.attributes
    expect(forced).toMatchObject({ description: 'first', 'auto-apply': false })
  })

  test('undo: with force, undoing a change of mode also ends a later agent mode and removes its pool', async () => {
    const pool = mustBe(
      await ann.post(`/api/v2/organizations/${org.name}/agent-pools`, doc('agent-pools', { name: `pool-${count}` })),
      201,
    )
    const id = await workspace({ 'execution-mode': 'remote' })
    await patch(id, { 'execution-mode': 'local' })
    const change = await newest(id)
    await patch(id, { 'execution-mode': 'agent', 'agent-pool-id': pool.body.data.id })
    mustBe(await undo(id, change), 409)
    const { attributes, relationships } = mustBe(await undo(id, change, { force: true }), 200).body.data
    expect([attributes['execution-mode'], relationships['agent-pool'].data]).toEqual(['remote', null])
  })

  test('undo: a change of the agent pool brings back the former one', async () => {
    const pool = async (name: string): Promise<string> =>
      mustBe(await ann.post(`/api/v2/organizations/${org.name}/agent-pools`, doc('agent-pools', { name })), 201).body
        .data.id
    const [former, next] = [await pool(`former-${count}`), await pool(`next-${count}`)]
    const id = await workspace({ 'execution-mode': 'agent', 'agent-pool-id': former })
    await patch(id, { 'agent-pool-id': next })
    const { relationships } = mustBe(await undo(id, await newest(id)), 200).body.data
    expect(relationships['agent-pool'].data.id).toBe(former)
  })

  test('undo: execution mode, auto-destroy, project and trigger patterns are restored', async () => {
    const projectId = await storeProject(app, org, `project-${count}`)
    const id = await workspace()
    for (const [attributes, relationships] of [
      [{ 'execution-mode': 'local' }],
      [{ 'setting-overwrites': { 'execution-mode': false } }],
      [{ 'auto-destroy-activity-duration': '14d' }],
      [{ 'auto-destroy-at': '2027-01-01T00:00:00Z' }],
      [{ 'trigger-patterns': ['/a/**'] }],
      [{}, { project: { data: { type: 'projects', id: projectId } } }],
    ] as const) {
      const before = await shown(id)
      await patch(id, attributes, relationships)
      mustBe(await undo(id, await newest(id)), 200)
      const after = await shown(id)
      const { 'updated-at': _, ...kept } = before.attributes
      expect(after.attributes).toMatchObject(kept)
      expect(after.relationships.project).toEqual(before.relationships.project)
      await patch(id, attributes, relationships)
    }
  })

  test('history: bindings and times appear as in documents, both before and after', async () => {
    const bound = (pairs: Readonly<Record<string, string>>) => ({
      'tag-bindings': {
        data: Object.entries(pairs).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
      },
    })
    const id = await workspaceIn(org, {}, bound({ env: 'test' }))
    const told = async () => (await history(id))[0]?.attributes
    expect(await told()).toMatchObject({ action: 'create', after: { 'tag-bindings': { env: 'test' } } })
    await patch(id, { 'auto-destroy-at': '2030-01-01T00:00:00Z' }, bound({ env: 'prod', tier: '1' }))
    expect(await told()).toMatchObject({
      before: { 'auto-destroy-at': null, 'tag-bindings': { env: 'test' } },
      after: { 'auto-destroy-at': '2030-01-01T00:00:00.000Z', 'tag-bindings': { env: 'prod', tier: '1' } },
    })
    await patch(id, { description: 'x' }, bound({ tier: '1', env: 'prod' }))
    expect((await told())?.after).toEqual({ description: 'x' })
  })

  test('undo: a change that is not an update of settings is 422; one of another workspace is 404', async () => {
    const [id, other] = [await workspace(), await workspace()]
    mustBe(await undo(id, await newest(id)), 422)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    mustBe(await undo(id, await newest(id)), 422)
    const tags = { data: [{ type: 'tags', attributes: { name: 'core' } }] }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
    mustBe(await undo(id, await newest(id)), 422)
    const variable = doc('vars', { key: 'REGION', value: 'one', category: 'env', description: 'x' })
    const made = mustBe(await ann.post(`/api/v2/workspaces/${id}/vars`, variable), 201).body.data.id
    mustBe(await ann.patch(`/api/v2/workspaces/${id}/vars/${made}`, doc('vars', { description: 'y' })), 200)
    mustBe(await undo(id, await newest(id)), 422)
    await patch(other, { description: 'x' })
    mustBe(await undo(id, await newest(other)), 404)
    mustBe(await undo(id, 'chg-1111111111111111'), 404)
  })
})
