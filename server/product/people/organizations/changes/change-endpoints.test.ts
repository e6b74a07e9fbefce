import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  organization,
  organizationToken,
  person,
  team,
  workspaceIn,
} from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { explainStatements } from '../../../../../test/support/statements.ts'
import { differences } from '../../../../kit/change-log/change-rules.ts'
import { listChanges } from '../../../../kit/change-log/change-store.ts'

type Shown = {
  attributes: Record<string, unknown> & { subject: { type: string; id: string; name: string }; action: string }
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))

  const path = '/api/v2/organizations/acme/changes'
  const changes = async (query = ''): Promise<Shown[]> => mustBe(await ann.get(`${path}${query}`), 200).body.data

  test('reading: owners and the organization token may read it; members, teams and strangers get 404', async () => {
    const [bob, carl] = [await person(app, 'bob'), await person(app, 'carl')]
    await join(acme, bob)
    mustBe(await bob.get(path), 404)
    mustBe(await carl.get(path), 404)
    mustBe(await (await team(acme, 'readers')).get(path), 404)
    mustBe(await (await organizationToken(acme)).get(path), 200)
  })

  test('reading: changes of another organization, and of people, are not among those of this one', async () => {
    await person(app, 'dora')
    const globex = await organization(ann, 'globex')
    await team(globex, 'globex-crew')
    const subjects = async (name: string) => {
      const { data, links } = mustBe(await ann.get(`/api/v2/organizations/${name}/changes?page[size]=100`), 200).body
      expect(links).toBeUndefined()
      return (data as Shown[]).map(({ attributes: { subject } }) => subject)
    }
    const ours = await subjects('acme')
    expect(ours).toContainEqual(expect.objectContaining({ type: 'organizations', name: 'acme' }))
    expect(ours.filter(({ type, name }) => type === 'users' || name.startsWith('globex'))).toEqual([])
    const theirs = await subjects('globex')
    expect(theirs).toContainEqual(expect.objectContaining({ type: 'teams', name: 'globex-crew' }))
    expect(theirs.filter(({ name }) => name === 'acme')).toEqual([])
  })

  test('a change: has actor, subject, before, after, request and token; a PATCH without effect adds none', async () => {
    const answer = mustBe(
      await ann.patch('/api/v2/organizations/acme', doc('organizations', { email: 'new@example.com' })),
      200,
    )
    const [newest] = await changes()
    expect(newest?.attributes).toMatchObject({
      action: 'update',
      subject: { type: 'organizations', id: acme.id, name: 'acme' },
      actor: { type: 'user', id: ann.id, name: 'ann' },
      'request-id': answer.headers['x-request-id'],
      before: { email: 'ann@example.com' },
      after: { email: 'new@example.com' },
    })
    expect(newest?.attributes['token-id']).toMatch(/^at-/)
    const count = (await changes()).length
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { email: 'new@example.com' })), 200)
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { email: 'x' })), 422)
    expect(await changes()).toHaveLength(count)
  })

  test.each([
    ['a subject', 'change_log_subject', { subjectId: 'ws-1111111111111111' }],
    ['a type of subjects', 'change_log_type', { subjectType: 'ssh-keys' }],
  ])('filter by %s: its changes are found by an index, however long the log is', async (_name, index, filter) => {
    const explained = await explainStatements(app.deps.db, async (tx) => {
      if (engine === 'postgres') await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx)
      await listChanges(tx, { organizationId: acme.id, ...filter }, { before: undefined, limit: 20 })
    })
    const plan = JSON.stringify(explained.at(-1)?.plan)
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/sort|temp b-tree/i)
  })

  const forge = {
    'service-provider': 'github',
    'http-url': 'https://git.example.com',
    'api-url': 'https://git.example.com',
  }

  test.each([
    ['teams', 'name', {}],
    ['projects', 'name', {}],
    ['agent-pools', 'name', {}],
    ['ssh-keys', 'name', { value: 'secret' }],
    ['oauth-clients', 'name', { ...forge, 'oauth-token-string': 'secret' }],
    ['workspaces', 'name', {}],
    ['vars', 'key', { category: 'env' }],
  ])('concurrent changes of %s: each entry begins where the previous one ended', async (kind, name, more) => {
    const home = kind === 'vars' ? `/api/v2/workspaces/${await workspaceIn(acme)}` : '/api/v2/organizations/acme'
    const made = mustBe(await ann.post(`${home}/${kind}`, doc(kind, { [name]: `${kind}-0`, ...more })), 201)
    const { id } = made.body.data
    const at = kind === 'vars' ? `${home}/vars/${id}` : `/api/v2/${kind}/${id}`
    const writes = [1, 2, 3, 4, 5, 6].map((place) => ann.patch(at, doc(kind, { [name]: `${kind}-${place}` })))
    for (const answer of await Promise.all(writes)) mustBe(answer, 200)
    const told = (await changes(`?filter[subject][id]=${id}`)).reverse().map(({ attributes: change }) => change)
    expect(told).toHaveLength(7)
    const side = (members: unknown) => (members as Record<string, unknown>)[name]
    expect(told.slice(1).map(({ before }) => side(before))).toEqual(told.slice(0, -1).map(({ after }) => side(after)))
  })

  test('a change: names settings as the JSON:API documents do', async () => {
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'assessments-enforced': true })), 200)
    expect((await changes())[0]?.attributes).toMatchObject({
      before: { 'assessments-enforced': false },
      after: { 'assessments-enforced': true },
    })
    const project = { type: 'projects', id: acme.projectId }
    const path = `/api/v2/projects/${project.id}`
    const own = { 'default-execution-mode': 'remote' }
    const followed = { 'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false } }
    mustBe(await ann.patch(path, doc('projects', own)), 200)
    mustBe(await ann.patch(path, doc('projects', followed)), 200)
    expect((await changes())[0]?.attributes).toMatchObject({
      subject: project,
      before: { 'setting-overwrites': { 'default-execution-mode': true } },
      after: followed,
    })
  })

  test('people: accepting an invitation, a new e-mail address and account deletion are logged', async () => {
    const ops = await team(acme, 'crew')
    const members = '/api/v2/organizations/acme/organization-memberships'
    const teams = { data: [{ type: 'teams', id: ops.id }] }
    const invited = doc('organization-memberships', { email: 'eve@example.com' }, { teams })
    const { id } = mustBe(await ann.post(members, invited), 201).body.data
    const eve = await person(app, 'eve')
    const account = `/api/v2/admin/users/${eve.id}`
    mustBe(await app.root.patch(account, doc('users', { 'is-admin': true })), 200)
    mustBe(await app.root.patch(account, doc('users', { email: 'eva@example.com' })), 200)
    mustBe(await app.root.delete(account), 204)
    const told = (await changes(`?filter[subject][id]=${id}`)).reverse().slice(1)
    expect(told.map(({ attributes: { action, before, after } }) => [action, before, after])).toEqual([
      ['update', { status: 'invited' }, { status: 'active' }],
      ['update', { email: 'eve@example.com' }, { email: 'eva@example.com' }],
      ['delete', { email: 'eva@example.com', status: 'active', teams: [ops.id] }, null],
    ])
  })

  test('secrets: the log does not contain the text of a created team token', async () => {
    const ops = await team(acme, 'ops')
    const text = JSON.stringify(await changes('?page[size]=100'))
    expect(text).toContain('authentication-tokens')
    expect(text).not.toContain(ops.token.slice(8))
  })

  test('pages: following links.next from page to page yields every change once, down to the first', async () => {
    const all = await changes('?page[size]=100')
    const seen: Shown[] = []
    let next: string | undefined = `${path}?page[size]=3`
    while (next) {
      const { body } = mustBe(await ann.get(next), 200)
      seen.push(...body.data)
      next = body.links?.next?.slice(app.url.length)
    }
    expect(seen).toEqual(all)
    expect(seen.at(-1)?.attributes).toMatchObject({ action: 'create' })
  })

  test('pages: nothing is left out where two processes gave changes the same position', async () => {
    const other = await ownApp({ engine, beside: app })
    // The clock of tests stands still, so the other process takes the positions this one began with.
    const there = other.anonymous.as(ann.token)
    for (let n = 0; n < 10; n++) {
      mustBe(await there.post('/api/v2/organizations/acme/teams', doc('teams', { name: `tied-${n}` })), 201)
    }
    const all = await changes('?page[size]=100')
    const seen: Shown[] = []
    let next: string | undefined = `${path}?page[size]=1`
    while (next) {
      const { body } = mustBe(await ann.get(next), 200)
      seen.push(...body.data)
      next = body.links?.next?.slice(app.url.length)
    }
    expect(seen).toEqual(all)
  })

  test('fields: a change shows only the attributes that were asked for', async () => {
    const [newest] = await changes('?fields[changes]=action')
    expect(newest?.attributes).toEqual({ action: expect.any(String) })
  })

  test('filters: by kind of resource, by resource and by workspace', async () => {
    const teams = await changes('?filter[subject][type]=teams')
    expect(new Set(teams.map(({ attributes }) => attributes.subject.type))).toEqual(new Set(['teams']))
    const id = teams[0]?.attributes.subject.id
    const ofOne = await changes(`?filter[subject][id]=${id}`)
    expect(new Set(ofOne.map(({ attributes }) => attributes.subject.id))).toEqual(new Set([id]))
    expect(await changes('?filter[subject][id]=nonexisting')).toEqual([])
    const workspaceId = await workspaceIn(acme, { name: 'filtered' })
    const ofWorkspace = await changes(`?filter[workspace][id]=${workspaceId}`)
    expect(ofWorkspace.map(({ attributes }) => attributes.subject.id)).toEqual([workspaceId])
    expect(await changes('?filter[workspace][id]=ws-nonexisting')).toEqual([])
  })
})

test('differences: only members that differ, null for those that are new', () => {
  expect(differences({ a: 1, b: [1], c: 'x' }, { a: 2, b: [1], d: 4 })).toEqual({
    before: { a: 1, d: null },
    after: { a: 2, d: 4 },
  })
  expect(differences({ a: { b: 1 } }, { a: { b: 1 } })).toBeUndefined()
})
