import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  organization,
  organizationToken,
  type Person,
  person,
  pointers,
  team,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import { authenticateApiToken, issueToken, revokeToken } from './api-token-actions.ts'
import { listTeamIds } from './api-token-store.ts'

type Change = { readonly attributes: { readonly action: string; readonly before?: object; readonly after?: object } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const stranger = shared(() => person(app, 'stranger'))
  const acme = shared(() => organization(ann, 'acme'))

  beforeAll(async () => {
    await join(acme, bob)
  })

  const tokensOf = (who: Person) => `/api/v2/users/${who.id}/authentication-tokens`
  const wanted = (attributes: object = {}) => doc('authentication-tokens', attributes)

  test('user tokens: only the person and site administrators make, list and revoke them', async () => {
    const ops = await team(acme, 'u-ops')
    for (const other of [bob, stranger, ops, await organizationToken(acme)]) {
      mustBe(await other.get(tokensOf(ann)), 404)
      mustBe(await other.post(tokensOf(ann), wanted()), 404)
    }
    mustBe(await app.anonymous.post(tokensOf(ann), wanted()), 401)
    mustBe(await ann.get('/api/v2/users/user-nobody/authentication-tokens'), 404)
    const made = mustBe(await ann.post(tokensOf(ann), wanted({ description: 'laptop' })), 201).body.data
    expect(made).toMatchObject({
      type: 'authentication-tokens',
      attributes: { description: 'laptop', 'last-used-at': null },
      relationships: {
        'created-by': { data: { type: 'users', id: ann.id } },
        user: { data: { type: 'users', id: ann.id } },
      },
    })
    expect(made.attributes.token).toMatch(/^hfu\.[0-9A-Za-z]{32}$/)
    const path = `/api/v2/authentication-tokens/${made.id}`
    mustBe(await bob.get(path), 404)
    mustBe(await bob.delete(path), 404)
    expect(mustBe(await ann.get(path), 200).body.data.attributes.token).toBeNull()
    mustBe(await app.root.get(path), 200)
    const laptop = ann.as(made.attributes.token)
    mustBe(await laptop.get('/api/v2/account/details'), 200)
    mustBe(await laptop.delete(path), 204)
    mustBe(await laptop.get('/api/v2/account/details'), 401)
    mustBe(await ann.get(path), 404)
  })

  test('user tokens: the database row does not contain the token text', async () => {
    const made = mustBe(await ann.post(tokensOf(ann), wanted()), 201).body.data
    const row = await app.deps.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(made.attributes.token.slice(8))
  })

  test('last use: last-used-at is updated at most once a minute, and only for the token that was used', async () => {
    const made = mustBe(await ann.post(tokensOf(ann), wanted({ description: 'used' })), 201).body.data
    const used = async () =>
      mustBe(await ann.get(`/api/v2/authentication-tokens/${made.id}`), 200).body.data.attributes['last-used-at']
    const unused = mustBe(await ann.post(tokensOf(ann), wanted({ description: 'unused' })), 201).body.data
    const caller = ann.as(made.attributes.token)
    mustBe(await caller.get('/api/v2/account/details'), 200)
    const other = mustBe(await ann.get(`/api/v2/authentication-tokens/${unused.id}`), 200).body.data
    expect(other.attributes['last-used-at']).toBeNull()
    const first = await used()
    expect(first).toBe(new Date(app.clock.now()).toISOString())
    app.clock.advance('59s')
    mustBe(await caller.get('/api/v2/account/details'), 200)
    expect(await used()).toBe(first)
    app.clock.advance('2s')
    mustBe(await caller.get('/api/v2/account/details'), 200)
    expect(await used()).not.toBe(first)
  })

  test('expiry: expired-at must lie in the future (422), and the token is 401 from exactly that moment', async () => {
    for (const bad of ['2001-01-01T00:00:00Z', new Date(app.clock.now()).toISOString(), 'soon', 7]) {
      const refused = mustBe(await ann.post(tokensOf(ann), wanted({ 'expired-at': bad })), 422)
      expect(pointers(refused)).toEqual(['/data/attributes/expired-at'])
      expect(pointers(mustBe(await ann.post(tokensOf(ann), { 'expired-at': bad }), 422))).toEqual(['/expired-at'])
    }
    const end = new Date(app.clock.now() + 60_000).toISOString()
    const made = mustBe(await ann.post(tokensOf(ann), wanted({ 'expired-at': end })), 201).body.data
    expect(made.attributes['expired-at']).toBe(end)
    const caller = ann.as(made.attributes.token)
    app.clock.advance('59s')
    mustBe(await caller.get('/api/v2/account/details'), 200)
    app.clock.advance('1s')
    mustBe(await caller.get('/api/v2/account/details'), 401)
  })

  test.each([
    '',
    'Bearer ',
    'hfu.',
    `hfu.${'x'.repeat(32)}`,
    `hfu.${'x'.repeat(31)}é`,
    'nonsense',
    `hfu.${'x'.repeat(5000)}`,
  ])('an invalid bearer token is 401: %s', async (token) => {
    const headers = { authorization: `Bearer ${encodeURIComponent(token)}` }
    mustBe(await app.anonymous.get('/api/v2/account/details', { headers }), 401)
  })

  test('team token: owners and, where the team allows it, members create it; a new one replaces the old', async () => {
    const ops = await team(acme, 'ops', { 'allow-member-token-management': false, visibility: 'organization' })
    const path = `/api/v2/teams/${ops.id}/authentication-token`
    mustBe(await bob.get(path), 404)
    mustBe(await bob.post(path), 404)
    mustBe(await stranger.post(path), 404)
    mustBe(await ops.post(path), 404)
    mustBe(await ann.post(`/api/v2/teams/${ops.id}/relationships/users`, { data: [{ type: 'users', id: 'bob' }] }), 204)
    mustBe(await bob.post(path), 404)
    mustBe(await ann.patch(`/api/v2/teams/${ops.id}`, doc('teams', { 'allow-member-token-management': true })), 200)
    const next = mustBe(await bob.post(path, wanted()), 201).body.data
    expect(next.attributes.token).toMatch(/^hft\./)
    mustBe(await ops.get('/api/v2/account/details'), 401)
    const caller = ann.as(next.attributes.token)
    const account = mustBe(await caller.get('/api/v2/account/details'), 200).body.data
    expect(account).toMatchObject({
      attributes: { 'is-service-account': true },
      relationships: { 'authenticated-resource': { data: { type: 'teams', id: ops.id } } },
    })
    mustBe(await ann.delete(path), 204)
    mustBe(await caller.get('/api/v2/account/details'), 401)
    mustBe(await ann.get(path), 404)
    mustBe(await ann.delete(path), 404)
  })

  test('team token: creating one for a team with more access than the caller has is 403', async () => {
    const managing = { 'manage-teams': true }
    const managers = await team(acme, 'team-managers', { 'organization-access': managing })
    const strong = await team(acme, 'strong', { 'organization-access': { 'manage-workspaces': true } })
    const equal = await team(acme, 'equal', { 'organization-access': managing })
    for (const address of ['authentication-token', 'authentication-tokens']) {
      mustBe(await managers.post(`/api/v2/teams/${strong.id}/${address}`, wanted({ description: 'up' })), 403)
      mustBe(await managers.post(`/api/v2/teams/${equal.id}/${address}`, wanted({ description: 'same' })), 201)
    }
    const token = await organizationToken(acme)
    mustBe(await token.post(`/api/v2/teams/${strong.id}/authentication-token`), 201)
    mustBe(await managers.delete(`/api/v2/teams/${strong.id}/authentication-token`), 204)
  })

  test('team token: it can be created with an empty body and with the body `null`', async () => {
    const porters = await team(acme, 'porters')
    const headers = { 'content-type': 'application/vnd.api+json' }
    for (const raw of ['', 'null']) {
      const path = `/api/v2/teams/${porters.id}/authentication-token`
      mustBe(await ann.send('POST', path, undefined, { headers, raw }), 201)
    }
  })

  test('team token: of eight created concurrently only one still works', async () => {
    const crowd = await team(acme, 'crowd')
    const path = `/api/v2/teams/${crowd.id}/authentication-token`
    const made = await Promise.all(Array.from({ length: 8 }, () => ann.post(path)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    const tokens: string[] = made.map(({ body }) => body.data.attributes.token)
    const asked = await Promise.all(tokens.map((token) => ann.as(token).get('/api/v2/account/details')))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  })

  test('team tokens: a team has several with unique descriptions, also under concurrent creation (422)', async () => {
    const crew = await team(acme, 'crew')
    const path = `/api/v2/teams/${crew.id}/authentication-tokens`
    mustBe(await stranger.post(path, wanted({ description: 'a' })), 404)
    const answers = await Promise.all([1, 2].map(() => ann.post(path, wanted({ description: 'a' }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attributes',
        detail: 'Validation failed: Description has already been taken',
        code: 'token.description-taken',
        source: { pointer: '/data/attributes/description' },
      },
    ])
    mustBe(await ann.post(path, wanted({ description: 'b' })), 201)
    expect(mustBe(await ann.get(path), 200).body.data).toHaveLength(3)
    const all = mustBe(await ann.get('/api/v2/organizations/acme/team-tokens?page[size]=1'), 200).body
    expect(all.meta.pagination['total-count']).toBeGreaterThanOrEqual(3)
    mustBe(await stranger.get('/api/v2/organizations/acme/team-tokens'), 404)
    mustBe(await crew.get('/api/v2/organizations/acme'), 200)
  })

  test('organization token: only owners create it; a new one replaces the old; revoked, it is 401', async () => {
    const path = '/api/v2/organizations/acme/authentication-token'
    for (const other of [bob, stranger, await team(acme, 'no-owners')]) mustBe(await other.post(path), 404)
    const first = await organizationToken(acme)
    mustBe(await first.get(path), 404)
    mustBe(await first.get('/api/v2/organizations/acme'), 200)
    const second = await organizationToken(acme)
    mustBe(await first.get('/api/v2/organizations/acme'), 401)
    expect(mustBe(await ann.get(path), 200).body.data.attributes.token).toBeNull()
    expect(mustBe(await second.get('/api/v2/account/details'), 200).body.data.relationships).toMatchObject({
      'authenticated-resource': { data: { type: 'organizations', id: 'acme' } },
    })
    mustBe(await ann.delete(path), 204)
    mustBe(await second.get('/api/v2/organizations/acme'), 401)
  })

  test('organization token: the audit-trails token is separate, authenticates nothing, is revoked alone', async () => {
    const audited = await organization(ann, 'audited')
    await join(audited, bob)
    const path = '/api/v2/organizations/audited/authentication-token'
    const beside = `${path}?token=audit-trails`
    const token = await organizationToken(audited)
    const { id } = mustBe(await ann.get(`${path}?token=`), 200).body.data
    mustBe(await ann.get(beside), 404)
    mustBe(await bob.post(beside), 404)
    const first = mustBe(await ann.post(beside), 201).body.data
    const second = mustBe(await ann.post(beside), 201).body.data
    for (const { attributes } of [first, second]) {
      mustBe(await ann.as(attributes.token).get('/api/v2/account/details'), 401)
    }
    mustBe(await ann.get(`/api/v2/authentication-tokens/${first.id}`), 404)
    expect(mustBe(await ann.get(beside), 200).body.data).toMatchObject({ id: second.id, attributes: { token: null } })
    expect(mustBe(await ann.get(path), 200).body.data.id).toBe(id)
    mustBe(await ann.delete(beside), 204)
    mustBe(await ann.delete(beside), 404)
    mustBe(await token.get('/api/v2/organizations/audited'), 200)
    expect(mustBe(await ann.get(path), 200).body.data.id).toBe(id)
  })

  test('organization token: an unknown kind in ?token= is 404 and leaves the real token as it is', async () => {
    const path = '/api/v2/organizations/acme/authentication-token'
    const token = await organizationToken(acme)
    for (const verb of ['GET', 'POST', 'DELETE']) mustBe(await ann.send(verb, `${path}?token=nonsense`), 404)
    mustBe(await token.get('/api/v2/organizations/acme'), 200)
  })

  test('single tokens: the change log shows that a new one ended the one before, and whose each was', async () => {
    const crew = await team(acme, 'replaced')
    const ofOrganization = '/api/v2/organizations/acme/authentication-token'
    for (const [path, owner] of [
      [`/api/v2/teams/${crew.id}/authentication-token`, { kind: 'team', id: crew.id }],
      [ofOrganization, { kind: 'organization', id: acme.id }],
      [`${ofOrganization}?token=audit-trails`, { kind: 'organization', id: acme.id, purpose: 'audit-trails' }],
    ] as const) {
      const first = mustBe(await ann.post(path), 201).body.data.id
      const second = mustBe(await ann.post(path), 201).body.data.id
      const { kind, id, ...purpose } = { ...owner }
      const about = async (subject: string) =>
        mustBe(await ann.get(`/api/v2/organizations/acme/changes?filter[subject][id]=${subject}`), 200).body.data.map(
          ({ attributes }: Change) => [attributes.action, attributes.before ?? attributes.after],
        )
      const token = expect.objectContaining({ owner: { kind, id }, ...purpose })
      expect(await about(first)).toEqual([
        ['delete', token],
        ['create', token],
      ])
      expect(await about(second)).toEqual([['create', token]])
    }
  })

  test('revoking: of concurrent DELETEs one is 204, the others 404, and the change log has one entry', async () => {
    const crew = await team(acme, 'revoked-at-once')
    const ofTeam = `/api/v2/teams/${crew.id}/authentication-token`
    await organizationToken(acme)
    const { id } = mustBe(await ann.post(tokensOf(ann), wanted({ description: 'at once' })), 201).body.data
    const ofOrganization = '/api/v2/organizations/acme/authentication-token'
    const single = mustBe(await ann.get(ofTeam), 200).body.data.id
    for (const path of [ofTeam, ofOrganization, `/api/v2/authentication-tokens/${id}`]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ann.delete(path)))
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    }
    const about = `/api/v2/organizations/acme/changes?filter[subject][id]=${single}`
    expect(mustBe(await ann.get(about), 200).body.data.map((change: Change) => change.attributes.action)).toEqual([
      'delete',
      'create',
    ])
  })

  test('revoking: a token first used while it is being revoked is refused afterwards', async () => {
    const owner = { kind: 'user', id: ann.id } as const
    const spec = { owner, organizationId: '', single: false, description: 'met', expiresAt: null }
    for (let round = 0; round < 60; round++) {
      const { token, text } = await issueToken(app.deps, serverAuthor, spec)
      const uses = Array.from({ length: 6 }, async (_, place) => {
        for (let ticks = 0; ticks < place; ticks++) await new Promise(setImmediate)
        return authenticateApiToken(app.deps, text.reveal())
      })
      await revokeToken(app.deps, serverAuthor, token, '')
      await Promise.all(uses)
      expect(await authenticateApiToken(app.deps, text.reveal())).toBeUndefined()
    }
  })

  test('expiry: expired-at defaults to two years after creation; null means the token never expires', async () => {
    const made = async (attributes: object) =>
      mustBe(await ann.post(tokensOf(ann), wanted(attributes)), 201).body.data.attributes
    const standard = await made({})
    const end = new Date(standard['created-at'])
    end.setUTCFullYear(end.getUTCFullYear() + 2)
    expect(standard['expired-at']).toBe(end.toISOString())
    expect((await made({ 'expired-at': null }))['expired-at']).toBeNull()
  })

  test('limits: owners set how long new tokens last; everybody in the organization sees it', async () => {
    const [carl, dora] = [await person(app, 'carl'), await person(app, 'dora')]
    const strict = await organization(carl, 'strict')
    await join(strict, dora)
    const at = '/api/v2/organizations/strict/token-ttl-policies'
    const limits = (entries: object[]) => doc('organization-token-ttl-policies', { 'token-ttl-policies': entries })
    const [day, twoYears] = [86_400_000, 2 * 365 * 86_400_000]
    const body = limits([
      { 'token-type': 'team', 'max-ttl-ms': day },
      { 'token-type': 'user', 'max-ttl-ms': 2 * day },
    ])
    mustBe(await stranger.get(at), 404)
    mustBe(await dora.patch(at, body), 404)
    const shown = (answer: Parameters<typeof mustBe>[0]) =>
      mustBe(answer, 200).body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
        attributes['token-type'],
        attributes['max-ttl-ms'],
      ])
    const after = [
      ['organization', twoYears],
      ['team', day],
      ['user', 2 * day],
      ['audit_trails', twoYears],
    ]
    expect(shown(await dora.get(at))).toEqual(after.map(([kind]) => [kind, twoYears]))
    expect(shown(await carl.patch(at, body))).toEqual(after)
    expect(shown(await dora.get(at))).toEqual(after)
    for (const wrong of [
      [{ 'token-type': 'cat', 'max-ttl-ms': day }],
      [{ 'token-type': 'user', 'max-ttl-ms': 1 }],
      [{}],
    ])
      mustBe(await carl.patch(at, limits(wrong)), 422)
    const [told] = mustBe(await carl.get('/api/v2/organizations/strict/changes'), 200).body.data as Change[]
    expect(told?.attributes).toMatchObject({ before: { 'team-token-ttl': twoYears }, after: { 'team-token-ttl': day } })
  })

  test('limits: with max-ttl-enabled no new token lasts longer; without, none is limited', async () => {
    const [eve, finn] = [await person(app, 'eve'), await person(app, 'finn')]
    const strict = await organization(eve, 'stricter')
    await join(strict, finn)
    const ops = await team(strict, 'ops')
    const day = 86_400_000
    const kinds = ['organization', 'team', 'user', 'audit_trails']
    const entries = kinds.map((kind, index) => ({ 'token-type': kind, 'max-ttl-ms': (index + 1) * day }))
    const policies = doc('organization-token-ttl-policies', { 'token-ttl-policies': entries })
    mustBe(await eve.patch('/api/v2/organizations/stricter/token-ttl-policies', policies), 200)
    const places: readonly (readonly [string, number])[] = [
      ['/api/v2/organizations/stricter/authentication-token', 1],
      [`/api/v2/teams/${ops.id}/authentication-token`, 2],
      [`/api/v2/teams/${ops.id}/authentication-tokens`, 2],
      [`/api/v2/users/${finn.id}/authentication-tokens`, 3],
      ['/api/v2/organizations/stricter/authentication-token?token=audit-trails', 4],
    ]
    const inDays = (days: number) => new Date(app.clock.now() + days * day).toISOString()
    const ask = (place: string, attributes: object) =>
      (place.includes('/users/') ? finn : eve).post(place, wanted({ description: `${Math.random()}`, ...attributes }))
    for (const [place] of places) mustBe(await ask(place, { 'expired-at': inDays(9) }), 201)
    mustBe(await eve.patch('/api/v2/organizations/stricter', doc('organizations', { 'max-ttl-enabled': true })), 200)
    for (const [place, days] of places) {
      for (const end of [inDays(days + 0.01), null]) {
        const refused = mustBe(await ask(place, { 'expired-at': end }), 422)
        expect(pointers(refused), place).toEqual(['/data/attributes/expired-at'])
        expect(refused.body.errors[0].detail).toContain(`at most ${days} days from now`)
      }
      mustBe(await ask(place, { 'expired-at': inDays(days) }), 201)
      const made = mustBe(await ask(place, {}), 201).body.data
      expect(made.attributes['expired-at'], place).toBe(inDays(days))
    }
    const pool = doc('agent-pools', { name: 'p' })
    const { id } = mustBe(await eve.post('/api/v2/organizations/stricter/agent-pools', pool), 201).body.data
    mustBe(await eve.post(`/api/v2/agent-pools/${id}/authentication-tokens`, wanted({ description: 'x' })), 201)
    mustBe(await stranger.post(tokensOf(stranger), wanted({ 'expired-at': null })), 201)
  })

  test('team-tokens of an organization: q searches team names; sort by team-name or expired-at, else 400', async () => {
    const org = await organization(ann, 'acme-orders')
    const [first, second] = [await team(org, 'alpha'), await team(org, 'beta')]
    const ends = ['2035-01-02T00:00:00.000Z', '2035-01-01T00:00:00.000Z']
    const ids: string[] = []
    for (const [index, each] of [first, second].entries()) {
      const attributes = { description: '', 'expired-at': ends[index] }
      const path = `/api/v2/teams/${each.id}/authentication-tokens`
      const { data } = mustBe(await ann.post(path, wanted(attributes)), 201).body
      expect(data.attributes.description).toBe('')
      ids.push(data.id)
    }
    const listed = async (query: string): Promise<string[]> =>
      mustBe(await ann.get(`/api/v2/organizations/${org.name}/team-tokens?${query}`), 200)
        .body.data.map((each: { id: string }) => each.id)
        .filter((id: string) => ids.includes(id))
    expect(await listed('q=ALPH')).toEqual([ids[0]])
    expect(await listed('sort=team-name')).toEqual(ids)
    expect(await listed('sort=expired-at')).toEqual([ids[1], ids[0]])
    expect(await listed('sort=-expired-at')).toEqual(ids)
    mustBe(await ann.get(`/api/v2/organizations/${org.name}/team-tokens?sort=colour`), 400)
  })

  test('team-tokens of an organization: teams without a token are not even looked at', async () => {
    const org = await organization(ann, 'acme-crowd')
    const one = await team(org, 'with-token')
    mustBe(await ann.post(`/api/v2/organizations/${org.name}/teams`, doc('teams', { name: 'without' })), 201)
    expect(await listTeamIds(app.deps.db, org.id)).toEqual([one.id])
  })
})
