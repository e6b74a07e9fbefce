import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  type Organization,
  organization,
  organizationToken,
  person,
  team,
} from '../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'

const workspaces = (of: Organization) => `/api/v2/organizations/${of.name}/workspaces`

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const acme = shared(() => organization(ann, 'acme'))

  const create = async (attributes: object, relationships?: object) =>
    mustBe(await ann.post(workspaces(acme), doc('workspaces', attributes, relationships)), 201).body.data

  test('fresh: a new workspace has all default attributes, and create, show and list agree', async () => {
    const other = await organization(ann, 'fresh')
    const answer = mustBe(await ann.post(workspaces(other), doc('workspaces', { name: 'network' })), 201)
    const made = answer.body.data
    expect(answer.headers.location).toBe(`${app.url}/api/v2/organizations/fresh/workspaces/network`)
    expect(made.id).toMatch(/^ws-[1-9A-HJ-NP-Za-km-z]{16}$/)
    const { permissions, ...attributes } = made.attributes
    const now = new Date(app.clock.now()).toISOString()
    expect(attributes).toEqual(freshAttributes('network', now))
    expect(Object.keys(permissions)).toHaveLength(21)
    expect(Object.values(permissions).every(Boolean)).toBe(true)
    expect(made.relationships).toEqual(freshRelationships(made.id, 'fresh', other.projectId))
    expect(made.links).toEqual({
      self: '/api/v2/organizations/fresh/workspaces/network',
      'self-html': '/app/fresh/workspaces/network',
    })
    const byId = mustBe(await ann.get(`/api/v2/workspaces/${made.id}`), 200).body.data
    const byName = mustBe(await ann.get(`${workspaces(other)}/network`), 200).body.data
    const listed = mustBe(await ann.get(workspaces(other)), 200).body
    expect([byId, byName, ...listed.data]).toEqual([made, made, made])
    expect(listed.meta.pagination).toEqual({
      'current-page': 1,
      'page-size': 20,
      'prev-page': null,
      'next-page': null,
      'total-pages': 1,
      'total-count': 1,
    })
  })

  test('create: many settings at once are echoed by create, show and list', async () => {
    const sent = {
      description: 'All about networks',
      'execution-mode': 'local',
      'allow-destroy-plan': false,
      'auto-apply': true,
      'auto-apply-run-trigger': true,
      'auto-destroy-at': '2020-01-01T00:00:00Z',
      'file-triggers-enabled': false,
      'global-remote-state': true,
      'queue-all-runs': true,
      'source-name': 'catalogue',
      'source-url': 'https://example.com/catalogue',
      'speculative-enabled': false,
      'structured-run-output-enabled': false,
      'terraform-version': '0.11.0',
      'trigger-prefixes': ['/modules', 'shared/', '/modules'],
      'working-directory': '/networking',
    }
    const made = await create(
      { name: 'many', ...sent },
      { project: { data: { type: 'projects', id: acme.projectId } } },
    )
    expect(made.attributes).toMatchObject({
      ...sent,
      'auto-destroy-at': '2020-01-01T00:00:00.000Z',
      'auto-destroy-status': 'skipped',
      'inherits-project-auto-destroy': false,
      operations: false,
      'tool-version': '0.11.0',
      'resolved-tool-version': '0.11.0',
      'trigger-prefixes': ['/modules', 'shared/'],
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
    })
    expect((await ann.get(`/api/v2/workspaces/${made.id}`)).body.data).toEqual(made)
    const listed = (await ann.get(`${workspaces(acme)}?search[name]=many`)).body.data
    expect(listed).toEqual([made])
  })

  test('update: omitted keeps, null clears, unknown and read-only members are ignored', async () => {
    const made = await create({ name: 'patched', description: 'before', 'working-directory': 'here' })
    app.clock.advance('1m')
    const body = {
      data: {
        type: 'workspaces',
        id: made.id,
        attributes: {
          description: null,
          auto_apply: true,
          'created-at': '2001-01-01T00:00:00Z',
          'resource-count': 99,
          locked: true,
          permissions: { 'can-update': false },
          source: 'mine',
          'source-name': 'late',
          nonsense: { deep: true },
        },
        relationships: { nonsense: { data: null } },
      },
    }
    const changed = mustBe(await ann.patch(`/api/v2/workspaces/${made.id}`, body), 200).body.data
    expect(changed.attributes).toEqual({
      ...made.attributes,
      description: null,
      'auto-apply': true,
      'updated-at': new Date(app.clock.now()).toISOString(),
    })
    expect(mustBe(await ann.get(`${workspaces(acme)}/patched`), 200).body.data).toEqual(changed)
  })

  test('update: works by name; a document with the id of another resource is 409', async () => {
    const made = await create({ name: 'named' })
    const path = `${workspaces(acme)}/named`
    mustBe(await ann.patch(path, doc('workspaces', { 'auto-apply': true })), 200)
    const wrong = { data: { type: 'workspaces', id: 'ws-1111111111111111', attributes: {} } }
    const answer = mustBe(await ann.patch(`/api/v2/workspaces/${made.id}`, wrong), 409)
    expect(answer.body.errors[0].source).toEqual({ pointer: '/data/id' })
  })

  test('rename: the old name is 404 and free again, links follow; a taken name is 422', async () => {
    const made = await create({ name: 'old-name' })
    const changed = mustBe(
      await ann.patch(`/api/v2/workspaces/${made.id}`, doc('workspaces', { name: 'new-name' })),
      200,
    )
    expect(changed.body.data.links.self).toBe('/api/v2/organizations/acme/workspaces/new-name')
    mustBe(await ann.get(`${workspaces(acme)}/old-name`), 404)
    mustBe(await ann.get(`${workspaces(acme)}/new-name`), 200)
    await create({ name: 'old-name' })
    const taken = mustBe(await ann.patch(`${workspaces(acme)}/new-name`, doc('workspaces', { name: 'old-name' })), 422)
    expect(taken.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Name has already been taken',
        code: 'workspace.name-taken',
        source: { pointer: '/data/attributes/name' },
      },
    ])
  })

  test('names: are case-sensitive and free again after a delete', async () => {
    await create({ name: 'Case' })
    await create({ name: 'case' })
    mustBe(await ann.delete(`${workspaces(acme)}/Case`), 204)
    mustBe(await ann.get(`${workspaces(acme)}/Case`), 404)
    mustBe(await ann.get(`${workspaces(acme)}/case`), 200)
    await create({ name: 'Case' })
  })

  test('update: concurrent updates all succeed, and none overwrites attributes set by another', async () => {
    const { id } = (await ann.post(workspaces(acme), doc('workspaces', { name: 'mobbed' }))).body.data
    const change = (attributes: object) => ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes))
    const wishes = Array.from({ length: 30 }, (_, index) => ({ description: `by ${index}` }))
    const answers = await Promise.all([{ 'auto-apply': true }, ...wishes, { 'queue-all-runs': true }].map(change))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { attributes } = (await ann.get(`/api/v2/workspaces/${id}`)).body.data
    expect(attributes).toMatchObject({ 'auto-apply': true, 'queue-all-runs': true })
    expect(attributes.description).toMatch(/^by \d+$/)
  })

  test('update: concurrent tag writes never make an update fail', async () => {
    const { id } = await create({ name: 'tagged-all-the-time' })
    let isOver = false
    const write = async (key: string) => {
      const body = { data: [{ type: 'tag-bindings', attributes: { key } }] }
      while (!isOver) mustBe(await ann.patch(`/api/v2/workspaces/${id}/tag-bindings`, body), 200)
    }
    const writers = Array.from({ length: 8 }, (_, index) => write(`k${index}`))
    const answers: unknown[] = []
    for (const description of ['one', 'two', 'three', 'four']) {
      const { status, body } = await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { description }))
      answers.push([status, body.data?.attributes.description])
    }
    isOver = true
    await Promise.all(writers)
    expect(answers).toEqual(['one', 'two', 'three', 'four'].map((description) => [200, description]))
    expect((await ann.get(`/api/v2/workspaces/${id}/tag-bindings`)).body.data).toHaveLength(8)
  })

  test('create: of twelve concurrent requests with one name one is 201, the others 422', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => ann.post(workspaces(acme), doc('workspaces', { name: 'raced' }))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 422)])
    const listed = (await ann.get(`${workspaces(acme)}?search[wildcard-name]=raced`)).body
    expect(listed.meta.pagination['total-count']).toBe(1)
  })

  test('update: concurrent changes of different attributes are all kept', async () => {
    const made = await create({ name: 'crowded' })
    const changes = [
      { 'auto-apply': true },
      { description: 'by somebody' },
      { 'working-directory': 'x' },
      { 'queue-all-runs': true },
      { 'speculative-enabled': false },
    ]
    const path = `/api/v2/workspaces/${made.id}`
    const answers = await Promise.all(changes.map((each) => ann.patch(path, doc('workspaces', each))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await ann.get(path)).body.data.attributes).toMatchObject(Object.assign({}, ...changes))
  })

  test('missing and hidden: a workspace the caller cannot see gives the same 404 body as a missing one', async () => {
    const made = await create({ name: 'hidden' })
    const stranger = await person(app, 'passer-by')
    const bodies = await Promise.all([
      ann.get('/api/v2/workspaces/ws-1111111111111111'),
      ann.get('/api/v2/workspaces/nonexisting'),
      ann.get(`${workspaces(acme)}/nonexisting`),
      ann.get('/api/v2/organizations/nonexisting/workspaces/hidden'),
      ann.get('/api/v2/organizations/nonexisting/workspaces'),
      ann.post('/api/v2/organizations/nonexisting/workspaces', doc('workspaces', { name: '' })),
      stranger.get(`/api/v2/workspaces/${made.id}`),
      stranger.get(`${workspaces(acme)}/hidden`),
      stranger.get(workspaces(acme)),
      stranger.patch(`/api/v2/workspaces/${made.id}`, doc('nonsense')),
      stranger.delete(`/api/v2/workspaces/${made.id}`),
    ])
    for (const answer of bodies) expect([answer.status, answer.body]).toEqual([404, bodies[0]?.body])
  })

  test('create: owners, teams that manage all workspaces and organization tokens may; nobody else', async () => {
    const readers = await team(acme, 'readers', { 'organization-access': { 'read-workspaces': true } })
    const managers = await team(acme, 'managers', { 'organization-access': { 'manage-workspaces': true } })
    const plain = await team(acme, 'plain')
    await join(acme, bob, [readers.id])
    for (const caller of [bob, readers, plain]) {
      mustBe(await caller.post(workspaces(acme), doc('workspaces', { name: 'x' })), 404)
    }
    mustBe(await managers.post(workspaces(acme), doc('workspaces', { name: 'by-managers' })), 201)
    const byToken = await organizationToken(acme)
    mustBe(await byToken.post(workspaces(acme), doc('workspaces', { name: 'by-organization' })), 201)
    mustBe(await bob.get(`${workspaces(acme)}/by-managers`), 200)
    mustBe(await plain.get(`${workspaces(acme)}/by-managers`), 404)
    mustBe(await bob.patch(`${workspaces(acme)}/by-managers`, doc('workspaces', { name: '' })), 404)
  })

  test('force delete: owners may; those who may only delete safely get 403, others 404', async () => {
    await create({ name: 'doomed' })
    const managers = await team(acme, 'destroyers', { 'organization-access': { 'manage-workspaces': true } })
    const readers = await team(acme, 'lookers', { 'organization-access': { 'read-workspaces': true } })
    const path = `${workspaces(acme)}/doomed`
    mustBe(await readers.delete(path), 404)
    const refused = mustBe(await managers.delete(path), 403)
    expect(refused.body.errors[0]).toMatchObject({ status: '403', title: 'forbidden' })
    mustBe(
      await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'allow-force-delete-workspaces': true })),
      200,
    )
    mustBe(await managers.delete(path), 204)
    mustBe(await managers.delete(path), 404)
    mustBe(
      await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'allow-force-delete-workspaces': false })),
      200,
    )
  })

  test('delete: removes flat tags that no other workspace has', async () => {
    const tags = { tags: { data: [{ type: 'tags', attributes: { name: 'Lonely' } }] } }
    const made = await create({ name: 'tagged-once' }, tags)
    expect(made.attributes['tag-names']).toEqual(['lonely'])
    mustBe(await ann.delete(`/api/v2/workspaces/${made.id}`), 204)
    const rows = await app.deps.db.selectFrom('tags').select('name').where('name', '=', 'lonely').execute()
    expect(rows).toEqual([])
  })

  test('If-Match: an outdated ETag is 412, a current one is accepted', async () => {
    const made = await create({ name: 'matched' })
    const path = `/api/v2/workspaces/${made.id}`
    const tag = String((await ann.get(path)).headers.etag)
    mustBe(await ann.get(path, { headers: { 'if-none-match': tag } }), 304)
    const changed = mustBe(
      await ann.patch(path, doc('workspaces', { description: 'a' }), { headers: { 'if-match': tag } }),
      200,
    )
    mustBe(await ann.patch(path, doc('workspaces', { description: 'b' }), { headers: { 'if-match': tag } }), 412)
    expect((await ann.get(path)).body.data.attributes.description).toBe('a')
    const partial = String((await ann.get(`${path}?include=project`)).headers.etag)
    const refused = await ann.patch(path, doc('workspaces', { description: 'b' }), { headers: { 'if-match': partial } })
    expect(mustBe(refused, 412).body.errors[0].detail).toContain('read it again without these')
    const fresh = String(changed.headers.etag)
    expect((await ann.get(path)).headers.etag).toBe(fresh)
    mustBe(await ann.patch(path, doc('workspaces', { description: 'c' }), { headers: { 'if-match': fresh } }), 200)
    mustBe(await ann.patch(path, doc('workspaces', { description: 'd' }), { headers: { 'if-match': '*' } }), 200)
  })

  test('change log: create, update and delete are logged with before and after', async () => {
    const made = await create({ name: 'logged', description: 'one' })
    mustBe(await ann.patch(`/api/v2/workspaces/${made.id}`, doc('workspaces', { description: 'two' })), 200)
    mustBe(await ann.delete(`/api/v2/workspaces/${made.id}`), 204)
    const path = `/api/v2/organizations/acme/changes?filter[workspace][id]=${made.id}`
    const entries = (await ann.get(path)).body.data.map((each: { attributes: object }) => each.attributes)
    expect(entries).toMatchObject([
      { action: 'delete', before: { name: 'logged', description: 'two' }, after: null },
      { action: 'update', before: { description: 'one' }, after: { description: 'two' } },
      { action: 'create', before: null, after: { name: 'logged' } },
    ])
  })
})

test('rename redirects: with the setting on, the old name redirects (307) until it is taken again', async () => {
  const app = await ownApp({ settings: { renameRedirects: true } })
  const ann = await person(app, 'ann')
  const acme = await organization(ann, 'acme')
  mustBe(await ann.post(workspaces(acme), doc('workspaces', { name: 'old' })), 201)
  mustBe(await ann.patch(`${workspaces(acme)}/old`, doc('workspaces', { name: 'new' })), 200)
  const moved = mustBe(await ann.get(`${workspaces(acme)}/old?include=project`), 307)
  expect(moved.headers.location).toBe(`${app.url}/api/v2/organizations/acme/workspaces/new?include=project`)
  const changes = [
    ann.patch(`${workspaces(acme)}/old`, doc('workspaces', { description: 'x' })),
    ann.delete(`${workspaces(acme)}/old`),
    ann.post(`${workspaces(acme)}/old/actions/safe-delete`),
    ann.get(`${workspaces(acme)}/old/tag-bindings`),
  ]
  const below = (await Promise.all(changes)).map(({ status, headers }) => `${status} ${headers.location}`)
  const now = `307 ${app.url}/api/v2/organizations/acme/workspaces/new`
  expect(below).toEqual([now, now, `${now}/actions/safe-delete`, `${now}/tag-bindings`])
  const bob = await person(app, 'bob')
  mustBe(await bob.get(`${workspaces(acme)}/old`), 404)
  mustBe(await ann.post(workspaces(acme), doc('workspaces', { name: 'old' })), 201)
  mustBe(await ann.get(`${workspaces(acme)}/old`), 200)
  mustBe(await ann.delete(`${workspaces(acme)}/old`), 204)
  mustBe(await ann.delete(`${workspaces(acme)}/old`), 404)
  mustBe(await ann.get(`${workspaces(acme)}/new`), 200)
})

const freshAttributes = (name: string, now: string) => ({
  name,
  description: null,
  contact: null,
  environment: 'default',
  'execution-mode': 'remote',
  operations: true,
  'allow-destroy-plan': true,
  'assessments-enabled': false,
  'last-assessment-result-at': null,
  'auto-apply': false,
  'auto-apply-run-trigger': false,
  'auto-destroy-at': null,
  'auto-destroy-status': null,
  'auto-destroy-activity-duration': null,
  'inherits-project-auto-destroy': null,
  'file-triggers-enabled': true,
  'trigger-prefixes': [],
  'trigger-patterns': [],
  'global-remote-state': false,
  'project-remote-state': false,
  'queue-all-runs': false,
  'speculative-enabled': true,
  'structured-run-output-enabled': true,
  'tool-version': '1.12.6',
  'terraform-version': '1.12.6',
  'tool-name': 'opentofu',
  'resolved-tool-version': '1.12.6',
  'working-directory': null,
  source: 'tfe-api',
  'source-name': null,
  'source-url': null,
  locked: false,
  'locked-reason': '',
  'locked-at': null,
  'lock-expires-at': null,
  'created-at': now,
  'updated-at': now,
  'latest-change-at': now,
  'oauth-client-name': null,
  'vcs-repo': null,
  'vcs-repo-identifier': null,
  'tag-names': [],
  'resource-count': 0,
  'apply-duration-average': null,
  'plan-duration-average': null,
  'policy-check-failures': null,
  'run-failures': null,
  'workspace-kpis-runs-count': null,
  'workspace-kpis-run-count': null,
  actions: { 'is-destroyable': true },
  'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
})

const freshRelationships = (id: string, organizationName: string, projectId: string) => {
  const none = { data: null }
  const self = `/api/v2/workspaces/${id}`
  return {
    organization: {
      data: { type: 'organizations', id: organizationName },
      links: { related: `/api/v2/organizations/${organizationName}` },
    },
    project: { data: { type: 'projects', id: projectId }, links: { related: `/api/v2/projects/${projectId}` } },
    'agent-pool': none,
    'current-configuration-version': none,
    'current-run': none,
    'latest-run': none,
    'current-state-version': none,
    'current-assessment-result': none,
    'data-retention-policy': none,
    readme: none,
    'ssh-key': none,
    'locked-by': none,
    outputs: { data: [] },
    vars: { data: [] },
    'remote-state-consumers': { links: { related: `${self}/relationships/remote-state-consumers` } },
    'tag-bindings': { links: { related: `${self}/tag-bindings` } },
    'effective-tag-bindings': { links: { related: `${self}/effective-tag-bindings` } },
  }
}
