import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../test/support/many-workspaces.ts'
import { doc, mustBe, organization, person, pointers, team } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import {
  connectionCalls,
  connectionDocument,
  connectionTokenOf,
  providerToken,
} from '../../../../test/support/vcs-connections.ts'

type Change = { readonly attributes: { readonly action: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  const { clients, create, linked } = connectionCalls(ann, org)
  let count = 0

  test('oauth-clients: strangers get 404, members only read, teams with manage-vcs-settings write', async () => {
    const client = (await create()).body.data
    const at = `/api/v2/oauth-clients/${client.id}`
    const token = `/api/v2/oauth-tokens/${connectionTokenOf(client)}`
    for (const address of [clients(), at, `${at}/oauth-tokens`, token])
      expect((await bob.get(address)).status).toBe(404)
    const members = await team(org, 'members')
    for (const address of [
      clients(),
      at,
      `${at}/oauth-tokens`,
      token,
      `/api/v2/organizations/${org.name}/oauth-tokens`,
    ])
      mustBe(await members.get(address), 200)
    expect([
      (await members.post(clients(), connectionDocument())).status,
      (await members.patch(at, doc('oauth-clients', { name: 'x' }))).status,
      (await members.patch(token, doc('oauth-tokens', { 'ssh-key': 'x' }))).status,
      (await members.delete(token)).status,
      (await members.delete(at)).status,
    ]).toEqual([404, 404, 404, 404, 404])
    const managers = await team(org, 'managers', { 'organization-access': { 'manage-vcs-settings': true } })
    mustBe(await managers.patch(at, doc('oauth-clients', { name: 'theirs' })), 200)
    mustBe(await managers.delete(at), 204)
  })

  test('oauth-clients: no answer contains the token; it is stored encrypted and replaced in place', async () => {
    const made = await create()
    const client = made.body.data
    expect(client).toMatchObject({
      type: 'oauth-clients',
      attributes: {
        name: 'our forge',
        'service-provider': 'github',
        'service-provider-display-name': 'GitHub',
        'organization-scoped': true,
      },
      relationships: { 'oauth-tokens': { data: [{ type: 'oauth-tokens' }] } },
    })
    const at = `/api/v2/oauth-clients/${client.id}`
    const stored = async () => {
      const query = app.deps.db.selectFrom('oauth_tokens').selectAll().where('id', '=', connectionTokenOf(client))
      const { token, id } = await query.executeTakeFirstOrThrow()
      expect(Buffer.from(token ?? []).includes(providerToken)).toBe(false)
      return app.deps.keyring.openText(token ?? new Uint8Array(), { table: 'oauth_tokens', column: 'token', row: id })
    }
    expect(await stored()).toBe(providerToken)
    const replaced = mustBe(
      await ann.patch(at, doc('oauth-clients', { 'oauth-token-string': `${providerToken}-2` })),
      200,
    )
    expect(await stored()).toBe(`${providerToken}-2`)
    expect(connectionTokenOf(replaced.body.data)).toBe(connectionTokenOf(client))
    const changes = await ann.get(`/api/v2/organizations/${org.name}/changes`)
    const seen = [made, replaced, changes, await ann.get(clients()), await ann.get(`${at}/oauth-tokens`)]
    for (const answer of seen) expect(answer.text).not.toContain(providerToken)
  })

  const keyPair = {
    'service-provider': 'bitbucket_data_center',
    'oauth-token-string': '',
    key: 'consumer',
    secret: '-----BEGIN RSA PRIVATE KEY-----\nprivate\n-----END RSA PRIVATE KEY-----\n',
    'rsa-public-key': '-----BEGIN PUBLIC KEY-----\nVGm9w0J8\n-----END PUBLIC KEY-----\n',
  }

  test('oauth-clients: providers of signed requests take a key pair in place of the token; the secret stays hidden', async () => {
    const made = await create(keyPair)
    const client = made.body.data
    const { key, 'rsa-public-key': rsaPublicKey } = keyPair
    expect(client).toMatchObject({
      attributes: { key, 'rsa-public-key': rsaPublicKey, secret: null },
      relationships: { 'oauth-tokens': { data: [] } },
    })
    const at = `/api/v2/oauth-clients/${client.id}`
    const stored = async () => {
      const query = app.deps.db.selectFrom('oauth_clients').select(['id', 'secret']).where('id', '=', client.id)
      const { secret, id } = await query.executeTakeFirstOrThrow()
      return secret && app.deps.keyring.openText(secret, { table: 'oauth_clients', column: 'secret', row: id })
    }
    expect(await stored()).toBe(keyPair.secret)
    const moved = { 'api-url': 'https://elsewhere.example.com' }
    const refused = mustBe(await ann.patch(at, doc('oauth-clients', moved)), 422)
    expect(pointers(refused)).toEqual(['/data/attributes/secret'])
    const changed = mustBe(await ann.patch(at, doc('oauth-clients', { ...moved, key: 'other', secret: 'new' })), 200)
    expect(changed.body.data.attributes).toMatchObject({ ...moved, key: 'other', 'rsa-public-key': rsaPublicKey })
    expect(await stored()).toBe('new')
    for (const name of ['key', 'rsa-public-key']) {
      const blank = mustBe(await ann.patch(at, doc('oauth-clients', { [name]: '' })), 422)
      expect(pointers(blank)).toEqual([`/data/attributes/${name}`])
    }
    mustBe(await ann.patch(at, doc('oauth-clients', { secret: null })), 200)
    expect(await stored()).toBeNull()
    const changes = await ann.get(`/api/v2/organizations/${org.name}/changes?filter[subject][id]=${client.id}`)
    expect(changes.body.data.map((each: Change) => each.attributes.action)).toContain('replace-secret')
    for (const answer of [made, changed, changes, await ann.get(at), await ann.get(clients())])
      expect(answer.text).not.toContain('PRIVATE KEY')
  })

  test.each([
    ['no token where one is needed', { 'oauth-token-string': '' }, ['oauth-token-string']],
    ['a key pair where a token is needed', { ...keyPair, 'service-provider': 'github' }, ['oauth-token-string']],
    [
      'nothing at all',
      { ...keyPair, key: '', secret: null, 'rsa-public-key': '' },
      ['key', 'rsa-public-key', 'secret'],
    ],
    ['half a key pair', { ...keyPair, secret: '' }, ['secret']],
    ['a public key that is none', { ...keyPair, 'rsa-public-key': 'AAAA' }, ['rsa-public-key']],
  ])('oauth-clients: a new one with %s is 422', async (_name, attributes, names) => {
    const answer = mustBe(await ann.post(clients(), connectionDocument(attributes)), 422)
    expect(pointers(answer)).toEqual(names.map((name) => `/data/attributes/${name}`))
  })

  test('oauth-clients: can be read, listed with their tokens and renamed', async () => {
    const client = (await create({ name: '' })).body.data
    expect(client.attributes.name).toBe(null)
    const at = `/api/v2/oauth-clients/${client.id}`
    const shown = (await ann.get(`${at}?include=oauth_tokens`)).body
    expect([shown.data, shown.included[0].id]).toEqual([client, connectionTokenOf(client)])
    expect(mustBe(await ann.get(at), 200).body.included).toBeUndefined()
    const listed = mustBe(await ann.get(clients()), 200).body
    expect(listed.data).toContainEqual(client)
    expect(listed.included).toBeUndefined()
    expect((await ann.get(`${clients()}?include=oauth_tokens`)).body.included).toContainEqual(shown.included[0])
    const tokens = (await ann.get(`/api/v2/organizations/${org.name}/oauth-tokens`)).body.data
    expect(tokens).toContainEqual(shown.included[0])
    expect((await ann.get(`${at}/oauth-tokens`)).body.data).toEqual(shown.included)
    const renamed = mustBe(await ann.patch(at, doc('oauth-clients', { name: 'renamed' })), 200).body.data
    expect(renamed).toEqual({ ...client, attributes: { ...client.attributes, name: 'renamed' } })
    const other = (await create({ name: 'other' })).body.data
    mustBe(await ann.patch(`/api/v2/oauth-clients/${other.id}`, doc('oauth-clients', { name: '' })), 200)
    expect((await ann.get(`/api/v2/oauth-clients/${other.id}`)).body.data.attributes.name).toBe(null)
    expect((await ann.get(at)).body.data).toEqual(renamed)
    mustBe(await ann.patch(at, { data: { type: 'oauth-clients', id: other.id, attributes: {} } }), 409)
  })

  test('oauth-clients: another http-url or api-url without the token is 422 and changes nothing', async () => {
    const client = (await create()).body.data
    const at = `/api/v2/oauth-clients/${client.id}`
    for (const change of [
      { 'http-url': 'https://elsewhere.example.com' },
      { 'api-url': 'https://elsewhere.example.com/api' },
      { 'api-url': 'http://git.example.com/api', name: 'moved' },
      { 'api-url': 'https://git.example.com/other' },
    ]) {
      const answer = mustBe(await ann.patch(at, doc('oauth-clients', change)), 422)
      expect(pointers(answer)).toEqual(['/data/attributes/oauth-token-string'])
      expect(answer.body.errors[0].detail).toContain('must be sent again')
    }
    for (const url of ['nonsense', 'https://me:pw@git.example.com', 'https://git.example.com?token=x']) {
      const answer = await ann.patch(at, doc('oauth-clients', { 'api-url': url, 'oauth-token-string': 'x' }))
      expect(pointers(mustBe(answer, 422))).toEqual(['/data/attributes/api-url'])
    }
    expect((await ann.get(at)).body.data).toEqual(client)
    const same = { 'http-url': 'https://git.example.com/', 'api-url': 'HTTPS://git.example.com:443/api', name: 'same' }
    expect(mustBe(await ann.patch(at, doc('oauth-clients', same)), 200).body.data.attributes).toMatchObject(same)
  })

  test('oauth-clients: with the token they move to another address, and lose the SSH key of the token', async () => {
    const client = (await create()).body.data
    const at = `/api/v2/oauth-clients/${client.id}`
    const token = `/api/v2/oauth-tokens/${connectionTokenOf(client)}`
    const workspace = await linked(connectionTokenOf(client))
    const key = '-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----\n'
    mustBe(await ann.patch(token, doc('oauth-tokens', { 'ssh-key': key })), 200)
    const replaced = doc('oauth-clients', { 'oauth-token-string': 'again', 'http-url': 'https://git.example.com' })
    mustBe(await ann.patch(at, replaced), 200)
    expect((await ann.get(token)).body.data.attributes['has-ssh-key']).toBe(true)
    const urls = { 'http-url': 'https://elsewhere.example.com', 'api-url': 'https://elsewhere.example.com/api' }
    const moved = doc('oauth-clients', { ...urls, 'oauth-token-string': `${providerToken}-3` })
    expect(mustBe(await ann.patch(at, moved), 200).body.data.attributes).toMatchObject(urls)
    expect((await ann.get(at)).body.data.attributes).toMatchObject(urls)
    expect((await ann.get(token)).body.data.attributes['has-ssh-key']).toBe(false)
    const keys = app.deps.db.selectFrom('oauth_ssh_keys').selectAll()
    expect(await keys.where('oauth_token_id', '=', connectionTokenOf(client)).execute()).toEqual([])
    const repo = (await ann.get(`/api/v2/workspaces/${workspace.id}`)).body.data.attributes['vcs-repo']
    expect(repo['repository-http-url']).toBe('https://elsewhere.example.com/acme/network')
    const actions = async (id: string) => {
      const about = `/api/v2/organizations/${org.name}/changes?filter[subject][id]=${id}`
      return mustBe(await ann.get(about), 200).body.data.map((each: Change) => each.attributes.action)
    }
    expect(await actions(connectionTokenOf(client))).toEqual(['remove-ssh-key', 'replace', 'replace', 'set-ssh-key'])
    expect(await actions(client.id)).toEqual(['update', 'create'])
    mustBe(await ann.delete(token), 204)
    mustBe(await ann.patch(at, doc('oauth-clients', { 'api-url': 'https://third.example.com' })), 200)
  })

  test('oauth-clients: a 422 points to every fault', async () => {
    const answer = await ann.post(clients(), doc('oauth-clients', { 'organization-scoped': false }))
    expect([answer.status, pointers(answer)]).toEqual([
      422,
      ['api-url', 'http-url', 'oauth-token-string', 'organization-scoped', 'service-provider'].map(
        (name) => `/data/attributes/${name}`,
      ),
    ])
    const wrong = await ann.post(
      clients(),
      connectionDocument({
        'http-url': 'ftp://x',
        'api-url': 'https://me:pw@git.example.com',
        'service-provider': 'cvs',
      }),
    )
    expect([wrong.status, pointers(wrong)]).toEqual([
      422,
      ['/data/attributes/api-url', '/data/attributes/http-url', '/data/attributes/service-provider'],
    ])
    for (const url of ['nonsense', 'shttp://x', 'https://me@git.example.com', 'https://:pw@git.example.com'])
      expect(pointers(mustBe(await ann.post(clients(), connectionDocument({ 'http-url': url })), 422))).toEqual([
        '/data/attributes/http-url',
      ])
    const blank = await ann.post(clients(), connectionDocument({ 'oauth-token-string': ' ', name: 'x'.repeat(256) }))
    expect([blank.status, pointers(blank)]).toEqual([
      422,
      ['/data/attributes/name', '/data/attributes/oauth-token-string'],
    ])
  })

  test('oauth-clients: an agent pool and projects are refused, also known ones; none of them is accepted', async () => {
    const pools = `/api/v2/organizations/${org.name}/agent-pools`
    const pool = mustBe(await ann.post(pools, doc('agent-pools', { name: 'vcs' })), 201).body.data.id
    const project = mustBe(await ann.get(`/api/v2/organizations/${org.name}`), 200).body.data.relationships[
      'default-project'
    ].data.id
    const at = `/api/v2/oauth-clients/${(await create()).body.data.id}`
    const inPool = (id: string) => ({ 'agent-pool': { data: { type: 'agent-pools', id } } })
    const inProject = (id: string) => ({ projects: { data: [{ type: 'projects', id }] } })
    for (const [relationships, pointer, detail] of [
      [inPool('! / nope'), 'agent-pool', 'the provided agent pool does not exist or you are not authorized to use it'],
      [inPool(pool), 'agent-pool', 'not supported'],
      [inProject('prj-1111111111111111'), 'projects', 'not supported'],
      [inProject(project), 'projects', 'not supported'],
    ] as const) {
      const answers = [
        await ann.post(clients(), connectionDocument({}, relationships)),
        await ann.patch(at, doc('oauth-clients', {}, relationships)),
      ]
      for (const answer of answers) {
        expect(pointers(mustBe(answer, 422))).toEqual([`/data/relationships/${pointer}`])
        expect(answer.body.errors[0].detail).toContain(detail)
      }
    }
    const none = { 'agent-pool': { data: null }, projects: { data: [] } }
    mustBe(await ann.post(clients(), connectionDocument({}, none)), 201)
    mustBe(await ann.patch(at, doc('oauth-clients', {}, none)), 200)
  })

  test('workspaces: vcs-repo takes only tokens of the same organization and is cleared with the client', async () => {
    const client = (await create()).body.data
    const workspace = await linked(connectionTokenOf(client))
    expect(workspace.attributes['vcs-repo']).toMatchObject({
      identifier: 'acme/network',
      'oauth-token-id': connectionTokenOf(client),
      'service-provider': 'github',
    })
    const other = await organization(bob, 'other')
    const foreign = await bob.post(
      `/api/v2/organizations/${other.name}/workspaces`,
      doc('workspaces', { name: 'x', 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': connectionTokenOf(client) } }),
    )
    expect([foreign.status, pointers(foreign)]).toEqual([422, ['/data/attributes/vcs-repo/identifier']])
    app.clock.advance('1s')
    mustBe(await ann.delete(`/api/v2/oauth-clients/${client.id}`), 204)
    const after = (await ann.get(`/api/v2/workspaces/${workspace.id}`)).body.data.attributes
    expect([after['vcs-repo'], after['vcs-repo-identifier'], after['oauth-client-name']]).toEqual([null, null, null])
    expect(Date.parse(after['updated-at'])).toBe(app.clock.now())
    expect((await ann.get(`/api/v2/oauth-tokens/${connectionTokenOf(client)}`)).status).toBe(404)
    const [change] = mustBe(await ann.get(`/api/v2/workspaces/${workspace.id}/changes`), 200).body.data
    expect(change.attributes).toMatchObject({
      before: { 'vcs-repo': { identifier: 'acme/network', 'oauth-token-id': connectionTokenOf(client) } },
      after: { 'vcs-repo': null },
    })
    const undone = await ann.post(`/api/v2/workspaces/${workspace.id}/changes/${change.id}/actions/undo`)
    expect([undone.status, pointers(undone)]).toEqual([422, ['/data/attributes/vcs-repo/identifier']])
  })

  test('workspaces: deleting an oauth client or token leaves workspaces of other clients unchanged', async () => {
    const [gone, kept] = [(await create()).body.data, (await create()).body.data]
    const unlinked = doc('workspaces', { name: `unlinked-${++count}` })
    const workspaces = [
      await linked(connectionTokenOf(kept)),
      mustBe(await ann.post(`/api/v2/organizations/${org.name}/workspaces`, unlinked), 201).body.data,
    ]
    const told = () =>
      Promise.all(
        workspaces.map(async ({ id }) => {
          const { attributes } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
          const history = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
          return [attributes['vcs-repo'], attributes['updated-at'], history.length]
        }),
      )
    const before = await told()
    app.clock.advance('1s')
    mustBe(await ann.delete(`/api/v2/oauth-clients/${gone.id}`), 204)
    expect(await told()).toEqual(before)
    const other = await linked(connectionTokenOf((await create()).body.data))
    mustBe(await ann.delete(`/api/v2/oauth-tokens/${other.attributes['vcs-repo']['oauth-token-id']}`), 204)
    expect(await told()).toEqual(before)
  })

  test('workspaces: however many are linked by a deleted oauth client, all are unlinked, and its last change names them', async () => {
    const client = (await create()).body.data
    const { id } = await linked(connectionTokenOf(client))
    await copyWorkspaces(app.deps.db, id, 100)
    mustBe(await ann.delete(`/api/v2/oauth-clients/${client.id}`), 204)
    const { db } = app.deps
    const token = connectionTokenOf(client)
    expect(await db.selectFrom('workspaces').select('id').where('vcs_oauth_token_id', '=', token).execute()).toEqual([])
    const { before } = await db
      .selectFrom('change_log')
      .select('before')
      .where('subject_id', '=', client.id)
      .where('action', '=', 'delete')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(before ?? '')['unlinked-workspaces']).toHaveLength(101)
  })

  test('workspaces: one linked while its oauth client or token is deleted keeps no vcs-repo', async () => {
    for (const kind of ['client', 'token', 'client', 'token']) {
      const client = (await create()).body.data
      const tokenId = connectionTokenOf(client)
      const repo = { 'vcs-repo': { identifier: 'acme/network', 'oauth-token-id': tokenId } }
      const plain = `/api/v2/organizations/${org.name}/workspaces`
      const { id } = mustBe(await ann.post(plain, doc('workspaces', { name: `racing-${++count}` })), 201).body.data
      const doomed = kind === 'client' ? `oauth-clients/${client.id}` : `oauth-tokens/${tokenId}`
      const [gone, changed, made] = await Promise.all([
        ann.delete(`/api/v2/${doomed}`),
        ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', repo)),
        ann.post(plain, doc('workspaces', { name: `made-${count}`, ...repo })),
      ])
      mustBe(gone, 204)
      for (const { status, body } of [changed, made]) {
        expect([200, 201, 422]).toContain(status)
        if (status === 422) continue
        const shown = (await ann.get(`/api/v2/workspaces/${body.data.id}`)).body.data
        expect(shown.attributes['vcs-repo']).toBe(null)
      }
    }
  })

  test('oauth-clients: changes concurrent with a delete are never logged after it', async () => {
    for (let round = 0; round < 10; round++) {
      const client = (await create()).body.data
      const at = `/api/v2/oauth-clients/${client.id}`
      const change = (attributes: object) => ann.patch(at, doc('oauth-clients', attributes))
      const changes = [{ name: 'late' }, { 'oauth-token-string': 'late' }, { name: 'later' }].map(change)
      const answers = await Promise.all([...changes, ann.delete(at)])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      for (const id of [client.id, connectionTokenOf(client)]) {
        const about = `/api/v2/organizations/${org.name}/changes?filter[subject][id]=${id}`
        const actions = mustBe(await ann.get(about), 200).body.data.map((each: Change) => each.attributes.action)
        expect(actions.slice(1)).not.toContain('delete')
      }
    }
  })
})
