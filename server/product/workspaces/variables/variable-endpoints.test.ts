import { beforeAll, expect, test } from 'vitest'
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
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let workspaceId: string
  const secret = 'a-value-that-must-not-come-back'

  beforeAll(async () => {
    workspaceId = await workspace('main')
  })

  const workspace = (name: string): Promise<string> => workspaceIn(org, { name })
  const vars = (id = workspaceId) => `/api/v2/workspaces/${id}/vars`
  const create = async (attributes: object, id = workspaceId) =>
    mustBe(await ann.post(vars(id), doc('vars', { category: 'terraform', ...attributes })), 201)

  test('vars: strangers get 404, readers may only read, the organization token may write', async () => {
    const id = await workspace('guarded')
    const made = (await create({ key: 'region', value: 'x' }, id)).body.data
    const one = `${vars(id)}/${made.id}`
    const change = doc('vars', { value: 'y' })
    const attempts = async (caller: Client) => [
      (await caller.get(vars(id))).status,
      (await caller.get(one)).status,
      (await caller.patch(one, change)).status,
      (await caller.post(vars(id), doc('vars', { key: 'another', category: 'env' }))).status,
    ]
    expect(await attempts(bob)).toEqual([404, 404, 404, 404])
    const readers = await team(org, 'readers', { 'organization-access': { 'read-workspaces': true } })
    expect(await attempts(readers)).toEqual([200, 200, 404, 404])
    expect((await readers.delete(one)).status).toBe(404)
    expect(await attempts(await organizationToken(org))).toEqual([200, 200, 200, 201])
  })

  test('vars: creating one while the workspace is deleted is 201, 404 or 409, never a server error', async () => {
    for (const round of [1, 2, 3, 4]) {
      const id = await workspace(`leaving-${round}`)
      const keys = Array.from({ length: 6 }, (_, number) => `key-${number}`)
      const before = keys.slice(0, 3).map((key) => ann.post(vars(id), doc('vars', { key, category: 'env' })))
      const gone = ann.delete(`/api/v2/workspaces/${id}`)
      const after = keys.slice(3).map((key) => ann.post(vars(id), doc('vars', { key, category: 'env' })))
      const made = await Promise.all([...before, ...after])
      expect((await gone).status).toBe(204)
      expect(made.map(({ status }) => status).filter((status) => ![201, 404, 409].includes(status))).toEqual([])
    }
  })

  test('vars: the limit on the total size of a workspace holds under concurrent creation', async () => {
    const id = await workspace('roomy')
    const largest = 'x'.repeat(256 * 1024)
    const post = (key: string, value: string) => ann.post(vars(id), doc('vars', { key, value, category: 'env' }))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => post(`large-${index}`, largest)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(15).fill(201), ...Array(5).fill(422)])
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.body.errors).toMatchObject([{ code: 'variables.too-many' }])
    const { data } = (await post('small', 'y')).body
    expect((await ann.patch(`${vars(id)}/${data.id}`, doc('vars', { value: largest }))).status).toBe(422)
    mustBe(await ann.patch(`${vars(id)}/${data.id}`, doc('vars', { value: 'z', description: 'still small' })), 200)
  })

  test('vars: a workspace has at most 1,000 variables; one with more may still change those that do not grow', async () => {
    const id = await workspace('crowded')
    const { id: first } = (await create({ key: 'first' }, id)).body.data
    const { db } = app.deps
    const row = await db.selectFrom('variables').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    const more = Array.from({ length: 998 }, (_, index) => ({ ...row, id: `var-${index}`, key: `key-${index}` }))
    for (const rows of [more.slice(0, 500), more.slice(500)]) await db.insertInto('variables').values(rows).execute()
    await create({ key: 'last' }, id)
    const refused = mustBe(await ann.post(vars(id), doc('vars', { key: 'excess', category: 'env' })), 422)
    expect(refused.body.errors).toMatchObject([{ code: 'variables.too-many', source: { pointer: '/data' } }])
    await db
      .insertInto('variables')
      .values({ ...row, id: 'var-excess', key: 'excess' })
      .execute()
    for (const [change, status] of [
      [{ value: 'x' }, 422],
      [{ value: '' }, 200],
      [{ key: 'renamed' }, 200],
    ] as const) {
      mustBe(await ann.patch(`${vars(id)}/${first}`, doc('vars', change)), status)
    }
  })

  test('vars: lists and workspaces name variables by key, each workspace its own', async () => {
    const [first, second] = [await workspace('ordered-1'), await workspace('ordered-2')]
    const made = async (id: string, key: string, category: string): Promise<string> =>
      (await create({ key, category }, id)).body.data.id
    const c = await made(first, 'c', 'env')
    const b = await made(first, 'b', 'terraform')
    const a = await made(first, 'a', 'terraform')
    const both = await made(first, 'a', 'env')
    const other = await made(second, 'b', 'env')
    const idsOf = (data: { id: string }[]) => data.map((each) => each.id)
    expect(idsOf(mustBe(await ann.get(vars(first)), 200).body.data)).toEqual([both, a, b, c])
    const linksOf = (data: { relationships: { vars: { data: { id: string }[] } } }) =>
      idsOf(data.relationships.vars.data)
    const listed = await ann.get(`/api/v2/organizations/${org.name}/workspaces?search[name]=ordered-&sort=name`)
    expect(mustBe(listed, 200).body.data.map(linksOf)).toEqual([[both, a, b, c], [other]])
    const shown = async () => linksOf(mustBe(await ann.get(`/api/v2/workspaces/${first}`), 200).body.data)
    const late = await made(first, 'aa', 'env')
    expect(await shown()).toEqual([both, a, late, b, c])
    mustBe(await ann.patch(`${vars(first)}/${c}`, doc('vars', { key: '0' })), 200)
    expect(await shown()).toEqual([c, both, a, late, b])
    mustBe(await ann.delete(`${vars(first)}/${late}`), 204)
    expect(await shown()).toEqual([c, both, a, b])
  })

  test('vars: a variable of another workspace is not found below this one', async () => {
    const other = await workspace('other')
    const { id } = (await create({ key: 'elsewhere' }, other)).body.data
    expect((await ann.get(`${vars()}/${id}`)).status).toBe(404)
    expect((await ann.delete(`${vars()}/${id}`)).status).toBe(404)
    expect((await ann.get(`${vars(other)}/${id}`)).status).toBe(200)
  })

  test('vars: a variable is created with defaults, read, listed, changed in part and deleted', async () => {
    const id = await workspace('life')
    const made = (await create({ key: 'plain' }, id)).body.data
    expect(made).toMatchObject({
      type: 'vars',
      attributes: { key: 'plain', value: '', category: 'terraform', hcl: false, sensitive: false, description: null },
      relationships: { configurable: { data: { type: 'workspaces', id } } },
      links: { self: `/api/v2/workspaces/${id}/vars/${made.id}` },
    })
    const at = `${vars(id)}/${made.id}`
    const changed = mustBe(await ann.patch(at, doc('vars', { value: '["a"]', hcl: true })), 200).body.data
    expect(changed.attributes).toMatchObject({ key: 'plain', value: '["a"]', hcl: true, category: 'terraform' })
    expect(changed.attributes['version-id']).not.toBe(made.attributes['version-id'])
    const moved = mustBe(await ann.patch(at, doc('vars', { category: 'env', description: 'why' })), 200).body.data
    expect(moved.attributes).toMatchObject({ value: '["a"]', category: 'env', description: 'why' })
    for (const list of [vars(id), `${vars(id)}/`, `/api/v2/workspaces/${id}/all-vars`])
      expect((await ann.get(list)).body.data).toEqual([moved])
    expect(mustBe(await ann.patch(at, doc('vars', { value: null })), 200).body.data.attributes.value).toBe('')
    mustBe(await ann.delete(at), 204)
    expect((await ann.delete(at)).status).toBe(404)
    expect((await ann.get(vars(id))).body.data).toEqual([])
    const [deleted] = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    const flags = { hcl: true, sensitive: false, 'apply-only': false }
    const settings = { key: 'plain', category: 'env', ...flags, description: 'why' }
    const before = { ...settings, 'version-id': expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(deleted.attributes).toMatchObject({ action: 'delete', before, after: null })
    expect(Object.keys(deleted.attributes.before).sort()).toEqual(Object.keys(before).sort())
  })

  test('vars: a sensitive value is never returned, is stored encrypted and stays sensitive', async () => {
    const id = await workspace('secrets')
    const made = await create({ key: 'password', value: secret, sensitive: true }, id)
    const at = `${vars(id)}/${made.body.data.id}`
    const renamed = mustBe(await ann.patch(at, doc('vars', { key: 'passphrase' })), 200)
    const undone = await ann.patch(at, doc('vars', { sensitive: false }))
    expect([undone.status, pointers(undone)]).toEqual([422, ['/data/attributes/sensitive']])
    const included = await ann.get(`/api/v2/workspaces/${id}?include=vars`)
    const changes = await ann.get(`/api/v2/workspaces/${id}/changes`)
    const seen = [made, renamed, undone, included, changes, await ann.get(at), await ann.get(vars(id))]
    for (const answer of seen) expect(answer.text).not.toContain(secret)
    expect(renamed.body.data.attributes).toMatchObject({ key: 'passphrase', value: null, sensitive: true })
    const row = await app.deps.db
      .selectFrom('variables')
      .selectAll()
      .where('id', '=', made.body.data.id)
      .executeTakeFirstOrThrow()
    const place = { table: 'variables', column: 'value', row: row.id }
    expect(Buffer.from(row.value).includes(secret)).toBe(false)
    expect(app.deps.keyring.openText(row.value, place)).toBe(secret)
  })

  test('vars: the value of a variable that becomes sensitive is hidden, also in the change log', async () => {
    const { id } = (await create({ key: 'later', value: secret })).body.data
    const hiddenNow = mustBe(await ann.patch(`${vars()}/${id}`, doc('vars', { sensitive: true })), 200)
    expect(hiddenNow.body.data.attributes).toMatchObject({ value: null, sensitive: true })
    expect((await ann.get(vars())).text).not.toContain(secret)
    expect((await ann.get(`/api/v2/workspaces/${workspaceId}/changes`)).text).not.toContain(secret)
  })

  test('vars: of concurrent creations of one key one succeeds; the key is free in the other category', async () => {
    const id = await workspace('race')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ann.post(vars(id), doc('vars', { key: 'same', category: 'terraform' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)])
    const refused = answers.find(({ status }) => status === 422)
    expect(refused && pointers(refused)).toEqual(['/data/attributes/key'])
    const other = (await create({ key: 'same', category: 'env' }, id)).body.data
    const back = await ann.patch(`${vars(id)}/${other.id}`, doc('vars', { category: 'terraform' }))
    expect([back.status, pointers(back)]).toEqual([422, ['/data/attributes/key']])
  })

  test('vars: concurrent changes of different attributes are all kept', async () => {
    const { id } = (await create({ key: 'shared', value: 'a' })).body.data
    const at = `${vars()}/${id}`
    await Promise.all([
      ann.patch(at, doc('vars', { value: 'b' })),
      ann.patch(at, doc('vars', { description: 'c' })),
      ann.patch(at, doc('vars', { hcl: true })),
    ])
    expect((await ann.get(at)).body.data.attributes).toMatchObject({ value: 'b', description: 'c', hcl: true })
  })

  test('vars: if a variable is changed and deleted concurrently, the delete entry has its last state', async () => {
    const id = await workspace('history')
    for (let round = 0; round < 10; round++) {
      const at = `${vars(id)}/${(await create({ key: `fleeting-${round}`, value: 'a' }, id)).body.data.id}`
      await Promise.all([ann.patch(at, doc('vars', { hcl: true })), ann.delete(at)])
      const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes?page[size]=2`), 200).body
      const [deleted, before] = data.map(({ attributes }: { attributes: object }) => attributes)
      expect(deleted.action).toBe('delete')
      expect(deleted.before).toMatchObject(before.after)
    }
  })

  test('workspaces: include=vars is 400 when the variables are too large for one answer', async () => {
    const pile = await organization(ann, 'pile')
    const value = 'x'.repeat(255 * 1024)
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const id = await workspaceIn(pile, { name })
      for (let number = 0; number < 14; number++) await create({ key: `key-${number}`, value }, id)
    }
    const list = `/api/v2/organizations/${pile.name}/workspaces?include=vars&page[size]=`
    expect(mustBe(await ann.get(`${list}4`), 200).body.included).toHaveLength(56)
    const refused = mustBe(await ann.get(`${list}5`), 400).body.errors[0]
    expect(refused).toMatchObject({ detail: expect.stringContaining('too large'), source: { parameter: 'include' } })
  })

  test('workspaces: include=vars is for those who may read them; deleting a workspace deletes its vars', async () => {
    const id = await workspace('linked')
    const made = (await create({ key: 'one', value: '1' }, id)).body.data
    const shown = (await ann.get(`/api/v2/workspaces/${id}?include=vars`)).body
    expect(shown.data.relationships.vars).toEqual({ data: [{ type: 'vars', id: made.id }] })
    expect(shown.included).toEqual([made])
    const few = await team(org, 'few')
    await app.deps.db
      .insertInto('team_workspace_access')
      .values({
        id: 'tws-1111111111111111',
        team_id: few.id,
        workspace_id: id,
        access: 'custom',
        runs: 'read',
        variables: 'none',
        state_versions: 'none',
        sentinel_mocks: 'none',
        workspace_locking: 0,
        run_tasks: 0,
        policy_overrides: 0,
      })
      .execute()
    const limited = mustBe(await few.get(`/api/v2/workspaces/${id}?include=vars`), 200).body
    expect([limited.data.relationships.vars.data.length, limited.included]).toEqual([1, []])
    expect((await few.get(vars(id))).status).toBe(404)
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    const left = await app.deps.db.selectFrom('variables').select('id').where('id', '=', made.id).execute()
    expect(left).toEqual([])
  })
})

test('vars: a 422 points to every fault', async () => {
  const app = await ownApp()
  const ann = await person(app, 'ann')
  const org = await organization(ann, 'acme')
  const { id } = mustBe(
    await ann.post(`/api/v2/organizations/${org.name}/workspaces`, doc('workspaces', { name: 'main' })),
    201,
  ).body.data
  const at = `/api/v2/workspaces/${id}/vars`
  const wrong: [object, string[]][] = [
    [{}, ['category', 'key']],
    [{ key: ' ', category: 'terraform' }, ['key']],
    [{ key: 'a b', category: 'terraform' }, ['key']],
    [{ key: 'k'.repeat(129), category: 'policy-set', hcl: 'yes' }, ['category', 'hcl', 'key']],
    [{ key: 'A=B', category: 'env' }, ['key']],
    [{ key: 'k', category: 'env', value: 1, sensitive: null }, ['sensitive', 'value']],
    [{ key: 'k', category: 'env', value: 'x'.repeat(256 * 1024 + 1) }, ['value']],
    [{ key: 'k', category: 'env', description: 'x'.repeat(513) }, ['description']],
  ]
  for (const [attributes, names] of wrong) {
    const answer = await ann.post(at, doc('vars', attributes))
    expect([answer.status, pointers(answer)]).toEqual([422, names.map((name) => `/data/attributes/${name}`)])
  }
  const type = await ann.post(at, doc('variables', { key: 'k', category: 'env' }))
  expect([type.status, pointers(type)]).toEqual([422, ['/data/type']])
  const made = mustBe(await ann.post(at, doc('vars', { key: 'A=B', category: 'terraform' })), 201).body.data
  const moved = await ann.patch(`${at}/${made.id}`, doc('vars', { category: 'env' }))
  expect([moved.status, pointers(moved)]).toEqual([422, ['/data/attributes/key']])
  const other = { data: { type: 'vars', id: 'var-1111111111111111', attributes: {} } }
  expect((await ann.patch(`${at}/${made.id}`, other)).status).toBe(409)
  const blank = await ann.patch(`${at}/${made.id}`, doc('vars', { key: '' }))
  expect([blank.status, pointers(blank)]).toEqual([422, ['/data/attributes/key']])
  expect((await ann.get(at)).body.data).toEqual([made])
})
