import { describe, expect, test } from 'vitest'
import { doc, mustBe, organization, person, pointers } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { storeProject } from '../../../../test/support/workspace-parts.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))
const elsewhere = shared(() => organization(ann, 'elsewhere'))
let count = 0

const path = '/api/v2/organizations/acme/workspaces'
const post = (relationships: object) => ann.post(path, doc('workspaces', { name: `ws-${++count}` }, relationships))
const patch = (id: string, attributes: object, relationships?: object) =>
  ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes, relationships))
const long = (length: number) => 'x'.repeat(length)

describe('tags', () => {
  const bindings = (...pairs: [string, string][]) => ({
    'tag-bindings': { data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })) },
  })
  const shown = async (id: string) => {
    const answer = mustBe(await ann.get(`/api/v2/workspaces/${id}?include=effective_tag_bindings`), 200)
    return answer.body.included.map((each: { attributes: { key: string; value: string } }) => each.attributes)
  }

  test('tag bindings: create sets, update replaces, an empty list removes, omitting keeps them', async () => {
    const workspace = mustBe(await post(bindings(['foo', '1'], ['bar', '2'])), 201).body.data
    expect(await shown(workspace.id)).toEqual([
      { key: 'foo', value: '1' },
      { key: 'bar', value: '2' },
    ])
    mustBe(await patch(workspace.id, { description: 'x' }), 200)
    expect(await shown(workspace.id)).toHaveLength(2)
    mustBe(await patch(workspace.id, {}, bindings(['bar', '3'])), 200)
    expect(await shown(workspace.id)).toEqual([{ key: 'bar', value: '3' }])
    mustBe(await patch(workspace.id, {}, bindings()), 200)
    expect(await shown(workspace.id)).toEqual([])
  })

  test('faults are 422 and point to the entry', async () => {
    const many = Array.from({ length: 11 }, (_, index): [string, string] => [`key${index}`, ''])
    const below = (rest: string) => `/data/relationships/tag-bindings/data${rest}`
    const cases: [object, string][] = [
      [bindings(...many), below('')],
      [bindings(['a', '1'], ['a', '2']), below('/1/attributes/key')],
      [bindings([long(129), '']), below('/0/attributes/key')],
      [bindings(['a', long(257)]), below('/0/attributes/value')],
      [bindings(['hcp:x', '']), below('/0/attributes/key')],
      [bindings(['HC:x', '']), below('/0/attributes/key')],
      [bindings(['a b', '']), below('/0/attributes/key')],
      [bindings(['a', 'b c']), below('/0/attributes/value')],
      [{ 'tag-bindings': { data: [{ type: 'tags', attributes: { key: 'a' } }] } }, below('/0/type')],
      [{ 'tag-bindings': { data: { type: 'tag-bindings' } } }, below('')],
      [
        { tags: { data: [{ type: 'tags', attributes: { name: '-x' } }] } },
        '/data/relationships/tags/data/0/attributes/name',
      ],
    ]
    for (const [relationships, pointer] of cases) {
      expect(pointers(mustBe(await post(relationships), 422))).toEqual([pointer])
    }
    mustBe(await post(bindings(...many.slice(2), [long(128), long(256)])), 201)
  })

  test('flat tags: create attaches them in order, in lower case, without duplicates; update ignores them', async () => {
    const tags = (...names: string[]) => ({
      tags: { data: names.map((name) => ({ type: 'tags', attributes: { name } })) },
    })
    const workspace = mustBe(await post(tags('zulu', 'Alpha', 'zulu')), 201).body.data
    expect(workspace.attributes['tag-names']).toEqual(['zulu', 'alpha'])
    const changed = mustBe(await patch(workspace.id, {}, tags('other')), 200).body.data
    expect(changed.attributes['tag-names']).toEqual(['zulu', 'alpha'])
  })
})

describe('projects', () => {
  test('create: an unknown, ill-formed or foreign project is 404', async () => {
    const foreign = elsewhere.projectId
    for (const id of ['prj-1111111111111111', 'nonsense', foreign]) {
      mustBe(await post({ project: { data: { type: 'projects', id } } }), 404)
    }
  })

  test('move: updates the counts of the projects; moving to the same project changes nothing', async () => {
    const target = await storeProject(app, acme, 'Target')
    const { id } = mustBe(await post({}), 201).body.data
    const total = async () =>
      (await ann.get(`${path}?filter[project][id]=${target}`)).body.meta.pagination['total-count']
    expect(await total()).toBe(0)
    const moved = mustBe(await patch(id, {}, { project: { data: { type: 'projects', id: target } } }), 200)
    expect(moved.body.data.relationships.project.data.id).toBe(target)
    expect(await total()).toBe(1)
    mustBe(await patch(id, {}, { project: { data: { type: 'projects', id: target } } }), 200)
    expect(await total()).toBe(1)
    mustBe(await patch(id, {}, { project: { data: { type: 'projects', id: elsewhere.projectId } } }), 404)
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    expect(await total()).toBe(0)
  })
})
