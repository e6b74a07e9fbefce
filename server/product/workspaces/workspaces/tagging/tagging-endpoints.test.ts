import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  organization,
  type Person,
  person,
  pointers,
  team,
  workspaceIn,
} from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { explainStatements } from '../../../../../test/support/statements.ts'
import { listTags } from './tag-list-store.ts'

type Tag = { type: string; id: string; attributes: { name: string; 'instance-count': number } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))

  const workspace = (): Promise<string> => workspaceIn(org)
  const show = async (id: string) => (await ann.get(`/api/v2/workspaces/${id}`)).body.data

  describe('flat tags', () => {
    const at = (id: string) => `/api/v2/workspaces/${id}/relationships/tags`
    const named = (...names: string[]) => ({ data: names.map((name) => ({ type: 'tags', attributes: { name } })) })

    test('tags: who may not see the workspace gets 404 for reading and writing', async () => {
      const id = await workspace()
      expect([
        (await bob.get(at(id))).status,
        (await bob.post(at(id), named('a'))).status,
        (await bob.delete(at(id), named('a'))).status,
      ]).toEqual([404, 404, 404])
    })

    test('tags: filter[exclude][taggable] has no effect for a workspace the caller cannot see', async () => {
      const id = await workspace()
      mustBe(await ann.post(at(id), named('untold')), 204)
      const ops = await team(org, 'without-access')
      const path = `/api/v2/organizations/${org.name}/tags?q=untold&filter[exclude][taggable][id]=${id}`
      const listed = async (caller: Pick<Person, 'get'>) => mustBe(await caller.get(path), 200).body.data.length
      expect([await listed(ann), await listed(ops)]).toEqual([0, 1])
    })

    test('tags: are attached in order and in lower case; known ones are ignored', async () => {
      const id = await workspace()
      mustBe(await ann.post(at(id), named('Zebra', 'apple')), 204)
      mustBe(await ann.post(at(id), named('apple', 'middle')), 204)
      expect((await show(id)).attributes['tag-names']).toEqual(['zebra', 'apple', 'middle'])
      const { data, meta } = (await ann.get(at(id))).body
      expect(data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual([
        'zebra',
        'apple',
        'middle',
      ])
      expect(data[0]).toMatchObject({
        type: 'tags',
        attributes: { 'instance-count': 1 },
        relationships: { organization: { data: { id: org.name } } },
      })
      expect(meta.pagination['total-count']).toBe(3)
    })

    test('tags: a workspace has at most 1000; more are 422 and it keeps what it has', async () => {
      const numbered = (count: number) => named(...Array.from({ length: count }, (_, index) => `many-${index}`))
      const id = await workspace()
      expect((await ann.post(at(id), numbered(1_001))).body.errors).toMatchObject([{ code: 'tags.too-many' }])
      mustBe(await ann.post(at(id), numbered(1_000)), 204)
      expect((await ann.post(at(id), named('one-more'))).status).toBe(422)
      const [tag] = (await ann.get(`/api/v2/organizations/${org.name}/tags?q=many-7`)).body.data as Tag[]
      const other = await workspace()
      mustBe(await ann.post(at(other), named('one-more')), 204)
      const [free] = (await ann.get(`/api/v2/organizations/${org.name}/tags?q=one-more`)).body.data as Tag[]
      const onto = { data: [{ type: 'workspaces', id }] }
      expect((await ann.post(`/api/v2/tags/${free?.id}/relationships/workspaces`, onto)).status).toBe(422)
      const born = doc('workspaces', { name: 'born with many' }, { tags: numbered(1_001) })
      const refused = mustBe(await ann.post(`/api/v2/organizations/${org.name}/workspaces`, born), 422)
      expect(pointers(refused)).toEqual(['/data/attributes/name', '/data/relationships/tags/data'])
      expect((await show(id)).attributes['tag-names']).toHaveLength(1_000)
      mustBe(await ann.delete(at(id), { data: [{ type: 'tags', id: tag?.id }] }), 204)
      mustBe(await ann.post(at(id), named('one-more')), 204)
    })

    test('tags: those of a workspace can be searched by part of the name', async () => {
      const id = await workspace()
      mustBe(await ann.post(at(id), named('net-core', 'apps', 'net-edge')), 204)
      const { data, meta } = (await ann.get(`${at(id)}?name=NET&page[size]=1`)).body
      expect([data.map((tag: Tag) => tag.attributes.name), meta.pagination['total-count']]).toEqual([['net-core'], 2])
      for (const text of ['n_t', 'n%25t']) expect((await ann.get(`${at(id)}?name=${text}`)).body.data).toEqual([])
    })

    test('tags: one removed from its last workspace is deleted from the organization', async () => {
      const [one, two] = [await workspace(), await workspace()]
      await ann.post(at(one), named('shared'))
      await ann.post(at(two), named('shared'))
      const all = () => ann.get(`/api/v2/organizations/${org.name}/tags?q=share`)
      expect((await all()).body.data[0].attributes['instance-count']).toBe(2)
      mustBe(await ann.delete(at(one), named('shared', 'never-heard-of')), 204)
      expect((await all()).body.data).toHaveLength(1)
      mustBe(await ann.delete(at(two), named('shared')), 204)
      expect((await all()).body.data).toHaveLength(0)
    })

    test('tags: how many workspaces have one is exact after repeated adding, and after a workspace is deleted', async () => {
      const [one, two] = [await workspace(), await workspace()]
      const count = async () => {
        const { data } = (await ann.get(`/api/v2/organizations/${org.name}/tags?q=counted`)).body
        return data.map(({ attributes }: Tag) => attributes['instance-count'])
      }
      for (const id of [one, one, two]) mustBe(await ann.post(at(id), named('counted')), 204)
      expect(await count()).toEqual([2])
      mustBe(await ann.delete(at(one), named('counted')), 204)
      mustBe(await ann.delete(at(one), named('counted')), 204)
      expect(await count()).toEqual([1])
      mustBe(await ann.post(at(one), named('counted')), 204)
      mustBe(await ann.delete(`/api/v2/workspaces/${two}`), 204)
      expect(await count()).toEqual([1])
      mustBe(await ann.delete(`/api/v2/workspaces/${one}`), 204)
      expect(await count()).toEqual([])
    })

    test('tags: the list of an organization reads no tagged workspace', async () => {
      const explained = await explainStatements(app.deps.db, (tx) =>
        listTags(tx, { organizationId: org.id }, { offset: 0, limit: 20 }),
      )
      expect(explained).toHaveLength(2)
      expect(JSON.stringify(explained.map(({ plan }) => plan))).not.toContain('workspace_tags')
    })

    test('tags: removing names that are invalid as tags is ignored; an empty name is 422', async () => {
      const id = await workspace()
      mustBe(await ann.post(at(id), named('kept', 'going')), 204)
      mustBe(await ann.delete(at(id), named('not fine', 'é', '-x-', 'x'.repeat(300), 'Going')), 204)
      expect((await show(id)).attributes['tag-names']).toEqual(['kept'])
      const blank = await ann.delete(at(id), named(''))
      expect([blank.status, pointers(blank)]).toEqual([422, ['/data/0/attributes/name']])
    })

    test('tags: an unknown id is 404; an invalid name or an empty list is 422', async () => {
      const id = await workspace()
      expect((await ann.post(at(id), { data: [{ type: 'tags', id: 'tag-1111111111111111' }] })).status).toBe(404)
      const made = await ann.post(
        `/api/v2/organizations/${org.name}/workspaces`,
        doc('workspaces', { name: 'by-id' }, { tags: { data: [{ type: 'tags', id: 'tag-1111111111111111' }] } }),
      )
      expect([made.status, pointers(made)]).toEqual([422, ['/data/relationships/tags/data/0/attributes/name']])
      const bad = await ann.post(at(id), named('fine', 'not fine'))
      expect([bad.status, pointers(bad)]).toEqual([422, ['/data/1/attributes/name']])
      expect((await ann.post(at(id), { data: [] })).status).toBe(422)
      expect((await show(id)).attributes['tag-names']).toEqual([])
    })

    test('tags: after concurrent adding, removing and deleting all counts are consistent', async () => {
      const ids = await Promise.all([1, 2, 3, 4].map(workspace))
      const tags = `/api/v2/organizations/${org.name}/tags`
      const pairs = [named('storm-1', 'storm-2'), named('storm-2', 'storm-3'), named('storm-3', 'storm-1')]
      const deleteAll = async () => {
        const data = (await ann.get(`${tags}?q=storm`)).body.data.map(({ type, id }: Tag) => ({ type, id }))
        return data.length > 0 ? ann.delete(tags, { data }) : undefined
      }
      const storm = Array.from({ length: 48 }, (_, index) => {
        const [path, body] = [at(ids[index % 4] ?? ''), pairs[index % 3]]
        return index % 8 === 7 ? deleteAll() : index % 3 === 2 ? ann.delete(path, body) : ann.post(path, body)
      })
      // Deleting a tag that was just removed from its last workspace is 404.
      for (const answer of await Promise.all(storm)) expect([204, 404, undefined]).toContain(answer?.status)
      const shown = await Promise.all(ids.map(async (id) => (await show(id)).attributes['tag-names'] as string[]))
      const listed: Tag[] = (await ann.get(`${tags}?q=storm&page[size]=100`)).body.data
      const counts = Map.groupBy(shown.flat(), (name) => name)
      expect(listed.map(({ attributes }) => [attributes.name, attributes['instance-count']])).toEqual(
        [...counts].map(([name, all]) => [name, all.length]).sort(),
      )
    })

    test('tags: one given by id needs no name, and a name beside the id is ignored', async () => {
      const [one, two] = [await workspace(), await workspace()]
      mustBe(await ann.post(at(one), named('by-id')), 204)
      const [{ id }] = (await ann.get(at(one))).body.data
      mustBe(await ann.post(at(two), { data: [{ type: 'tags', id, attributes: { name: '' } }] }), 204)
      expect((await show(two)).attributes['tag-names']).toEqual(['by-id'])
    })

    test('tags: can be attached to several workspaces and deleted for the whole organization', async () => {
      const [one, two] = [await workspace(), await workspace()]
      await ann.post(at(one), named('gone'))
      const tag = (await ann.get(`/api/v2/organizations/${org.name}/tags?q=gone`)).body.data[0].id
      mustBe(
        await ann.post(`/api/v2/tags/${tag}/relationships/workspaces`, {
          data: [two, two].map((id) => ({ type: 'workspaces', id })),
        }),
        204,
      )
      expect((await show(two)).attributes['tag-names']).toEqual(['gone'])
      const three = await workspace()
      const some = { data: [three, 'ws-1111111111111111'].map((id) => ({ type: 'workspaces', id })) }
      const refused = mustBe(await ann.post(`/api/v2/tags/${tag}/relationships/workspaces`, some), 422)
      expect([pointers(refused), (await show(three)).attributes['tag-names']]).toEqual([['/data/1/id'], []])
      expect(
        (await bob.post(`/api/v2/tags/${tag}/relationships/workspaces`, { data: [{ type: 'workspaces', id: two }] }))
          .status,
      ).toBe(404)
      mustBe(await ann.delete(`/api/v2/organizations/${org.name}/tags`, { data: [{ type: 'tags', id: tag }] }), 204)
      expect((await show(one)).attributes['tag-names']).toEqual([])
    })

    test('tags: attaching to a workspace without permission is the same 404 as for a missing one', async () => {
      const [closed, read, run] = [await workspace(), await workspace(), await workspace()]
      await ann.post(at(closed), named('spread'))
      const tag = (await ann.get(`/api/v2/organizations/${org.name}/tags?q=spread`)).body.data[0].id
      const ops = await team(org, 'taggers')
      for (const [id, access] of [
        [read, 'read'],
        [run, 'admin'],
      ]) {
        const to = { team: { data: { type: 'teams', id: ops.id } }, workspace: { data: { type: 'workspaces', id } } }
        mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access }, to)), 201)
      }
      const spread = (...ids: string[]) =>
        ops.post(`/api/v2/tags/${tag}/relationships/workspaces`, {
          data: ids.map((id) => ({ type: 'workspaces', id })),
        })
      const missing = mustBe(await spread('ws-1111111111111111'), 404)
      for (const ids of [[read], [closed], [run, read], [run, closed]]) {
        expect(mustBe(await spread(...ids), 404).body).toEqual(missing.body)
      }
      expect((await show(run)).attributes['tag-names']).toEqual([])
      mustBe(await spread(run), 204)
    })
  })

  describe('tag bindings', () => {
    const at = (id: string) => `/api/v2/workspaces/${id}/tag-bindings`
    const bound = (pairs: Record<string, string | undefined>) => ({
      data: Object.entries(pairs).map(([key, value]) => ({
        type: 'tag-bindings',
        attributes: value === undefined ? { key } : { key, value },
      })),
    })
    const pairsOf = (answer: { body: { data: { attributes: { key: string; value: string } }[] } }) =>
      answer.body.data.map(({ attributes }) => [attributes.key, attributes.value])

    test('tag bindings: PATCH adds and changes, removes nothing, and keeps ids', async () => {
      const id = await workspace()
      const first = mustBe(await ann.patch(at(id), bound({ env: 'dev', team: undefined })), 200)
      expect(pairsOf(first)).toEqual([
        ['env', 'dev'],
        ['team', ''],
      ])
      const second = mustBe(await ann.patch(at(id), bound({ cost: '1', env: 'prod' })), 200)
      expect(pairsOf(second)).toEqual([
        ['env', 'prod'],
        ['team', ''],
        ['cost', '1'],
      ])
      expect(second.body.data[0].id).toBe(first.body.data[0].id)
      const listed = await ann.get(at(id))
      expect(listed.body.links.target).toBe(`/api/v2/workspaces/${id}`)
      expect(listed.body.data[0].attributes['created-at']).toMatch(/^\d{4}-.*Z$/)
      expect(listed.body.meta).toBeUndefined()
    })

    test.each([
      ['no key', { data: [{ type: 'tag-bindings', attributes: { value: 'x' } }] }, '/data/0/attributes/key'],
      ['an id in place of a key', { data: [{ type: 'tag-bindings', id: 'tb-1' }] }, '/data/0/attributes/key'],
      ['a key of 129 characters', bound({ ['k'.repeat(129)]: 'x' }), '/data/0/attributes/key'],
      ['a value of 257 characters', bound({ key: 'v'.repeat(257) }), '/data/0/attributes/value'],
      ['a blank in the key', bound({ 'a b': 'x' }), '/data/0/attributes/key'],
      ['a reserved prefix', bound({ 'HC:x': 'x' }), '/data/0/attributes/key'],
      ['another type', { data: [{ type: 'tags', attributes: { key: 'a' } }] }, '/data/0/type'],
      ['nothing', { data: [] }, '/data'],
      ['a key twice', { data: [...bound({ a: '1' }).data, ...bound({ a: '2' }).data] }, '/data/1/attributes/key'],
    ])('tag bindings: %s is 422 with a pointer and stores nothing', async (_what, body, pointer) => {
      const id = await workspace()
      const answer = await ann.patch(at(id), body)
      expect([answer.status, pointers(answer)]).toEqual([422, [pointer]])
      expect((await ann.get(at(id))).body.data).toEqual([])
    })

    test('tag bindings: a workspace cannot be given more than ten with its other settings', async () => {
      const id = await workspace()
      const given = (count: number) =>
        bound(Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'x'])))
      const patch = (count: number) =>
        ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', {}, { 'tag-bindings': given(count) }))
      const eleven = await patch(11)
      expect([eleven.status, pointers(eleven)]).toEqual([422, ['/data/relationships/tag-bindings/data']])
      mustBe(await patch(10), 200)
    })

    test('tag bindings: parallel writers never pass the limit of ten', async () => {
      const id = await workspace()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ann.patch(at(id), bound({ [`key-${index}`]: 'x' }))),
      )
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
      expect((await ann.get(at(id))).body.data).toHaveLength(10)
      const eleventh = await ann.patch(at(id), bound({ more: 'x' }))
      expect([eleventh.status, pointers(eleventh)]).toEqual([422, ['/data']])
    })

    test('tag bindings: relationships/tag-bindings adds with POST and replaces with PATCH', async () => {
      const id = await workspace()
      const relationship = `/api/v2/workspaces/${id}/relationships/tag-bindings`
      mustBe(await ann.post(relationship, bound({ a: '1', b: '2' })), 204)
      mustBe(await ann.patch(relationship, bound({ b: '3' })), 204)
      expect(pairsOf(await ann.get(relationship))).toEqual([['b', '3']])
      mustBe(await ann.patch(relationship, { data: [] }), 204)
      expect(pairsOf(await ann.get(at(id)))).toEqual([])
    })

    test('effective tag bindings: direct ones have neither links nor relationships', async () => {
      const id = await workspace()
      await ann.patch(at(id), bound({ env: 'dev' }))
      const { data } = (await ann.get(`/api/v2/workspaces/${id}/effective-tag-bindings`)).body
      expect(data).toEqual([
        {
          type: 'effective-tag-bindings',
          id: expect.stringMatching(/^[0-9a-f]{16}$/),
          attributes: { key: 'env', value: 'dev' },
        },
      ])
    })
  })
})
