import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const acme = shared(() => organization(ann, 'acme'))
  const asked = { headers: { prefer: 'return=minimal, Handling="validate"' } }
  const applied = 'handling=validate'
  const workspaces = () => `/api/v2/organizations/${acme.name}/workspaces`
  const changes = async () => mustBe(await ann.get(`/api/v2/organizations/${acme.name}/changes`), 200).text

  test('handling=validate: a new workspace is answered in full, and does not exist afterwards', async () => {
    const before = await changes()
    const wish = doc('workspaces', { name: 'wished', 'auto-apply': true })
    const tried = mustBe(await ann.post(workspaces(), wish, asked), 201)
    expect(tried.headers['preference-applied']).toBe(applied)
    expect(tried.body.data.attributes).toMatchObject({ name: 'wished', 'auto-apply': true, locked: false })
    mustBe(await ann.get(`${workspaces()}/wished`), 404)
    mustBe(await ann.get(`/api/v2/workspaces/${tried.body.data.id}`), 404)
    expect(await changes()).toBe(before)
    expect(mustBe(await ann.post(workspaces(), wish), 201).headers['preference-applied']).toBeUndefined()
  })

  test('handling=validate: refusals are those of the call', async () => {
    mustBe(await ann.post(workspaces(), doc('workspaces', { name: 'taken' })), 201)
    for (const attributes of [{ name: 'taken' }, { name: 'a b' }, { name: 'x', 'execution-mode': 'agent' }]) {
      const [tried, done] = [
        await ann.post(workspaces(), doc('workspaces', attributes), asked),
        await ann.post(workspaces(), doc('workspaces', attributes)),
      ]
      expect([tried.status, pointers(tried), tried.body]).toEqual([422, pointers(done), done.body])
    }
    const teams = `/api/v2/organizations/${acme.name}/teams`
    const [tried, done] = [
      await ann.post(teams, doc('teams', { name: 'owners' }), asked),
      await ann.post(teams, doc('teams', { name: 'owners' })),
    ]
    expect([tried.status, tried.body]).toEqual([422, done.body])
    mustBe(await bob.post(workspaces(), doc('workspaces', { name: 'theirs' }), asked), 404)
    mustBe(await app.anonymous.post(workspaces(), doc('workspaces', { name: 'theirs' }), asked), 401)
  })

  test('handling=validate: many tries beside real changes leave only those, with nothing of a try remembered', async () => {
    const { id } = mustBe(await ann.post(workspaces(), doc('workspaces', { name: 'busy' })), 201).body.data
    const at = `/api/v2/workspaces/${id}`
    const tries = Array.from({ length: 20 }, (_, index) =>
      ann.patch(at, doc('workspaces', { description: `try ${index}` }), asked),
    )
    const done = Array.from({ length: 5 }, (_, index) => ann.patch(at, doc('workspaces', { contact: `done ${index}` })))
    for (const [index, answer] of (await Promise.all(tries)).entries())
      expect(mustBe(answer, 200).body.data.attributes.description).toBe(`try ${index}`)
    for (const answer of await Promise.all(done)) mustBe(answer, 200)
    const shown = mustBe(await ann.get(at), 200).body.data.attributes
    expect([shown.description, shown.contact]).toEqual([null, expect.stringMatching(/^done \d$/)])
    mustBe(await ann.post(`${at}/actions/lock`, {}, asked), 200)
    mustBe(await ann.post(`${at}/actions/lock`, {}), 200)
    mustBe(await ann.post(`${at}/actions/lock`, {}, asked), 409)
    mustBe(await ann.delete(at, undefined, asked), 204)
    mustBe(await ann.get(at), 200)
  })

  test('handling=validate: organizations can be made, changed and removed on trial', async () => {
    const wish = doc('organizations', { name: 'wished-for', email: 'a@example.com' })
    const tried = mustBe(await bob.post('/api/v2/organizations', wish, asked), 201)
    expect(tried.body.data.attributes.permissions['can-update']).toBe(true)
    mustBe(await bob.get('/api/v2/organizations/wished-for'), 404)
    const own = `/api/v2/organizations/${acme.name}`
    const renamed = mustBe(await ann.patch(own, doc('organizations', { name: 'renamed' }), asked), 200)
    expect(renamed.body.data.id).toBe('renamed')
    mustBe(await ann.delete(own, undefined, asked), 204)
    expect(mustBe(await ann.get(own), 200).body.data.id).toBe(acme.name)
    mustBe(await ann.get('/api/v2/organizations/renamed'), 404)
    expect(mustBe(await ann.get(workspaces()), 200).body.data.length).toBeGreaterThan(0)
  })

  test('handling=validate: what shows a token or a link, counts passwords or waits is 400 and does nothing', async () => {
    const { id } = mustBe(await ann.post(workspaces(), doc('workspaces', { name: 'waited-for' })), 201).body.data
    const password = { 'current-password': 'wrong', password: 'a new and long password' }
    const calls = [
      ann.post(`/api/v2/users/${ann.id}/authentication-tokens`, undefined, asked),
      ann.post(`/api/v2/organizations/${acme.name}/authentication-token`, undefined, asked),
      ann.post(
        `/api/v2/organizations/${acme.name}/organization-memberships`,
        doc('organization-memberships', { email: 'x@example.com' }),
        asked,
      ),
      ann.patch('/api/v2/account/password', doc('users', password), asked),
      app.root.post('/api/v2/admin/users', doc('users', { username: 'new', email: 'new@example.com' }), asked),
      ann.post(`/api/v2/workspaces/${id}/actions/lock?wait=1s`, {}, asked),
    ]
    for (const answer of await Promise.all(calls))
      expect([answer.status, answer.body?.errors[0].code]).toEqual([400, 'prefer.unsupported'])
  })

  test('handling=validate: reads and other preferences are as ever', async () => {
    const read = mustBe(await ann.get(workspaces(), asked), 200)
    expect(read.headers['preference-applied']).toBeUndefined()
    const other = { headers: { prefer: 'handling=strict, x=handling=validate' } }
    mustBe(await ann.post(workspaces(), doc('workspaces', { name: 'real' }), other), 201)
    mustBe(await ann.get(`${workspaces()}/real`), 200)
  })
})
