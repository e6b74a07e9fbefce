import { expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  type Organization,
  organization,
  person,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  let count = 0

  const fresh = () => `thing-${++count}`
  const pools = (of: Organization) => `/api/v2/organizations/${of.name}/agent-pools`
  const create = async (of: Organization, attributes: object = {}, relationships?: object): Promise<string> =>
    mustBe(await ann.post(pools(of), doc('agent-pools', { name: fresh(), ...attributes }, relationships)), 201).body
      .data.id
  const only = (type: string, id: string) => ({ data: [{ type, id }] })
  const listed = async (of: Organization, query = '', caller: Client = ann): Promise<string[]> =>
    mustBe(await caller.get(`${pools(of)}?${query}`), 200).body.data.map(({ id }: { id: string }) => id)

  test('agent-pools: a list contains the pools of its organization only, scoped ones too', async () => {
    const [org, other] = [await organization(ann, fresh()), await organization(ann, fresh())]
    const open = await create(org, { name: 'a' })
    const scoped = await create(org, { name: 'b', 'organization-scoped': false })
    const foreign = await create(other)
    expect([await listed(org), await listed(other)]).toEqual([[open, scoped], [foreign]])
  })

  test('agent-pools: lists sort by name and created-at in both directions; another sort key is 400', async () => {
    const org = await organization(ann, fresh())
    const made = [await create(org, { name: 'b' }), await create(org, { name: 'a' })]
    const backwards = made.toReversed()
    expect([await listed(org, 'sort=name'), await listed(org, 'sort=-name')]).toEqual([backwards, made])
    app.clock.advance('1s')
    const last = await create(org, { name: 'aa' })
    expect((await listed(org, 'sort=created-at')).at(-1)).toBe(last)
    expect((await listed(org, 'sort=-created-at'))[0]).toBe(last)
    expect((await ann.get(`${pools(org)}?sort=size`)).status).toBe(400)
  })

  test('agent-pools: a filter by workspace or project finds the pools that it may use', async () => {
    // A workspace of the same name in another organization is another workspace.
    await workspaceIn(await organization(ann, fresh()), { name: 'main' })
    const org = await organization(ann, fresh())
    const home = `/api/v2/organizations/${org.name}/projects`
    const project = async (name: string): Promise<string> =>
      mustBe(await ann.post(home, doc('projects', { name })), 201).body.data.id
    const [network, storage] = [await project('network'), await project('storage')]
    const workspace = await workspaceIn(org, { name: 'main' })
    const pool = (relationships: object) => create(org, { 'organization-scoped': false }, relationships)
    const open = await create(org)
    const forWorkspace = await pool({ 'allowed-workspaces': only('workspaces', workspace) })
    const forBoth = await pool({
      'allowed-projects': { data: [network, storage].map((id) => ({ type: 'projects', id })) },
    })
    const forStorage = await pool({ 'allowed-projects': only('projects', storage) })
    expect(await listed(org, 'filter[allowed-workspaces][name]=main')).toEqual([open, forWorkspace])
    expect(await listed(org, 'filter[allowed-workspaces][name]=none')).toEqual([open])
    expect(await listed(org, 'filter[allowed-projects][name]=network')).toEqual([open, forBoth])
    expect(await listed(org, 'filter[allowed-projects][name]=storage')).toEqual([open, forBoth, forStorage])
    const members = await team(org, fresh())
    expect(await listed(org, 'filter[allowed-projects][name]=storage', members)).toEqual([open])
  })
})
