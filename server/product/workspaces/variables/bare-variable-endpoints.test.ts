import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team, workspaceIn } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))
  let workspaceId: string
  const list = '/api/v2/vars?filter[organization][name]=acme&filter[workspace][name]=main'

  beforeAll(async () => {
    workspaceId = await workspaceIn(org, { name: 'main' })
  })

  const placed = (attributes: object, id = workspaceId) =>
    doc('vars', { category: 'env', ...attributes }, { workspace: { data: { type: 'workspaces', id } } })

  test('vars without a workspace in the address: can be created, listed, read, changed and deleted', async () => {
    await workspaceIn(org).then((id) => ann.post('/api/v2/vars', placed({ key: 'ELSEWHERE' }, id)))
    const workspaceId = await workspaceIn(org, { name: 'whole' })
    const list = '/api/v2/vars?filter[organization][name]=acme&filter[workspace][name]=whole'
    const wanted = placed({ key: 'REGION', value: 'one' }, workspaceId)
    const { id } = mustBe(await ann.post('/api/v2/vars', wanted), 201).body.data
    const listed = mustBe(await ann.get(list), 200).body
    expect(listed.data).toEqual((await ann.get(`/api/v2/workspaces/${workspaceId}/vars`)).body.data)
    expect(listed.data).toMatchObject([{ id, relationships: { configurable: { data: { id: workspaceId } } } }])
    const changed = mustBe(await ann.patch(`/api/v2/vars/${id}`, doc('vars', { value: 'two' })), 200).body.data
    expect(changed.attributes).toMatchObject({ key: 'REGION', value: 'two' })
    expect(mustBe(await ann.get(`/api/v2/vars/${id}`), 200).body.data).toEqual(changed)
    mustBe(await ann.delete(`/api/v2/vars/${id}`), 204)
    mustBe(await ann.delete(`/api/v2/vars/${id}`), 404)
    expect((await ann.get(list)).body.data).toEqual([])
  })

  test('vars without a workspace in the address: a missing filter or workspace is 422 and named', async () => {
    expect(mustBe(await ann.get('/api/v2/vars'), 422).body.errors).toMatchObject([
      { source: { parameter: 'filter[organization][name]' } },
      { source: { parameter: 'filter[workspace][name]' } },
    ])
    const nowhere = await ann.post('/api/v2/vars', doc('vars', { key: 'A', category: 'env' }))
    expect(pointers(mustBe(nowhere, 422))).toEqual(['/data/relationships/workspace'])
    mustBe(await ann.post('/api/v2/vars', placed({ key: 'A' }, 'ws-1111111111111111')), 404)
    mustBe(await ann.get('/api/v2/vars?filter[organization][name]=acme&filter[workspace][name]=none'), 404)
  })

  test('vars without a workspace in the address: readers may only read, strangers get 404', async () => {
    const { id } = mustBe(await ann.post('/api/v2/vars', placed({ key: 'KEPT', value: 'v' })), 201).body.data
    const readers = await team(org, 'readers', { 'organization-access': { 'read-workspaces': true } })
    mustBe(await readers.get(list), 200)
    mustBe(await readers.get(`/api/v2/vars/${id}`), 200)
    for (const caller of [readers, await person(app, 'bob')]) {
      mustBe(await caller.post('/api/v2/vars', placed({ key: 'B' })), 404)
      mustBe(await caller.patch(`/api/v2/vars/${id}`, doc('vars', { value: 'w' })), 404)
      mustBe(await caller.delete(`/api/v2/vars/${id}`), 404)
    }
    const eve = await person(app, 'eve')
    for (const path of [list, `/api/v2/vars/${id}`]) mustBe(await eve.get(path), 404)
  })
})
