import { expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  type Organization,
  organization,
  organizationToken,
  person,
  pointers,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))

  test('account: the root token acts as the administrator, whose e-mail address has a domain with a dot', async () => {
    const { data } = mustBe(await app.root.get('/api/v2/account/details'), 200).body
    expect(data.attributes).toMatchObject({ username: 'admin', 'is-admin': true, 'is-service-account': false })
    expect(data.attributes.permissions['can-change-username']).toBe(false)
    // Client libraries refuse answers with an address whose domain has no dot.
    expect(data.attributes.email).toMatch(/^\w+@(\w+\.)+\w+$/)
  })

  test('pictures: avatar-url is an inline SVG data URL for users and service accounts', async () => {
    const org = await organization(ann, 'pictured')
    const shown = async (client: Client) =>
      mustBe(await client.get('/api/v2/account/details'), 200).body.data.attributes['avatar-url'] as string
    for (const picture of [await shown(ann), await shown(await team(org, 'painters')), await shown(app.root)]) {
      expect(picture).toMatch(/^data:image\/svg\+xml;base64,[\w+/]+=*$/)
      const svg = Buffer.from(picture.split(',')[1] ?? '', 'base64').toString()
      expect(svg).toMatch(/>A<\/text><\/svg>$/)
    }
    expect(await shown(bob)).not.toBe(await shown(ann))
  })

  test('account: username and e-mail change; a 422 points to both; is-admin cannot be set', async () => {
    const bad = mustBe(await ann.patch('/api/v2/account/update', doc('users', { username: 'a b', email: 'x' })), 422)
    expect(pointers(bad)).toEqual(['/data/attributes/email', '/data/attributes/username'])
    const taken = mustBe(
      await ann.patch('/api/v2/account/update', doc('users', { username: 'BOB', email: 'bob@example.com' })),
      422,
    )
    expect(pointers(taken)).toEqual(['/data/attributes/email', '/data/attributes/username'])
    mustBe(await ann.patch('/api/v2/account/update', doc('users', { 'is-admin': true, siteAdmin: true })), 200)
    const { data } = mustBe(await ann.patch('/api/v2/account/update', doc('users', { username: 'anne' })), 200).body
    expect(data.attributes).toMatchObject({ username: 'anne', email: 'ann@example.com', 'is-admin': false })
    expect(mustBe(await ann.get('/api/v2/account/details'), 200).body.data.attributes.username).toBe('anne')
    mustBe(await ann.patch('/api/v2/account/update', doc('users', { username: 'ann' })), 200)
  })

  test('account: an e-mail address with an open invitation in an organization of the user is taken (422)', async () => {
    const cleo = await person(app, 'cleo')
    const studio = await organization(cleo, 'studio')
    const members = `/api/v2/organizations/${studio.name}/organization-memberships`
    mustBe(await cleo.post(members, doc('organization-memberships', { email: 'Waiting@example.com' })), 201)
    const change = doc('users', { email: 'waiting@example.com' })
    expect(pointers(mustBe(await cleo.patch('/api/v2/account/update', change), 422))).toEqual([
      '/data/attributes/email',
    ])
    mustBe(await bob.patch('/api/v2/account/update', change), 200)
    mustBe(await bob.patch('/api/v2/account/update', doc('users', { email: bob.email })), 200)
  })

  test('account: the administrator cannot be renamed, demoted or deleted (422)', async () => {
    const renamed = mustBe(await app.root.patch('/api/v2/account/update', doc('users', { username: 'root' })), 422)
    expect(pointers(renamed)).toEqual(['/data/attributes/username'])
    const { id } = mustBe(await app.root.get('/api/v2/account/details'), 200).body.data
    mustBe(await app.root.patch(`/api/v2/admin/users/${id}`, doc('users', { 'is-admin': false })), 422)
    mustBe(await app.root.delete(`/api/v2/admin/users/${id}`), 422)
  })

  test('password: needs the current one; one that is too short or not confirmed is 422', async () => {
    const cora = await person(app, 'cora', 'long enough')
    const set = (attributes: object) => cora.patch('/api/v2/account/password', doc('users', attributes))
    const short = { password: 'short', 'current-password': 'long enough' }
    expect(pointers(mustBe(await set(short), 422))).toEqual(['/data/attributes/password'])
    expect(pointers(mustBe(await set({ password: 'long enough', password_confirmation: 'other' }), 422))).toEqual([
      '/data/attributes/password_confirmation',
    ])
    expect(pointers(mustBe(await set({ password: 'another one' }), 422))).toEqual(['/data/attributes/current-password'])
    mustBe(await set({ password: 'another one', 'current-password': 'wrong' }), 422)
    mustBe(await set({ password: 'another one', 'current-password': 'long enough' }), 200)
  })

  test('password: after five wrong current passwords the next attempt is 429', async () => {
    const dave = await person(app, 'dave', 'long enough')
    const set = (current: string, password = 'another one') =>
      dave.patch('/api/v2/account/password', doc('users', { password, 'current-password': current }))
    for (let guess = 1; guess <= 5; guess++) mustBe(await set('wrong'), 422)
    expect(mustBe(await set('long enough'), 429).headers['retry-after']).toBe('1')
    app.clock.advance('1s')
    mustBe(await set('long enough'), 200)
    mustBe(await set('wrong'), 422)
  })

  test('people: visible to those who share an organization, e-mail only to those who manage membership', async () => {
    const acme = await organization(ann, 'acme')
    const carl = await person(app, 'carl')
    mustBe(await carl.get(`/api/v2/users/${ann.id}`), 404)
    mustBe(await ann.get(`/api/v2/users/${carl.id}`), 404)
    mustBe(await ann.get('/api/v2/users/nonexisting'), 404)
    await join(acme, carl)
    expect(mustBe(await carl.get(`/api/v2/users/${ann.id}`), 200).body.data.attributes.email).toBeNull()
    expect(mustBe(await ann.get(`/api/v2/users/${carl.id}`), 200).body.data.attributes.email).toBe('carl@example.com')
    const ops = await team(acme, 'ops')
    mustBe(await ops.get(`/api/v2/users/${carl.id}`), 200)
    mustBe(await ops.get(`/api/v2/users/${bob.id}`), 404)
    mustBe(await ops.patch('/api/v2/account/update', doc('users', {})), 404)
  })

  test('people: those without an organization see themselves, and site administrators see them', async () => {
    const lone = await person(app, 'lone')
    mustBe(await lone.get(`/api/v2/users/${ann.id}`), 404)
    for (const client of [lone, app.root]) {
      const { attributes } = mustBe(await client.get(`/api/v2/users/${lone.id}`), 200).body.data
      expect(attributes).toMatchObject({ username: 'lone', email: 'lone@example.com' })
      expect(attributes.permissions['can-change-username']).toBe(client === lone)
    }
  })

  test('account: a document with the id of somebody else is 409 and changes nothing', async () => {
    const fay = await person(app, 'fay', 'long enough')
    const sent = (id: string, attributes: object) => ({ data: { type: 'users', id, attributes } })
    const password = { 'current-password': 'long enough', password: 'another one' }
    mustBe(await fay.patch('/api/v2/account/update', sent(bob.id, { username: 'fae' })), 409)
    mustBe(await fay.patch('/api/v2/account/password', sent(bob.id, password)), 409)
    expect(mustBe(await fay.get('/api/v2/account/details'), 200).body.data.attributes.username).toBe('fay')
    mustBe(await fay.patch('/api/v2/account/update', sent(fay.id, { username: 'fae' })), 200)
    mustBe(await fay.patch('/api/v2/account/password', sent(fay.id, password)), 200)
  })

  test('service accounts: locked-by of a lock links to the organization account, visible to its members', async () => {
    const globe = await organization(ann, 'globe')
    const token = await organizationToken(globe)
    const workspace = await workspaceIn(globe)
    const locked = mustBe(await token.post(`/api/v2/workspaces/${workspace}/actions/lock`, {}), 200).body.data
    const { related } = locked.relationships['locked-by'].links
    const crew = await team(globe, 'crew')
    for (const caller of [ann, token, crew]) {
      const { data } = mustBe(await caller.get(related), 200).body
      expect(data.id).toBe(locked.relationships['locked-by'].data.id)
      expect(data.attributes).toMatchObject({ 'is-service-account': true, email: null })
    }
    for (const caller of [token, crew]) {
      const own = mustBe(await caller.get('/api/v2/account/details'), 200).body.data
      expect(mustBe(await caller.get(own.links.self), 200).body.data).toEqual(own)
      mustBe(await bob.get(own.links.self), 404)
    }
  })

  test('administration: all admin user endpoints are 404 for other users', async () => {
    for (const [verb, path] of [
      ['GET', '/api/v2/admin/users'],
      ['POST', '/api/v2/admin/users'],
      ['GET', `/api/v2/admin/users/${ann.id}`],
      ['PATCH', `/api/v2/admin/users/${ann.id}`],
      ['DELETE', `/api/v2/admin/users/${ann.id}`],
      ['POST', `/api/v2/admin/users/${ann.id}/actions/reset-password`],
    ] as const) {
      mustBe(await ann.send(verb, path, doc('users', { username: 'x', email: 'x@y' })), 404)
    }
  })

  test('administration: a 422 points to every fault of a new user; concurrent creation makes one', async () => {
    const make = (attributes: object) => app.root.post('/api/v2/admin/users', doc('users', attributes))
    expect(pointers(mustBe(await make({ email: 'x', 'is-admin': 'yes' }), 422))).toEqual([
      '/data/attributes/email',
      '/data/attributes/is-admin',
      '/data/attributes/username',
    ])
    expect(pointers(mustBe(await make({ username: 'Ann', email: 'ANN@example.com' }), 422))).toEqual([
      '/data/attributes/email',
      '/data/attributes/username',
    ])
    expect(pointers(mustBe(await make({ username: 'p', email: 'p@example.com', password: 'p' }), 422))).toEqual([
      '/data/attributes/password',
    ])
    const answers = await Promise.all([1, 2].map(() => make({ username: 'race', email: 'race@example.com' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    const found = mustBe(await app.root.get('/api/v2/admin/users?q=RACE'), 200).body
    expect(found.data).toHaveLength(1)
    expect(mustBe(await app.root.get('/api/v2/admin/users?q=%25'), 200).body.data).toEqual([])
  })

  test('administration: a user can be promoted and deleted; deleting ends the tokens', async () => {
    const dora = await person(app, 'dora')
    const path = `/api/v2/admin/users/${dora.id}`
    mustBe(await dora.get('/api/v2/admin/users'), 404)
    mustBe(await app.root.patch(path, doc('users', { 'is-admin': true })), 200)
    mustBe(await dora.get('/api/v2/admin/users'), 200)
    mustBe(await app.root.patch(path, { data: { type: 'users', id: ann.id, attributes: {} } }), 409)
    mustBe(await app.root.delete(path), 204)
    mustBe(await dora.get('/api/v2/account/details'), 401)
    mustBe(await app.root.get(path), 404)
  })

  test('administration: the list filters by filter[admin] and filter[suspended]', async () => {
    const [chief, clerk] = [await person(app, 'sift-chief'), await person(app, 'sift-clerk')]
    mustBe(await app.root.patch(`/api/v2/admin/users/${chief.id}`, doc('users', { 'is-admin': true })), 200)
    const hall = await organization(ann, 'sifted')
    const invitation = doc('organization-memberships', { email: 'sift-visitor@example.com' })
    mustBe(await ann.post(`/api/v2/organizations/${hall.name}/organization-memberships`, invitation), 201)
    const found = async (filter: string) => {
      const { body } = mustBe(await app.root.get(`/api/v2/admin/users?q=sift-&${filter}`), 200)
      expect(body.meta.pagination['total-count']).toBe(body.data.length)
      return body.data.map(({ attributes }: { attributes: { email: string } }) => attributes.email)
    }
    const [admins, others] = [['sift-chief@example.com'], ['sift-clerk@example.com', 'sift-visitor@example.com']]
    expect(await found('filter[admin]=true')).toEqual(admins)
    expect(await found('filter[admin]=false')).toEqual(others)
    expect(await found('filter[suspended]=false')).toEqual([...admins, ...others])
    expect(await found('filter[suspended]=true')).toEqual([])
    mustBe(await app.root.get('/api/v2/admin/users?filter[admin]=some'), 400)
    mustBe(await app.root.delete(`/api/v2/admin/users/${chief.id}`), 204)
    mustBe(await app.root.delete(`/api/v2/admin/users/${clerk.id}`), 204)
  })

  test('administration: invited addresses are listed once each, and deleting one ends its invitations', async () => {
    const [one, two] = [await organization(ann, 'inviting'), await organization(ann, 'inviting-too')]
    const invited = async ({ name }: Organization, email: string) => {
      const path = `/api/v2/organizations/${name}/organization-memberships`
      return mustBe(await ann.post(path, doc('organization-memberships', { email })), 201).body
    }
    const { data: first, included } = await invited(one, 'guest@inviting.example')
    const { data: second } = await invited(two, 'Guest@inviting.example')
    const { data: other } = await invited(one, 'other-guest@inviting.example')
    await person(app, 'guest')
    const found = async (query: string): Promise<[string[], number]> => {
      const { data, meta } = mustBe(await app.root.get(`/api/v2/admin/users?q=${query}`), 200).body
      return [
        data.map(({ attributes }: { attributes: { email: string } }) => attributes.email.toLowerCase()),
        meta.pagination['total-count'],
      ]
    }
    const all = ['guest@example.com', 'guest@inviting.example', 'other-guest@inviting.example']
    expect(await found('GUEST')).toEqual([all, 3])
    for (const [at, email] of all.entries()) {
      expect(await found(`guest&page[size]=1&page[number]=${at + 1}`)).toEqual([[email], 3])
    }
    const pathOf = ({ relationships }: typeof first) => `/api/v2/admin/users/${relationships.user.data.id}`
    expect(mustBe(await app.root.get(pathOf(first)), 200).body.data).toEqual(included[0])
    expect(included[0].attributes).toMatchObject({ username: '', 'is-admin': false, 'two-factor': { enabled: false } })
    mustBe(await app.root.patch(pathOf(first), doc('users', { username: 'guest-too' })), 404)
    mustBe(await ann.delete(pathOf(first)), 404)

    mustBe(await app.root.delete(pathOf(second)), 204)
    mustBe(await app.root.delete(pathOf(first)), 404)
    expect(await found('@inviting')).toEqual([['other-guest@inviting.example'], 1])
    const statuses = [first, second, other].map(
      async ({ id }) => (await ann.get(`/api/v2/organization-memberships/${id}`)).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 404, 200])
    const account = doc('users', { username: 'guest-too', email: 'other-guest@inviting.example' })
    const { id } = mustBe(await app.root.post('/api/v2/admin/users', account), 201).body.data
    expect((await app.root.get('/api/v2/admin/users?q=@inviting')).body.data).toMatchObject([{ id }])
    mustBe(await app.root.delete(`/api/v2/admin/users/${'x'.repeat(21)}`), 404)
  })

  test('administration: of two last owners deleted concurrently one stays (422)', async () => {
    for (const turn of [1, 2, 3]) {
      const [left, right] = [await person(app, `left-${turn}`), await person(app, `right-${turn}`)]
      const pair = await organization(left, `pair-${turn}`)
      const crown = mustBe(await left.get(`/api/v2/organizations/${pair.name}/teams`), 200).body.data[0].id
      await join(pair, right, [crown])
      const gone = [left, right].map(({ id }) => app.root.delete(`/api/v2/admin/users/${id}`))
      expect((await Promise.all(gone)).map(({ status }) => status).sort()).toEqual([204, 422])
    }
  })

  test('administration: of concurrent deletions of a user one is 204, the others 404', async () => {
    const path = `/api/v2/admin/users/${(await person(app, 'fleeting')).id}`
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.root.delete(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
  })
})
