import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Answer } from '../../../../../test/support/client.ts'
import { eachEngine, untilAwaited } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { touchWorkspace } from '../workspace-store.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = async (owner = ann, organizationName = org.name, attributes = {}): Promise<string> => {
    const path = `/api/v2/organizations/${organizationName}/workspaces`
    return mustBe(await owner.post(path, doc('workspaces', { name: `ws-${++count}`, ...attributes })), 201).body.data.id
  }
  const at = (id: string) => `/api/v2/workspaces/${id}/relationships/remote-state-consumers`
  const list = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'workspaces', id })) })
  const consumers = async (id: string): Promise<string[]> =>
    mustBe(await ann.get(at(id)), 200).body.data.map((each: { id: string }) => each.id)

  test('consumers: who may not see the workspace gets 404', async () => {
    const id = await workspace()
    for (const verb of ['GET', 'POST', 'PATCH', 'DELETE'])
      expect((await bob.send(verb, at(id), verb === 'GET' ? undefined : list(id))).status).toBe(404)
  })

  test('consumers: can be added (duplicates are ignored), removed and replaced', async () => {
    const [id, a, b, c] = [await workspace(), await workspace(), await workspace(), await workspace()]
    mustBe(await ann.post(at(id), list(a, b, a)), 204)
    mustBe(await ann.post(at(id), list(b)), 204)
    expect(await consumers(id)).toEqual([a, b])
    mustBe(await ann.delete(at(id), list(a, c)), 204)
    expect(await consumers(id)).toEqual([b])
    mustBe(await ann.patch(at(id), list(a, c)), 204)
    expect(await consumers(id)).toEqual([a, c])
    mustBe(await ann.patch(at(id), list()), 204)
    expect(await consumers(id)).toEqual([])
  })

  test('consumers: removing one from a workspace keeps it with other workspaces', async () => {
    const [id, other, consumer] = [await workspace(), await workspace(), await workspace()]
    for (const each of [id, other]) mustBe(await ann.post(at(each), list(consumer)), 204)
    mustBe(await ann.delete(at(id), list(consumer)), 204)
    expect([await consumers(id), await consumers(other)]).toEqual([[], [consumer]])
    mustBe(await ann.post(at(id), list(consumer)), 204)
    mustBe(await ann.patch(at(id), list()), 204)
    expect([await consumers(id), await consumers(other)]).toEqual([[], [consumer]])
  })

  test.runIf(engine === 'postgres')('consumers: one deleted while being added is 422', async () => {
    const [id, consumer] = [await workspace(), await workspace()]
    let added: Promise<Answer> | undefined
    await inTransaction(app.deps.db, async (tx) => {
      await touchWorkspace(tx, id)
      await tx.deleteFrom('workspaces').where('id', '=', consumer).execute()
      added ??= ann.post(at(id), list(consumer))
      await untilAwaited((query) => sql.raw(query).execute(tx))
    })
    expect(pointers(mustBe((await added) as Answer, 422))).toEqual(['/data/0/id'])
  })

  test('consumers: changing the list while the workspace is deleted is 204 or 404', async () => {
    for (const verb of ['POST', 'PATCH', 'DELETE']) {
      for (let round = 0; round < 4; round++) {
        const [id, other] = [await workspace(), await workspace()]
        const [gone, changed] = await Promise.all([
          ann.delete(`/api/v2/workspaces/${id}`),
          ann.send(verb, at(id), list(other)),
        ])
        mustBe(gone, 204)
        expect([204, 404]).toContain(changed.status)
      }
    }
  })

  test('consumers: itself, unknown and foreign workspaces are 422 with pointers, and none is added', async () => {
    const other = await organization(bob, `other-${count}`)
    const foreign = await workspace(bob, other.name)
    const [id, good] = [await workspace(), await workspace()]
    for (const verb of ['POST', 'PATCH']) {
      const answer = await ann.send(verb, at(id), list(good, id, foreign, 'ws-1111111111111111'))
      expect([answer.status, pointers(answer)]).toEqual([422, ['/data/1/id', '/data/2/id', '/data/3/id']])
    }
    expect(await consumers(id)).toEqual([])
    expect((await ann.post(at(id), list())).status).toBe(422)
    const wrong = await ann.post(at(id), { data: [{ type: 'projects', id: good }] })
    expect([wrong.status, pointers(wrong)]).toEqual([422, ['/data/0/type']])
  })

  test('consumers: one that the caller cannot read is not shown, counted, added or removed', async () => {
    const [id, seen, hidden] = [await workspace(), await workspace(), await workspace()]
    mustBe(await ann.post(at(id), list(seen, hidden)), 204)
    const few = await team(org, 'few')
    const give = async (workspaceId: string, access: string) => {
      const relationships = {
        team: { data: { type: 'teams', id: few.id } },
        workspace: { data: { type: 'workspaces', id: workspaceId } },
      }
      mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access }, relationships)), 201)
    }
    await give(id, 'admin')
    await give(seen, 'read')
    const shown = async () => {
      const { body, text } = mustBe(await few.get(at(id)), 200)
      expect(text).not.toContain(hidden)
      return [body.data.map((each: { id: string }) => each.id), body.meta.pagination['total-count']]
    }
    expect(await shown()).toEqual([[seen], 1])
    for (const verb of ['POST', 'DELETE']) {
      const [refused, missing] = [
        await few.send(verb, at(id), list(hidden)),
        await few.send(verb, at(id), list('ws-1111111111111111')),
      ]
      expect([refused.status, refused.text]).toEqual([422, missing.text.replace('ws-1111111111111111', hidden)])
    }
    expect((await few.patch(at(id), list(seen))).status).toBe(404)
    expect(await consumers(id)).toEqual([seen, hidden])
    mustBe(await few.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'global-remote-state': true })), 200)
    expect(await shown()).toEqual([[seen], 1])
  })

  test('consumers: with global-remote-state all other workspaces are listed, and writing is 422', async () => {
    const own = await organization(ann, `global-${count}`)
    const id = await workspace(ann, own.name, { 'global-remote-state': true })
    const others = [await workspace(ann, own.name), await workspace(ann, own.name), await workspace(ann, own.name)]
    expect(await consumers(id)).toEqual(others)
    const page = (await ann.get(`${at(id)}?page[size]=2&page[number]=2`)).body
    expect([page.data.length, page.meta.pagination['total-count'], page.meta.pagination['total-pages']]).toEqual([
      1, 3, 2,
    ])
    const refused = await ann.post(at(id), list(others[0] as string))
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data']])
  })

  test('consumers: with project-remote-state the workspaces of the project replace the explicit list', async () => {
    const made = await ann.post(
      `/api/v2/organizations/${org.name}/projects`,
      doc('projects', { name: `P${++count}xx` }),
    )
    const project = { project: { data: { type: 'projects', id: mustBe(made, 201).body.data.id } } }
    const inside = (): Promise<string> => workspaceIn(org, {}, project)
    const [id, neighbour, outside] = [await inside(), await inside(), await workspace()]
    const share = (attributes: object) => ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes))
    mustBe(await ann.post(at(id), list(outside)), 204)
    mustBe(await share({ 'project-remote-state': true }), 200)
    expect(await consumers(id)).toEqual([neighbour])
    const both = await share({ 'global-remote-state': true })
    expect([both.status, pointers(both)]).toEqual([422, ['/data/attributes/project-remote-state']])
    mustBe(await share({ 'project-remote-state': false }), 200)
    expect(await consumers(id)).toEqual([outside])
  })

  test('consumers: are listed as full workspace documents, with include', async () => {
    const [id, a] = [await workspace(), await workspace()]
    await ann.post(at(id), list(a))
    const { body } = await ann.get(`${at(id)}?include=organization`)
    expect(body.data[0].attributes).toHaveProperty('permissions')
    expect(body.included[0]).toMatchObject({ type: 'organizations', id: org.name })
  })
})
