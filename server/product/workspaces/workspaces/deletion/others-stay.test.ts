import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'

eachEngine((engine) => {
  test('deletion: access, retention, tags and former names of other workspaces stay as they are', async () => {
    const app = await ownApp({ engine, settings: { renameRedirects: true } })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const crew = await team(acme, 'crew')
    const [gone, kept] = [await workspaceIn(acme, { name: 'gone' }), await workspaceIn(acme, { name: 'kept-of-old' })]
    for (const id of [gone, kept]) {
      const relationships = {
        team: { data: { type: 'teams', id: crew.id } },
        workspace: { data: { type: 'workspaces', id } },
      }
      mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'read' }, relationships)), 201)
      const policy = doc('data-retention-policy-dont-deletes')
      mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, policy), 200)
      const tags = { data: [{ type: 'tags', attributes: { name: `of-${id}`.toLowerCase() } }] }
      mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
    }
    mustBe(await ann.patch(`/api/v2/workspaces/${kept}`, doc('workspaces', { name: 'kept' })), 200)

    mustBe(await ann.delete(`/api/v2/workspaces/${gone}`), 204)

    expect((await crew.get(`/api/v2/workspaces/${kept}`)).status).toBe(200)
    const policy = await ann.get(`/api/v2/workspaces/${kept}/relationships/data-retention-policy`)
    expect(policy.body.data).toMatchObject({ type: 'data-retention-policy-dont-deletes' })
    const tags = await ann.get('/api/v2/organizations/acme/tags')
    expect(tags.body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual([
      `of-${kept}`.toLowerCase(),
    ])
    const former = await ann.get('/api/v2/organizations/acme/workspaces/kept-of-old')
    expect([former.status, former.headers.location]).toEqual([307, expect.stringMatching(/\/workspaces\/kept$/)])
  })
})
