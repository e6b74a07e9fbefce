import { expect, test } from 'vitest'
import type { Engine } from '../../../../../test/support/databases.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { finishRemovals, holdRemovals } from '../../../../../test/support/removals.ts'
import { ownApp } from '../../../../../test/support/shared.ts'

type Named = { readonly id: string; readonly attributes: { readonly name: string } }

type Change = { readonly before: object; readonly after: object; readonly actor: object }

/** An organization of a person, and what tests do with its flat tags. */
async function tagged(engine: Engine) {
  const app = await ownApp({ engine })
  const ann = await person(app, 'ann')
  const acme = await organization(ann, 'acme')
  const at = '/api/v2/organizations/acme'
  const tagsAt = async (path: string): Promise<Named[]> => mustBe(await ann.get(path), 200).body.data
  return {
    app,
    ann,
    workspace: () => workspaceIn(acme),
    put: async (name: string, ...ids: string[]) => {
      const tags = { data: [{ type: 'tags', attributes: { name } }] }
      for (const id of ids) mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
    },
    tags: () => tagsAt(`${at}/tags`),
    tagsOf: async (id: string) => (await tagsAt(`/api/v2/workspaces/${id}/relationships/tags`)).map(nameOf),
    namesIn: async (id: string) => (await ann.get(`/api/v2/workspaces/${id}`)).body.data.attributes['tag-names'],
    found: async (name: string): Promise<string[]> => {
      const { body } = await ann.get(`${at}/workspaces?search[tags]=${name}`)
      return body.data.map(({ id }: Named) => id)
    },
    remove: (...ids: string[]) => ann.delete(`${at}/tags`, { data: ids.map((id) => ({ type: 'tags', id })) }),
    changes: async (id: string): Promise<Change[]> => {
      const { data } = (await ann.get(`/api/v2/workspaces/${id}/changes`)).body
      return data.map(({ attributes }: { attributes: Change }) => attributes)
    },
  }
}

const nameOf = ({ attributes }: Named): string => attributes.name

eachEngine((engine) => {
  test('a deleted tag is gone at once; one of its name is another, which stays', async () => {
    const { app, ann, put, remove, tags, tagsOf, namesIn, found, ...has } = await tagged(engine)
    const [one, two, other] = [await has.workspace(), await has.workspace(), await has.workspace()]
    await put('old', one, two)
    await put('kept', one)
    const old = (await tags()).find((tag) => nameOf(tag) === 'old')?.id ?? ''
    const mend = holdRemovals(app, 'tag')
    mustBe(await remove(old), 204)
    expect((await tags()).map(nameOf)).toEqual(['kept'])
    expect([await tagsOf(one), await tagsOf(two), await found('old')]).toEqual([['kept'], [], []])
    expect((await remove(old)).status).toBe(404)
    const attaching = { data: [{ type: 'workspaces', id: other }] }
    expect((await ann.post(`/api/v2/tags/${old}/relationships/workspaces`, attaching)).status).toBe(404)
    const removals = (await app.root.get('/api/v2/admin/removals')).body.data
    const shown = { kind: 'tag', name: 'old', 'requested-by': 'ann', 'rows-left': 2 }
    expect(removals).toMatchObject([{ id: old, attributes: shown }])

    await put('old', two, other)
    expect((await found('old')).sort()).toEqual([two, other].sort())
    mend()
    await finishRemovals(app)
    expect((await found('old')).sort()).toEqual([two, other].sort())
    expect([await namesIn(one), await namesIn(two), await namesIn(other)]).toEqual([['kept'], ['old'], ['old']])
    expect((await tags()).map(nameOf).sort()).toEqual(['kept', 'old'])
    const stored = await app.deps.db.selectFrom('workspace_tags').select('tag_id').where('tag_id', '=', old).execute()
    expect(stored).toEqual([])
    expect((await app.root.get('/api/v2/admin/removals')).body.data).toEqual([])
  })

  test('each workspace that loses a deleted tag has one entry of whoever deleted it', async () => {
    const { app, put, remove, tags, namesIn, changes, workspace } = await tagged(engine)
    const ids = [await workspace(), await workspace()]
    await put('a', ...ids)
    await put('b', ...ids)
    app.clock.advance('1h')
    mustBe(await remove(...(await tags()).map(({ id }) => id)), 204)
    for (const id of ids) {
      expect(await namesIn(id)).toEqual([])
      const [last, before] = await changes(id)
      expect(last).toMatchObject({ action: 'update', before: { 'tag-names': ['a', 'b'] }, after: { 'tag-names': [] } })
      expect(last?.actor).toEqual(before?.actor)
      expect(before).toMatchObject({ before: { 'tag-names': ['a'] }, after: { 'tag-names': ['a', 'b'] } })
    }
  })

  test('a tag of more workspaces than a batch has goes from all of them', async () => {
    const { app, put, remove, tags, found, workspace } = await tagged(engine)
    const ids: string[] = []
    for (let made = 0; made < 130; made++) ids.push(await workspace())
    await put('wide', ids[0] ?? '')
    const [wide] = await tags()
    const rows = ids.slice(1).map((id) => ({ workspace_id: id, tag_id: wide?.id ?? '', position: 1 }))
    await app.deps.db.insertInto('workspace_tags').values(rows).execute()
    mustBe(await remove(wide?.id ?? ''), 204)
    await finishRemovals(app)
    expect(await found('wide')).toEqual([])
    expect(await app.deps.db.selectFrom('workspace_tags').selectAll().execute()).toEqual([])
    expect(await app.deps.db.selectFrom('tags').selectAll().execute()).toEqual([])
  })
})
