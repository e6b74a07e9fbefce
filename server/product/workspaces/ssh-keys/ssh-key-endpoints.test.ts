import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../test/support/many-workspaces.ts'
import {
  doc,
  join,
  mustBe,
  organization,
  organizationToken,
  person,
  pointers,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import { inTransaction } from '../../../storage/transaction.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  const secret = 'a-private-key-that-must-not-come-back'

  const keys = () => `/api/v2/organizations/${org.name}/ssh-keys`
  const create = async (name = 'modules') =>
    mustBe(await ann.post(keys(), doc('ssh-keys', { name, value: secret })), 201)
  const workspace = (name: string): Promise<string> => workspaceIn(org, { name })

  test('ssh-keys: strangers and organization tokens get 404 for reading and writing', async () => {
    const { id } = (await create()).body.data
    expect([
      (await bob.get(keys())).status,
      (await bob.get(`/api/v2/ssh-keys/${id}`)).status,
      (await bob.delete(`/api/v2/ssh-keys/${id}`)).status,
    ]).toEqual([404, 404, 404])
    const token = await organizationToken(org)
    expect([
      (await token.post(keys(), doc('ssh-keys', { name: 'x', value: 'y' }))).status,
      (await token.get(keys())).status,
      (await token.get(`/api/v2/ssh-keys/${id}`)).status,
    ]).toEqual([404, 404, 404])
  })

  test('ssh-keys: members see keys, but change them only with the right to manage VCS settings', async () => {
    const { id } = (await create('ours')).body.data
    const cat = await person(app, 'cat')
    const writers = await team(org, 'writers', { 'organization-access': { 'manage-vcs-settings': true } })
    await join(org, cat, [(await team(org, 'readers')).id])
    const attempts = async (caller: Client) => [
      (await caller.get(keys())).status,
      (await caller.get(`/api/v2/ssh-keys/${id}`)).status,
      (await caller.post(keys(), doc('ssh-keys', { name: 'theirs', value: 'y' }))).status,
      (await caller.patch(`/api/v2/ssh-keys/${id}`, doc('ssh-keys', { name: 'theirs' }))).status,
      (await caller.delete(`/api/v2/ssh-keys/${id}`)).status,
    ]
    expect(await attempts(cat)).toEqual([200, 200, 404, 404, 404])
    expect(await attempts(writers)).toEqual([200, 200, 201, 200, 204])
  })

  test('ssh-keys: a list contains only keys of its organization, by name, page by page', async () => {
    const dan = await person(app, 'dan')
    for (const [name, stored] of Object.entries({ paged: ['c', 'a', 'b'], beside: ['0', 'z'] })) {
      const { name: home } = await organization(dan, name)
      for (const key of stored)
        mustBe(
          await dan.post(`/api/v2/organizations/${home}/ssh-keys`, doc('ssh-keys', { name: key, value: secret })),
          201,
        )
    }
    const page = async (number: number) => {
      const at = `/api/v2/organizations/paged/ssh-keys?page[size]=2&page[number]=${number}`
      const { data, meta } = mustBe(await dan.get(at), 200).body
      return [data.map((key: { attributes: object }) => key.attributes), meta.pagination['total-count']]
    }
    expect([await page(1), await page(2)]).toEqual([
      [[{ name: 'a' }, { name: 'b' }], 3],
      [[{ name: 'c' }], 3],
    ])
  })

  test('ssh-keys: no answer contains the value, and the database stores it encrypted', async () => {
    const made = await create('sealed')
    const { id } = made.body.data
    for (const answer of [made, await ann.get(`/api/v2/ssh-keys/${id}`), await ann.get(keys())])
      expect(answer.text).not.toContain(secret)
    const row = await app.deps.db.selectFrom('ssh_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(Buffer.from(row.value).includes(secret)).toBe(false)
    expect(app.deps.keyring.openText(row.value, { table: 'ssh_keys', column: 'value', row: id })).toBe(secret)
  })

  test.each([{ name: '' }, { name: ' ' }, { name: 'x'.repeat(256) }, {}])(
    'ssh-keys: a 422 points to every fault of %j',
    async (attributes) => {
      const answer = await ann.post(keys(), doc('ssh-keys', attributes))
      expect([answer.status, pointers(answer)]).toEqual([422, ['/data/attributes/name', '/data/attributes/value']])
    },
  )

  test('ssh-keys: documents without a type are accepted, as current clients send them; assigning a key needs one', async () => {
    const body = { data: { attributes: { name: 'typeless', value: secret } } }
    const { id } = mustBe(await ann.post(keys(), body), 201).body.data
    mustBe(await ann.patch(`/api/v2/ssh-keys/${id}`, { data: { attributes: { name: 'renamed' } } }), 200)
    mustBe(await ann.post(keys(), doc('teams', { name: 'mistyped', value: secret })), 422)
    const assign = { data: { attributes: { id } } }
    const target = await workspace('typed')
    const refused = await ann.patch(`/api/v2/workspaces/${target}/relationships/ssh-key`, assign)
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/type']])
  })

  test('ssh-keys: renaming and deleting a key leaves other keys as they are', async () => {
    const { id } = (await create('before')).body.data
    const { id: other } = (await create('other')).body.data
    const renamed = mustBe(await ann.patch(`/api/v2/ssh-keys/${id}`, doc('ssh-keys', { name: 'after' })), 200).body.data
    expect(renamed).toMatchObject({ id, attributes: { name: 'after' } })
    expect(mustBe(await ann.get(`/api/v2/ssh-keys/${id}`), 200).body.data).toEqual(renamed)
    expect(mustBe(await ann.patch(`/api/v2/ssh-keys/${id}`, doc('ssh-keys')), 200).body.data).toEqual(renamed)
    mustBe(await ann.patch(`/api/v2/ssh-keys/${id}`, { data: { type: 'ssh-keys', id: other, attributes: {} } }), 409)
    mustBe(await ann.delete(`/api/v2/ssh-keys/${id}`), 204)
    expect((await ann.get(`/api/v2/ssh-keys/${id}`)).status).toBe(404)
    expect(mustBe(await ann.get(`/api/v2/ssh-keys/${other}`), 200).body.data.attributes).toEqual({ name: 'other' })
  })

  test('ssh-keys: with concurrent renames the last entry in the change log is still the delete', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = (await create('fleeting')).body.data
      const rename = () => ann.patch(`/api/v2/ssh-keys/${id}`, doc('ssh-keys', { name: 'late' }))
      await Promise.all([rename(), ann.delete(`/api/v2/ssh-keys/${id}`), rename(), rename()])
      const changes = `/api/v2/organizations/${org.name}/changes?filter[subject][id]=${id}`
      expect(mustBe(await ann.get(changes), 200).body.data[0].attributes.action).toBe('delete')
    }
  })

  test('workspace ssh-key: assigned by either body form, removed by null or by deleting the key', async () => {
    const { id: key } = (await create('assigned')).body.data
    const id = await workspace('keyed')
    const at = `/api/v2/workspaces/${id}/relationships/ssh-key`
    const listed = async () =>
      mustBe(await ann.get(`/api/v2/organizations/${org.name}/workspaces?search[name]=keyed`), 200).body.data
    expect(await listed()).toMatchObject([{ id, relationships: { 'ssh-key': { data: null } } }])
    const given = mustBe(await ann.patch(at, doc('workspaces', { id: key })), 200)
    expect(given.body.data.relationships['ssh-key'].data).toEqual({ type: 'ssh-keys', id: key })
    expect(await listed()).toEqual([given.body.data])
    expect(
      mustBe(await ann.patch(at, doc('workspaces', { id: null })), 200).body.data.relationships['ssh-key'],
    ).toEqual({ data: null })
    mustBe(await ann.patch(at, { data: { type: 'ssh-keys', id: key } }), 200)
    const taken = mustBe(await ann.patch(at, { data: null }), 200)
    expect(taken.body.data.relationships['ssh-key']).toEqual({ data: null })
    expect(pointers(mustBe(await ann.patch(at, {}), 422))).toEqual(['/data'])
    const isNew = { 'updated-at': expect.toSatisfy((at: string) => Date.parse(at) === app.clock.now()) }
    app.clock.advance('1s')
    const again = mustBe(await ann.patch(at, { data: { type: 'ssh-keys', id: key } }), 200)
    expect(again.body.data.attributes).toMatchObject(isNew)
    app.clock.advance('1s')
    mustBe(await ann.delete(`/api/v2/ssh-keys/${key}`), 204)
    const bare = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect(bare).toMatchObject({ attributes: isNew, relationships: { 'ssh-key': { data: null } } })
    const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body
    expect(data[0].attributes).toMatchObject({ before: { 'ssh-key-id': key }, after: { 'ssh-key-id': null } })
  })

  test('workspace ssh-key: assigning or deleting a key does not affect other workspaces', async () => {
    const [first, second] = [await workspace('first-of-two'), await workspace('second-of-two')]
    const [gone, kept] = [(await create('gone')).body.data.id, (await create('kept')).body.data.id]
    const assign = async (id: string, key: string) =>
      mustBe(await ann.patch(`/api/v2/workspaces/${id}/relationships/ssh-key`, doc('workspaces', { id: key })), 200)
    const keyOf = async (id: string) =>
      mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.relationships['ssh-key'].data?.id
    await assign(first, gone)
    expect(await keyOf(second)).toBeUndefined()
    await assign(second, kept)
    expect(await keyOf(first)).toBe(gone)
    mustBe(await ann.delete(`/api/v2/ssh-keys/${gone}`), 204)
    expect([await keyOf(first), await keyOf(second)]).toEqual([undefined, kept])
  })

  test('workspace ssh-key: however many workspaces use a deleted key, all lose it, and each says so', async () => {
    const [id, key] = [await workspace('used'), (await create('used-by-many')).body.data.id]
    mustBe(await ann.patch(`/api/v2/workspaces/${id}/relationships/ssh-key`, doc('workspaces', { id: key })), 200)
    await copyWorkspaces(app.deps.db, id, 400)
    mustBe(await ann.delete(`/api/v2/ssh-keys/${key}`), 204)
    const { db } = app.deps
    expect(await db.selectFrom('workspaces').select('id').where('ssh_key_id', '=', key).execute()).toEqual([])
    const changes = db.selectFrom('change_log').select('workspace_id').where('before', '=', `{"ssh-key-id":"${key}"}`)
    expect(new Set((await changes.execute()).map((row) => row.workspace_id)).size).toBe(401)
  })

  test('workspace ssh-key: a key deleted while it is being assigned is not linked afterwards', async () => {
    const id = await workspace('contended')
    for (let round = 0; round < 20; round++) {
      const { id: key } = (await create('fleeting')).body.data
      const assign = ann.patch(`/api/v2/workspaces/${id}/relationships/ssh-key`, doc('workspaces', { id: key }))
      const [, deleted] = await Promise.all([assign, ann.delete(`/api/v2/ssh-keys/${key}`)])
      mustBe(deleted, 204)
      expect((await ann.get(`/api/v2/workspaces/${id}`)).body.data.relationships['ssh-key']).toEqual({ data: null })
    }
  })

  test.runIf(engine === 'postgres')(
    'ssh-keys: a workspace that gets another key meanwhile keeps that one',
    async () => {
      const [old, other] = [(await create('leaving')).body.data.id, (await create('coming')).body.data.id]
      const id = await workspace('changing')
      mustBe(await ann.patch(`/api/v2/workspaces/${id}/relationships/ssh-key`, doc('workspaces', { id: old })), 200)
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const change = inTransaction(app.deps.db, async (tx) => {
        await tx.updateTable('workspaces').set({ ssh_key_id: other }).where('id', '=', id).execute()
        begun.resolve()
        await end.promise
      })
      await begun.promise
      const deletion = ann.delete(`/api/v2/ssh-keys/${old}`)
      const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%ssh_key_id%'`
      await expect.poll(async () => (await waiting.execute(app.deps.db)).rows).toHaveLength(1)
      end.resolve()
      await change
      mustBe(await deletion, 204)
      const { rows } = await sql`select ssh_key_id from workspaces where id = ${id}`.execute(app.deps.db)
      expect(rows).toEqual([{ ssh_key_id: other }])
    },
  )

  test('workspace ssh-key: under concurrent assignments each change starts where the previous one ended', async () => {
    const [id, key] = [await workspace('contested'), (await create()).body.data.id]
    const assign = (_: unknown, turn: number) => {
      const body = { data: { type: 'workspaces', attributes: { id: turn % 2 === 0 ? key : null } } }
      return ann.patch(`/api/v2/workspaces/${id}/relationships/ssh-key`, body)
    }
    await Promise.all(Array.from({ length: 30 }, assign))
    const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes?page[size]=100`), 200).body
    const told = data.toReversed().slice(1) as {
      attributes: Record<'before' | 'after', Record<string, string | null>>
    }[]
    const found = told.map(({ attributes }) => attributes.before['ssh-key-id'])
    const left = told.map(({ attributes }) => attributes.after['ssh-key-id'])
    expect(found).toEqual([null, ...left.slice(0, -1)])
    const shown = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.relationships['ssh-key'].data
    expect(left.at(-1)).toBe(shown?.id ?? null)
  })

  test('workspace ssh-key: a missing id is 422, an unknown key and that of another organization 404', async () => {
    const id = await workspace('unkeyed')
    const at = `/api/v2/workspaces/${id}/relationships/ssh-key`
    const faulty: [data: unknown, pointer: string][] = [
      [{ type: 'workspaces', attributes: {} }, '/data/attributes/id'],
      [{ type: 'workspaces', attributes: { id: '' } }, '/data/attributes/id'],
      [{ type: 'workspaces' }, '/data/attributes/id'],
      [{ type: 'ssh-keys' }, '/data/id'],
      [{ type: 'teams', attributes: { id: null } }, '/data/type'],
      [[], '/data'],
    ]
    for (const [data, pointer] of faulty) {
      const answer = await ann.patch(at, { data })
      expect([answer.status, pointers(answer)]).toEqual([422, [pointer]])
    }
    const other = await organization(bob, 'other')
    const foreign = mustBe(
      await bob.post(`/api/v2/organizations/${other.name}/ssh-keys`, doc('ssh-keys', { name: 'x', value: 'y' })),
      201,
    ).body.data.id
    for (const key of ['sshkey-1111111111111111', 'a\u0000b', foreign])
      expect((await ann.patch(at, doc('workspaces', { id: key }))).status).toBe(404)
    expect((await bob.patch(at, doc('workspaces', { id: foreign }))).status).toBe(404)
  })

  test('workspace retention policy: its own overrides that of the organization until it is deleted', async () => {
    const id = await workspace('kept')
    const at = `/api/v2/workspaces/${id}/relationships/data-retention-policy`
    expect((await ann.get(at)).status).toBe(404)
    mustBe(
      await ann.post(`/api/v2/organizations/${org.name}/relationships/data-retention-policy`, {
        data: { type: 'data-retention-policy-dont-deletes', attributes: {} },
      }),
      200,
    )
    expect((await ann.get(at)).body.data.relationships.target.data).toEqual({ type: 'organizations', id: org.name })
    const older = { data: { type: 'data-retention-policy-delete-olders', attributes: { deleteOlderThanNDays: 33 } } }
    const first = mustBe(await ann.post(at, older), 200).body.data
    expect(first).toMatchObject({
      attributes: { 'delete-older-than-n-days': 33 },
      relationships: { target: { data: { type: 'workspaces', id } } },
    })
    expect(mustBe(await ann.post(at, older), 200).body.data.id).toBe(first.id)
    expect((await ann.get(`/api/v2/workspaces/${id}`)).body.data.relationships['data-retention-policy'].data).toEqual({
      type: first.type,
      id: first.id,
    })
    expect(
      (
        await ann.post(at, {
          data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 0 } },
        })
      ).status,
    ).toBe(422)
    mustBe(await ann.delete(at), 204)
    mustBe(await ann.delete(at), 204)
    expect((await ann.get(at)).body.data.relationships.target.data).toEqual({ type: 'organizations', id: org.name })
    expect((await bob.get(at)).status).toBe(404)
  })
})

test('workspace retention policy: does not exist in the hosted edition', async () => {
  const app = await ownApp({ settings: { edition: 'hosted' } })
  const ann = await person(app, 'ann')
  const org = await organization(ann, 'acme')
  const id = await workspaceIn(org)
  const body = { data: { type: 'data-retention-policy-dont-deletes', attributes: {} } }
  expect((await ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, body)).status).toBe(404)
})
