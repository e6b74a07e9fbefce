import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../../test/support/shared.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../../storage/versions.ts'
import { releaseExpiredLocks } from '../../locking/lock-actions.ts'
import type { Workspace, WorkspaceId } from '../../workspace.ts'
import { toRow } from '../../workspace-row-store.ts'
import { loadWorkspace } from '../../workspace-store.ts'

type Named = { readonly attributes: { readonly name: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const acme = shared(() => organization(ann, 'acme'))
  const ids: Record<string, string> = {}

  const listOf = async (query: string, by: Client = ann, of = 'acme') => {
    const { body } = mustBe(await by.get(`/api/v2/organizations/${of}/workspaces?${query}`), 200)
    const names: string[] = body.data.map(({ attributes }: Named) => attributes.name)
    return { names, total: body.meta.pagination['total-count'] as number }
  }
  const names = async (query: string, by: Client = ann): Promise<string[]> => {
    const found = await listOf(query, by)
    expect(found.total).toBe(found.names.length)
    return found.names
  }
  const act = async (name: string, action: string, body?: object) =>
    mustBe(await ann.post(`/api/v2/workspaces/${ids[name]}/actions/${action}`, body), 200)
  const patch = async (name: string, attributes: object) =>
    mustBe(await ann.patch(`/api/v2/workspaces/${ids[name]}`, doc('workspaces', attributes)), 200).body.data.attributes

  beforeAll(async () => {
    for (const [name, version] of [
      ['a', '1.9.4'],
      ['b', '~> 1.9, != 1.9.2'],
      ['c', '1.9.4'],
      ['d', '1.5.7'],
    ] as const) {
      app.clock.advance('1m')
      ids[name] = await workspaceIn(acme, { name, 'tool-version': version })
    }
  })

  test('list filter: names select exactly these, beside other filters, and only of what one sees', async () => {
    expect(await names('filter[names]=a,c,nothing&sort=name')).toEqual(['a', 'c'])
    expect(await names('filter[names]=a,d&filter[tool-version]=1.5.7')).toEqual(['d'])
    const stranger = await team(acme, 'sees-nothing')
    expect(await names('filter[names]=a', stranger)).toEqual([])
    const bulk = '/api/v2/organizations/acme/workspaces/actions/bulk?filter[names]=b,d'
    const { body } = mustBe(await ann.post(bulk, { action: 'lock', 'dry-run': true }), 200)
    expect(body.data.map(({ attributes }: Named) => attributes.name)).toEqual(['b', 'd'])
  })

  test.each([
    ['filter[locked]=yes', 'filter[locked]', 'must be true or false'],
    ['filter[locked]=1', 'filter[locked]', 'must be true or false'],
    ['filter[tool-version]=nonexisting', 'filter[tool-version]', 'must be a version such as 1.9.4'],
    ['filter[updated-since]=yesterday', 'filter[updated-since]', 'must be a time such as'],
    ['filter[updated-since]=2026-02-30T00:00:00Z', 'filter[updated-since]', 'must be a time such as'],
    ['filter[updated-since]=2026-01-01T00:00:00+01:00', 'filter[updated-since]', "write the '+' of an offset as %2B"],
  ])('list filter: %s is 400 and says why, in bulk operations too', async (query, parameter, words) => {
    const bulk = '/api/v2/organizations/acme/workspaces/actions/bulk'
    for (const answer of [
      await ann.get(`/api/v2/organizations/acme/workspaces?${query}`),
      await ann.post(`${bulk}?${query}`, { action: 'lock', 'dry-run': true }),
    ]) {
      const [error] = mustBe(answer, 400).body.errors
      expect([error.source, error.detail]).toEqual([{ parameter }, expect.stringContaining(words)])
    }
  })

  test('list filter: an outsider learns nothing, and a member finds only what it can see', async () => {
    await act('a', 'lock')
    await act('b', 'lock')
    mustBe(await bob.get('/api/v2/organizations/acme/workspaces?filter[locked]=true'), 404)
    const ops = await team(acme, 'ops')
    expect(await names('filter[locked]=true', ops)).toEqual([])
    expect(await names('filter[locked]=false', ops)).toEqual([])
    const relationships = {
      team: { data: { type: 'teams', id: ops.id } },
      workspace: { data: { type: 'workspaces', id: ids.b } },
    }
    mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'read' }, relationships)), 201)
    expect(await names('filter[locked]=true', ops)).toEqual(['b'])
    expect(await names('filter[locked]=false', ops)).toEqual([])
    expect(await names('filter[tool-version]=1.9.4', ops)).toEqual([])
    await act('a', 'unlock')
    await act('b', 'unlock')
  })

  test('list filter: locked and free ones are told apart at once, however they change', async () => {
    const both = async () => [await names('filter[locked]=true'), await names('filter[locked]=false')]
    expect(await both()).toEqual([[], ['a', 'b', 'c', 'd']])
    await act('c', 'lock')
    await act('a', 'lock', { 'expires-after': '1m' })
    expect(await both()).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ])
    expect(await names('filter[locked]=true&sort=-name')).toEqual(['c', 'a'])
    expect(await names('filter[locked]=true&search[name]=c')).toEqual(['c'])
    expect(await names('filter[locked]=false&search[name]=c')).toEqual([])
    app.clock.advance('2m')
    const afterwards = [['c'], ['a', 'b', 'd']]
    expect(await both()).toEqual(afterwards)
    await releaseExpiredLocks(app.deps)
    expect(await both()).toEqual(afterwards)
    await act('c', 'unlock')
    expect(await both()).toEqual([[], ['a', 'b', 'c', 'd']])
  })

  test('list filter: the tool version counts as it was set, and a change of it at once', async () => {
    const constraint = encodeURIComponent('~> 1.9, != 1.9.2')
    expect(await names('filter[tool-version]=1.9.4')).toEqual(['a', 'c'])
    expect(await names(`filter[tool-version]=${constraint}`)).toEqual(['b'])
    expect(await names('filter[tool_version]=1.9.40')).toEqual([])
    await patch('d', { 'tool-version': '1.9.4' })
    expect(await names('filter[tool-version]=1.9.4')).toEqual(['a', 'c', 'd'])
    expect(await names('filter[tool-version]=1.9.4&filter[locked]=false&sort=-name')).toEqual(['d', 'c', 'a'])
    await patch('d', { 'tool-version': '1.5.7' })
    expect(await names('filter[tool-version]=1.9.4')).toEqual(['a', 'c'])
  })

  test('list filter: those that have changed since a time are found, the time itself included', async () => {
    app.clock.advance('1h')
    const since = new Date(app.clock.now()).toISOString()
    expect(await names(`filter[updated-since]=${since}`)).toEqual([])
    app.clock.advance('1s')
    const { 'updated-at': changed } = await patch('b', { description: 'changed' })
    expect(await names(`filter[updated-since]=${since}`)).toEqual(['b'])
    expect(await names(`filter[updated-since]=${changed}`)).toEqual(['b'])
    const offset = `${new Date(Date.parse(changed) + 3_600_001).toISOString().slice(0, -1)}%2B01:00`
    expect(await names(`filter[updated-since]=${offset}`)).toEqual([])
    await act('c', 'lock')
    await act('c', 'unlock')
    expect(await names(`filter[updated-since]=${since}`)).toEqual(['b'])
    expect(await names('filter[updated-since]=2020-01-01T00:00:00Z')).toEqual(['a', 'b', 'c', 'd'])
  })

  test('list filter: pages of locked workspaces go on where they ended while others are locked and unlocked', async () => {
    for (const name of ['a', 'b', 'c']) await act(name, 'lock')
    const page = async (number: number) => await listOf(`filter[locked]=true&page[size]=1&page[number]=${number}`)
    expect(await page(1)).toEqual({ names: ['a'], total: 3 })
    await act('a', 'unlock')
    await act('d', 'lock')
    expect(await page(2)).toEqual({ names: ['b'], total: 3 })
    expect(await page(3)).toEqual({ names: ['c'], total: 3 })
    for (const name of ['b', 'c', 'd']) await act(name, 'unlock')
  })

  test('list filter: bulk operations take them', async () => {
    await act('b', 'lock', { reason: 'mine' })
    const bulk = '/api/v2/organizations/acme/workspaces/actions/bulk'
    const { data } = mustBe(await ann.post(`${bulk}?filter[locked]=true`, { action: 'unlock' }), 200).body
    expect(data.map(({ attributes }: Named) => attributes)).toMatchObject([{ name: 'b', result: 'changed' }])
    const body = { action: 'add-tags', tags: ['old'] }
    const tagged = mustBe(await ann.post(`${bulk}?filter[tool-version]=1.5.7`, body), 200).body
    expect(tagged.data.map(({ attributes }: Named) => attributes.name)).toEqual(['d'])
    const [error] = mustBe(await ann.post(`${bulk}?filter[locked]=`, { action: 'lock' }), 400).body.errors
    expect(error.source).toEqual({ parameter: 'filter[locked]' })
  })

  test('list filter: filters that thousands meet give exact totals and pages in every order', async () => {
    const big = await organization(ann, 'big')
    const first = (await loadWorkspace(app.deps.db, await workspaceIn(big, { name: 'w' }))) as Workspace
    const lock = { holder: { kind: 'user', id: ann.id, name: 'ann' }, reason: '', since: app.clock.now() } as const
    const size = 10_500
    const copy = (index: number): Workspace => ({
      ...first,
      id: `ws-${1_000_000_000_000_000 + index}` as WorkspaceId,
      name: `w${String(size - index).padStart(5, '0')}`,
      toolVersion: index % 100 === 0 ? '1.2.3' : '1.9.4',
      lock: index % 1_000 === 0 ? { ...lock, expiresAt: null } : null,
      createdAt: (first.createdAt + index) as Workspace['createdAt'],
      updatedAt: (first.updatedAt + (index % 100 === 1 ? 60_000 : 0)) as Workspace['updatedAt'],
    })
    await inTransaction(app.deps.db, async (tx) => {
      for (let from = 1; from <= size; from += 250) {
        const rows = Array.from({ length: 250 }, (_, at) => toRow(copy(from + at)))
        await tx.insertInto('workspaces').values(rows).execute()
      }
      await tx
        .updateTable('workspace_counts')
        .set({ workspaces: size + 1 })
        .where('organization_id', '=', big.id)
        .execute()
      bumpVersion(tx, 'workspaces')
    })
    const pageOf = async (query: string) => {
      const { names: found, total } = await listOf(`${query}&page[size]=2`, ann, 'big')
      return [total, ...found]
    }
    const since = (later: number) => `filter[updated-since]=${new Date(first.updatedAt + later).toISOString()}`
    expect(await pageOf('filter[tool-version]=1.9.4')).toEqual([10_395, 'w10499', 'w10498'])
    expect(await pageOf('filter[tool-version]=1.9.4&sort=name')).toEqual([10_395, 'w00001', 'w00002'])
    expect(await pageOf('filter[tool-version]=1.2.3&sort=name')).toEqual([105, 'w00000', 'w00100'])
    expect(await pageOf(`${since(0)}&sort=name&search[name]=w`)).toEqual([size + 1, 'w', 'w00000'])
    expect(await pageOf(`${since(1)}&sort=name`)).toEqual([105, 'w00099', 'w00199'])
    expect(await pageOf(`${since(1)}&filter[locked]=false`)).toEqual([105, 'w10499', 'w10399'])
    expect(await pageOf('filter[locked]=true')).toEqual([10, 'w09500', 'w08500'])
    expect(await pageOf('filter[locked]=false&sort=-name')).toEqual([size - 9, 'w10499', 'w10498'])
    expect(await pageOf('filter[locked]=false&page[number]=5246&sort=name')).toEqual([size - 9, 'w10499'])
    expect(await pageOf('filter[locked]=false&filter[tool-version]=1.2.3')).toEqual([95, 'w10400', 'w10300'])
  })
})
