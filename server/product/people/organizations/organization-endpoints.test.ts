import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  organization,
  organizationToken,
  person,
  pointers,
  team,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const acme = shared(() => organization(ann, 'acme'))

  const at = (path = '') => `/api/v2/organizations/acme${path}`

  test('show: a stranger gets the same 404 as for a missing organization; without a token it is 401', async () => {
    const hidden = mustBe(await bob.get(at()), 404)
    const missing = mustBe(await bob.get('/api/v2/organizations/nonexisting'), 404)
    expect(hidden.text).toBe(missing.text)
    mustBe(await app.anonymous.get(at()), 401)
    mustBe(await app.anonymous.get('/api/v2/nonsense'), 401)
  })

  test('list: the retention policies of all organizations of a page are read together', async () => {
    const cid = await person(app, 'cid')
    for (const name of ['list-1', 'list-2', 'list-3']) await organization(cid, name)
    const path = '/api/v2/organizations/list-2/relationships/data-retention-policy'
    mustBe(await cid.post(path, doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 3 })), 200)
    const queries = vi.spyOn(app.deps.db, 'selectFrom')
    const { data } = mustBe(await cid.get('/api/v2/organizations'), 200).body
    const tables = queries.mock.calls.map(([table]) => table as string)
    queries.mockRestore()
    expect(tables.filter((table) => table === 'data_retention_policies')).toHaveLength(1)
    expect(data).toHaveLength(3)
    for (const listed of data)
      expect(listed).toEqual(mustBe(await cid.get(`/api/v2/organizations/${listed.id}`), 200).body.data)
  })

  test('show: returns the organization under any case of its name, with an ETag for conditional requests', async () => {
    const shown = mustBe(await ann.get('/api/v2/organizations/ACME'), 200)
    expect(shown.body.data).toMatchObject({
      type: 'organizations',
      id: 'acme',
      attributes: {
        name: 'acme',
        'external-id': acme.id,
        email: 'ann@example.com',
        'default-execution-mode': 'remote',
        'allow-force-delete-workspaces': false,
        'assessments-enforced': false,
        'default-global-remote-state': false,
        'plan-expired': false,
        'fair-run-queuing-enabled': false,
        permissions: { 'can-update': true, 'can-destroy': true, 'can-create-workspace': true },
      },
      relationships: {
        'default-project': { data: { type: 'projects', id: acme.projectId } },
        'default-agent-pool': { data: null },
        'data-retention-policy': { data: null },
      },
      links: { self: '/api/v2/organizations/acme' },
    })
    expect(shown.headers['content-type']).toBe('application/vnd.api+json')
    expect(shown.headers.etag).toMatch(/^W\//)
    mustBe(await ann.get(at(), { headers: { 'if-none-match': String(shown.headers.etag) } }), 304)
    mustBe(await ann.get(at(), { headers: { 'if-none-match': `"x", ${String(shown.headers.etag).slice(2)}` } }), 304)
  })

  test.each(['null', '[]', '"x"', '1'])('create: the body %s is not a document and is 400', async (raw) => {
    const headers = { 'content-type': 'application/vnd.api+json' }
    mustBe(await ann.send('POST', '/api/v2/organizations', undefined, { headers, raw }), 400)
  })

  test('create: every fault of the document, each with its pointer', async () => {
    const faulty = { name: 'a b', email: 'nobody', 'default-execution-mode': 'x', 'assessments-enforced': 'true' }
    const answer = mustBe(await ann.post('/api/v2/organizations', doc('organizations', faulty)), 422)
    expect(pointers(answer)).toEqual([
      '/data/attributes/assessments-enforced',
      '/data/attributes/default-execution-mode',
      '/data/attributes/email',
      '/data/attributes/name',
    ])
    mustBe(await ann.get('/api/v2/organizations/a%20b'), 404)
  })

  test.each([
    ['no name', { email: 'a@b' }, '/data/attributes/name'],
    ['no e-mail', { name: 'x' }, '/data/attributes/email'],
    ['a taken name with a look-alike letter', { name: 'аcme', email: 'a@b' }, '/data/attributes/name'],
    ['a taken name in another case', { name: 'Acme', email: 'a@b' }, '/data/attributes/name'],
    ['a reserved name', { name: 'settings', email: 'a@b' }, '/data/attributes/name'],
    ['a long name', { name: 'x'.repeat(65), email: 'a@b' }, '/data/attributes/name'],
    [
      'agent mode without a pool',
      { name: 'x', email: 'a@b', 'default-execution-mode': 'agent' },
      '/data/relationships/default-agent-pool',
    ],
    [
      'agent mode with a number for a pool',
      { name: 'x', email: 'a@b', 'default-execution-mode': 'agent', 'default-agent-pool-id': 5 },
      '/data/attributes/default-agent-pool-id',
    ],
    [
      'a pool for an unknown mode',
      { name: 'x', email: 'a@b', 'default-execution-mode': 'cloud', 'default-agent-pool-id': 'apool-1111111111111111' },
      '/data/attributes/default-execution-mode',
    ],
    [
      'a pool without agent mode',
      { name: 'x', email: 'a@b', 'default-agent-pool-id': 'apool-1111111111111111' },
      '/data/attributes/default-agent-pool-id',
    ],
    [
      'an unknown pool',
      { name: 'x', email: 'a@b', 'default-execution-mode': 'agent', 'default-agent-pool-id': 'apool-1111111111111111' },
      '/data/attributes/default-agent-pool-id',
    ],
  ])('create: %s is 422 with a pointer', async (_name, attributes, pointer) => {
    const answer = mustBe(await ann.post('/api/v2/organizations', doc('organizations', attributes)), 422)
    expect(pointers(answer)).toEqual([pointer])
  })

  test('create: a name of 40 characters is accepted; read-only attributes in the document are ignored', async () => {
    const name = `tst-${crypto.randomUUID()}`
    const attributes = {
      name,
      email: 'x@tfe.local',
      'external-id': 'org-mine',
      'created-at': 'x',
      permissions: {},
      'stacks-enabled': true,
    }
    const made = mustBe(await bob.post('/api/v2/organizations', doc('organizations', attributes)), 201)
    expect(made.headers.location).toBe(`${app.url}/api/v2/organizations/${name}`)
    expect(made.body.data.attributes['external-id']).toMatch(/^org-[1-9A-HJ-NP-Za-km-z]{16}$/)
    expect(made.body.data).toEqual(mustBe(await bob.get(`/api/v2/organizations/${name}`), 200).body.data)
    expect(made.body.meta.warnings).toEqual(["Unknown attribute 'stacks-enabled' is ignored."])
    mustBe(await bob.delete(`/api/v2/organizations/${name}`), 204)
    mustBe(await bob.get(`/api/v2/organizations/${name}`), 404)
  })

  test('create: team and organization tokens get 404', async () => {
    const ops = await team(acme, 'makers')
    mustBe(await ops.post('/api/v2/organizations', doc('organizations', { name: 'x', email: 'a@b' })), 404)
    mustBe(
      await (await organizationToken(acme)).post(
        '/api/v2/organizations',
        doc('organizations', { name: 'x', email: 'a@b' }),
      ),
      404,
    )
  })

  test('create: of two concurrent requests for one name one is 201, the other 422', async () => {
    const body = doc('organizations', { name: 'twice', email: 'a@b' })
    const answers = await Promise.all([ann, bob].map((who) => who.post('/api/v2/organizations', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    const loser = answers.find(({ status }) => status === 422)
    expect(loser?.body.errors[0].detail).toBe('Name has already been taken')
  })

  test('update: members without the permission get 404; an owner may update, and omitted settings stay', async () => {
    const carl = await person(app, 'carl')
    await join(acme, carl)
    const body = doc('organizations', { 'allow-force-delete-workspaces': true })
    mustBe(await carl.get(at()), 200)
    mustBe(await carl.patch(at(), body), 404)
    mustBe(await bob.patch(at(), body), 404)
    const changed = mustBe(await ann.patch(at(), body), 200)
    expect(changed.body.data.attributes).toMatchObject({ 'allow-force-delete-workspaces': true, email: ann.email })
    mustBe(await ann.patch(at(), doc('organizations', { allow_force_delete_workspaces: false })), 200)
  })

  test('update: PUT changes what is sent and keeps the rest, as PATCH does', async () => {
    const before = mustBe(await ann.get(at()), 200).body.data.attributes
    const body = doc('organizations', { 'session-remember': 90 })
    mustBe(await bob.put(at(), body), 404)
    const { attributes } = mustBe(await ann.put(at(), body), 200).body.data
    expect(attributes).toEqual({ ...before, 'session-remember': 90 })
    mustBe(await ann.patch(at(), doc('organizations', { 'session-remember': null })), 200)
  })

  test('update: settings for version-control runs are stored and returned though no runs exist', async () => {
    const first = {
      'speculative-plan-management-enabled': true,
      'aggregated-commit-status-enabled': true,
      'send-passing-statuses-for-untriggered-speculative-plans': false,
    }
    expect(mustBe(await ann.get(at()), 200).body.data.attributes).toMatchObject(first)
    const others = Object.fromEntries(Object.entries(first).map(([name, value]) => [name, !value]))
    mustBe(await ann.patch(at(), doc('organizations', others)), 200)
    mustBe(await ann.patch(at(), doc('organizations', { 'session-timeout': 60 })), 200)
    expect(mustBe(await ann.get(at()), 200).body.data.attributes).toMatchObject(others)
    mustBe(await ann.patch(at(), doc('organizations', { ...first, 'session-timeout': null })), 200)
    expect(mustBe(await ann.get(at()), 200).body.data.attributes).toMatchObject(first)
  })

  test('update: an id of another organization in the document is 409; its own name or id is accepted', async () => {
    const wrong = { data: { type: 'organizations', id: 'other', attributes: {} } }
    expect(pointers(mustBe(await ann.patch(at(), wrong), 409))).toEqual(['/data/id'])
    mustBe(await ann.patch(at(), { data: { type: 'organizations', id: 'acme', attributes: {} } }), 200)
    mustBe(await ann.patch(at(), { data: { type: 'organizations', id: acme.id, attributes: {} } }), 200)
  })

  test('update: agent mode needs a pool of this organization', async () => {
    const other = await organization(bob, 'pools-elsewhere')
    await app.deps.db
      .insertInto('agent_pools')
      .values([
        { id: 'apool-mine', organization_id: acme.id, name: 'mine', organization_scoped: 1, created_at: 0 },
        { id: 'apool-theirs', organization_id: other.id, name: 'theirs', organization_scoped: 1, created_at: 0 },
      ])
      .execute()
    const withPool = (id: string) =>
      doc(
        'organizations',
        { 'default-execution-mode': 'agent' },
        { 'default-agent-pool': { data: { type: 'agent-pools', id } } },
      )
    expect(pointers(mustBe(await ann.patch(at(), withPool('apool-theirs')), 422))).toEqual([
      '/data/relationships/default-agent-pool',
    ])
    const byAttribute = { 'default-execution-mode': 'agent', 'default-agent-pool-id': 'apool-theirs' }
    expect(pointers(mustBe(await ann.patch(at(), doc('organizations', byAttribute)), 422))).toEqual([
      '/data/attributes/default-agent-pool-id',
    ])
    const set = mustBe(await ann.patch(at(), withPool('apool-mine')), 200)
    expect(set.body.data.relationships['default-agent-pool'].data.id).toBe('apool-mine')
    const back = mustBe(
      await ann.patch(at(), doc('organizations', { 'default-execution-mode': 'local', 'default-agent-pool-id': '' })),
      200,
    )
    expect(back.body.data.relationships['default-agent-pool'].data).toBeNull()
    mustBe(await ann.patch(at(), doc('organizations', { 'default-execution-mode': 'remote' })), 200)
  })

  test('user tokens switched off: 403 for user tokens, team tokens go on', async () => {
    const dora = await person(app, 'dora')
    const closed = await organization(dora, 'closed')
    const ops = await team(closed, 'ops')
    mustBe(
      await dora.patch('/api/v2/organizations/closed', doc('organizations', { 'user-tokens-enabled': false })),
      200,
    )
    mustBe(await dora.get('/api/v2/organizations/closed'), 403)
    mustBe(await ops.get('/api/v2/organizations/closed'), 200)
    mustBe(await ann.get('/api/v2/organizations/closed'), 404)
  })

  test('list: contains only organizations of the caller, with pages and searches by name and e-mail', async () => {
    const eve = await person(app, 'eve')
    for (const name of ['eve-a', 'eve-b', 'eve-c']) await organization(eve, name)
    const page = mustBe(await eve.get('/api/v2/organizations?page[size]=2&page%5Bnumber%5D=2'), 200).body
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(['eve-c'])
    expect(page.meta.pagination).toEqual({
      'current-page': 2,
      'page-size': 2,
      'prev-page': 1,
      'next-page': null,
      'total-pages': 2,
      'total-count': 3,
    })
    const found = mustBe(await eve.get('/api/v2/organizations?q=-b'), 200).body
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual(['eve-b'])
    mustBe(await eve.patch('/api/v2/organizations/eve-c', doc('organizations', { email: 'Post@Example.com' })), 200)
    for (const query of ['q=pOST', 'q[email]=pOST', 'q[email]=post@example.com', 'q[name]=E-C']) {
      const filtered = mustBe(await eve.get(`/api/v2/organizations?${query}`), 200).body
      expect(filtered.data.map(({ id }: { id: string }) => id)).toEqual(['eve-c'])
    }
    const ops = await team({ ...(await organization(eve, 'eve-d')) }, 'ops')
    expect(mustBe(await ops.get('/api/v2/organizations'), 200).body.meta.pagination['total-count']).toBe(1)
  })

  test('entitlements: operations is true unless remote execution was switched off; strangers get 404', async () => {
    mustBe(await bob.get(at('/entitlement-set')), 404)
    const set = mustBe(await ann.get(at('/entitlement-set')), 200).body.data
    expect(set).toMatchObject({
      type: 'entitlement-sets',
      id: acme.id,
      attributes: { operations: true, 'state-storage': true, teams: true, agents: true },
    })
    for (const on of [false, true]) {
      mustBe(await ann.patch(at(''), doc('organizations', { 'remote-execution-enabled': on })), 200)
      expect(mustBe(await ann.get(at('/entitlement-set')), 200).body.data.attributes.operations).toBe(on)
    }
  })

  test('retention policy: strangers get 404; new days keep its id, another kind gets a new id', async () => {
    const path = at('/relationships/data-retention-policy')
    const days = (value: unknown) => doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': value })
    mustBe(await bob.get(path), 404)
    mustBe(await bob.post(path, days(3)), 404)
    mustBe(await ann.get(path), 404)
    for (const bad of [0, 1.5, '3', null]) mustBe(await ann.post(path, days(bad)), 422)
    mustBe(await ann.post(path, doc('data-retention-policy-delete-olders')), 422)
    mustBe(await ann.post(path, doc('policies')), 422)
    const first = mustBe(await ann.post(path, days(33)), 200).body.data
    expect(first).toMatchObject({
      attributes: { 'delete-older-than-n-days': 33 },
      relationships: { target: { data: { type: 'organizations', id: 'acme' } } },
    })
    const second = mustBe(
      await ann.post(path, doc('data-retention-policy-delete-olders', { deleteOlderThanNDays: 1 })),
      200,
    ).body.data
    expect(second.id).toBe(first.id)
    const third = mustBe(await ann.post(path, doc('data-retention-policy-dont-deletes')), 200).body.data
    expect(third.id).not.toBe(first.id)
    expect(mustBe(await ann.get(at()), 200).body.data.relationships['data-retention-policy'].data).toEqual({
      type: 'data-retention-policy-dont-deletes',
      id: third.id,
    })
    mustBe(await ann.delete(path), 204)
    mustBe(await ann.delete(path), 204)
    mustBe(await ann.get(path), 404)
  })

  test('delete: of concurrent DELETEs one is 204, the others 404', async () => {
    const path = `/api/v2/organizations/${(await organization(ann, 'short-lived')).name}`
    const answers = await Promise.all(Array.from({ length: 4 }, () => ann.delete(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
  })

  test('delete: only owners may; tokens of the organization stop working and its teams are deleted', async () => {
    const zoe = await person(app, 'zoe')
    const doomed = await organization(zoe, 'doomed')
    const ops = await team(doomed, 'ops')
    const token = await organizationToken(doomed)
    mustBe(await ops.delete('/api/v2/organizations/doomed'), 404)
    mustBe(await token.delete('/api/v2/organizations/doomed'), 404)
    mustBe(await ann.delete('/api/v2/organizations/doomed'), 404)
    mustBe(await zoe.delete('/api/v2/organizations/doomed'), 204)
    mustBe(await ops.get('/api/v2/organizations'), 401)
    mustBe(await token.get('/api/v2/organizations'), 401)
    const left = await app.deps.db.selectFrom('teams').selectAll().where('organization_id', '=', doomed.id).execute()
    expect(left).toEqual([])
  })
})
