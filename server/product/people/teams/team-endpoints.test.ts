import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
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

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const stranger = shared(() => person(app, 'stranger'))
  const acme = shared(() => organization(ann, 'acme'))
  let owners: string

  beforeAll(async () => {
    await organization(stranger, 'elsewhere')
    await join(acme, bob)
    owners = (await named('owners')).id
  })

  const teams = '/api/v2/organizations/acme/teams'
  const named = async (name: string, who: Client = ann) =>
    mustBe(await who.get(`${teams}?filter[names]=${name}`), 200).body.data[0]
  const members = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })

  test('list and create: strangers get 404; members see teams that are not secret and cannot write', async () => {
    const apart = await organization(ann, 'apart')
    const teams = '/api/v2/organizations/apart/teams'
    mustBe(await stranger.get(teams), 404)
    mustBe(await stranger.post(teams, doc('teams', { name: 'x' })), 404)
    const open = await team(apart, 'open', { visibility: 'organization' })
    const secret = await team(apart, 'hidden-one')
    await join(apart, bob)
    mustBe(await bob.post(teams, doc('teams', { name: 'x' })), 404)
    const seen = mustBe(await bob.get(teams), 200).body
    expect(seen.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual([
      'open',
      'owners',
    ])
    expect(seen.meta.pagination['total-count']).toBe(2)
    mustBe(await bob.get(`/api/v2/teams/${secret.id}`), 404)
    mustBe(await bob.get(`/api/v2/teams/${open.id}`), 200)
    mustBe(await bob.patch(`/api/v2/teams/${open.id}`, doc('teams', { name: 'y' })), 404)
    mustBe(await bob.delete(`/api/v2/teams/${open.id}`), 404)
    mustBe(await secret.get(`/api/v2/teams/${secret.id}`), 200)
    mustBe(await stranger.get(`/api/v2/teams/${open.id}`), 404)
  })

  test.each([
    ['no name', {}, ['/data/attributes/name']],
    ['a taken name', { name: 'owners' }, ['/data/attributes/name']],
    ['a name that begins with a slash', { name: '/b' }, ['/data/attributes/name']],
    ['a name that ends in a slash', { name: 'a/' }, ['/data/attributes/name']],
    ['a taken name with a look-alike letter', { name: 'оwners' }, ['/data/attributes/name']],
    ['an unknown visibility', { name: 'v', visibility: 'public' }, ['/data/attributes/visibility']],
    [
      'access that is not an object',
      { name: 'v', 'organization-access': true },
      ['/data/attributes/organization-access'],
    ],
    [
      'access with a string',
      { name: 'v', 'organization-access': { 'manage-teams': 'yes' } },
      ['/data/attributes/organization-access/manage-teams'],
    ],
  ])('create: %s is 422 with a pointer', async (_name, attributes, expected) => {
    expect(pointers(mustBe(await ann.post(teams, doc('teams', attributes)), 422))).toEqual(expected)
  })

  test('search: q matches part of the name in any case, and `_` is not a wildcard', async () => {
    mustBe(await ann.post(teams, doc('teams', { name: 'Night Watch' })), 201)
    const found = mustBe(await ann.get(`${teams}?q=T%20wAT`), 200).body.data
    expect(found.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual(['Night Watch'])
    expect(mustBe(await ann.get(`${teams}?q=t_w`), 200).body.data).toEqual([])
  })

  test('names: one with slashes can be made, found, taken and changed', async () => {
    const name = 'emea/network/on call'
    const made = mustBe(await ann.post(teams, doc('teams', { name })), 201).body.data
    mustBe(await ann.post(teams, doc('teams', { name })), 422)
    const found = mustBe(await ann.get(`${teams}?filter[names]=${encodeURIComponent(name)}`), 200).body.data
    expect(found.map(({ id }: { id: string }) => id)).toEqual([made.id])
    const renamed = await ann.patch(`/api/v2/teams/${made.id}`, doc('teams', { name: 'emea/network' }))
    expect(mustBe(renamed, 200).body.data.attributes.name).toBe('emea/network')
    for (const path of [encodeURIComponent(name), 'emea%2Fnetwork', made.id.replace('-', '%2F')])
      mustBe(await ann.get(`/api/v2/teams/${path}`), 404)
    mustBe(await ann.delete(`/api/v2/teams/${made.id}`), 204)
  })

  test('create: returns the same document as a later read', async () => {
    const attributes = { name: 'equal', 'organization-access': { 'manage-workspaces': true }, 'sso-team-id': 'x' }
    const made = mustBe(await ann.post(teams, doc('teams', attributes)), 201).body
    expect(made).toEqual(mustBe(await ann.get(`/api/v2/teams/${made.data.id}`), 200).body)
    expect(made.data).toMatchObject({
      type: 'teams',
      attributes: {
        visibility: 'secret',
        'users-count': 0,
        'organization-access': { 'manage-workspaces': true, 'manage-teams': false },
      },
      relationships: { organization: { data: { type: 'organizations', id: 'acme' } }, users: { data: [] } },
    })
  })

  test('update: sso-team-id is stored and returned; blank or null clears it', async () => {
    const ops = await team(acme, 'signed on', { 'sso-team-id': 'group-1' })
    const path = `/api/v2/teams/${ops.id}`
    const idNow = async () => mustBe(await ann.get(path), 200).body.data.attributes['sso-team-id']
    expect(await idNow()).toBe('group-1')
    mustBe(await ann.patch(path, doc('teams', { visibility: 'organization' })), 200)
    expect(await idNow()).toBe('group-1')
    mustBe(await ann.patch(path, doc('teams', { 'sso-team-id': '' })), 200)
    expect(await idNow()).toBeNull()
    mustBe(await ann.patch(path, doc('teams', { 'sso-team-id': 'group-2' })), 200)
    expect(await idNow()).toBe('group-2')
    mustBe(await ann.patch(path, doc('teams', { 'sso-team-id': null })), 200)
    expect(await idNow()).toBeNull()
    expect(pointers(mustBe(await ann.patch(path, doc('teams', { 'sso-team-id': 'x'.repeat(256) })), 422))).toEqual([
      '/data/attributes/sso-team-id',
    ])
    mustBe(await ann.delete(path), 204)
  })

  test('update: access that is not sent stays; the owners team cannot be renamed or deleted (422)', async () => {
    const ops = await team(acme, 'partial', { 'organization-access': { 'manage-workspaces': true } })
    const path = `/api/v2/teams/${ops.id}`
    const changed = mustBe(await ann.patch(path, doc('teams', { 'organization-access': { read_projects: true } })), 200)
    expect(changed.body.data.attributes['organization-access']).toMatchObject({
      'manage-workspaces': true,
      'read-projects': true,
    })
    expect(pointers(mustBe(await ann.patch(`/api/v2/teams/${owners}`, doc('teams', { name: 'kings' })), 422))).toEqual([
      '/data/attributes/name',
    ])
    mustBe(await ann.delete(`/api/v2/teams/${owners}`), 422)
    mustBe(await ann.patch(path, { data: { type: 'teams', id: owners, attributes: {} } }), 409)
    mustBe(await ann.delete(path), 204)
    mustBe(await ann.get(path), 404)
    mustBe(await ops.get('/api/v2/organizations'), 401)
  })

  test('update: concurrent changes of different access flags are all kept', async () => {
    const { id } = mustBe(await ann.post(teams, doc('teams', { name: 'crowded' })), 201).body.data
    const names = ['manage-teams', 'manage-projects', 'read-workspaces', 'manage-membership', 'manage-agent-pools']
    const change = (name: string) =>
      ann.patch(`/api/v2/teams/${id}`, doc('teams', { 'organization-access': { [name]: true } }))
    for (const answer of await Promise.all(names.map(change))) mustBe(answer, 200)
    const access = mustBe(await ann.get(`/api/v2/teams/${id}`), 200).body.data.attributes['organization-access']
    expect(
      Object.keys(access)
        .filter((name) => access[name])
        .sort(),
    ).toEqual(names.sort())
  })

  test('delete: of concurrent DELETEs of a team or membership one is 204, the others 404', async () => {
    const { id } = mustBe(await ann.post(teams, doc('teams', { name: 'fleeting' })), 201).body.data
    const ended = await join(acme, await person(app, 'ended'))
    for (const path of [`/api/v2/teams/${id}`, `/api/v2/organization-memberships/${ended}`]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ann.delete(path)))
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    }
  })

  test('rights: nobody grants access they lack, and only owners add users to the owners team', async () => {
    const managers = await team(acme, 'managers', {
      'organization-access': { 'manage-teams': true, 'manage-membership': true },
    })
    const strong = await team(acme, 'strong', { 'organization-access': { 'manage-workspaces': true } })
    const grant = doc('teams', { 'organization-access': { 'manage-workspaces': true } })
    expect(pointers(mustBe(await managers.patch(`/api/v2/teams/${managers.id}`, grant), 422))).toEqual([
      '/data/attributes/organization-access',
    ])
    expect(
      pointers(
        mustBe(
          await managers.patch(`/api/v2/teams/${managers.id}`, doc('teams', { 'allow-certificate-login': true })),
          422,
        ),
      ),
    ).toEqual(['/data/attributes/allow-certificate-login'])
    mustBe(await managers.post(`/api/v2/teams/${owners}/relationships/users`, members('users', 'bob')), 404)
    mustBe(await managers.post(`/api/v2/teams/${strong.id}/relationships/users`, members('users', 'bob')), 403)
    mustBe(await managers.post(teams, doc('teams', { name: 'weak' })), 201)
    const invitation = doc(
      'organization-memberships',
      { email: 'new@example.com' },
      { teams: { data: [{ type: 'teams', id: owners }] } },
    )
    expect(
      pointers(mustBe(await managers.post('/api/v2/organizations/acme/organization-memberships', invitation), 422)),
    ).toEqual(['/data/relationships/teams'])
    const token = await organizationToken(acme)
    mustBe(await token.post(`/api/v2/teams/${owners}/relationships/users`, members('users', 'bob')), 404)
    mustBe(await token.post(`/api/v2/teams/${strong.id}/relationships/users`, members('users', 'bob')), 204)
  })

  test('members: are added and removed by user name, id or membership; a fault changes nothing', async () => {
    const ops = await team(acme, 'crew')
    const path = `/api/v2/teams/${ops.id}/relationships`
    const bad = mustBe(await ann.post(`${path}/users`, members('users', 'bob', 'stranger', stranger.id)), 422)
    expect(pointers(bad)).toEqual(['/data/1/id', '/data/2/id'])
    mustBe(await ann.post(`${path}/users`, { data: [] }), 422)
    mustBe(await ann.post(`${path}/users`, members('teams', 'bob')), 422)
    expect((await named('crew')).attributes['users-count']).toBe(0)
    mustBe(await ann.post(`${path}/users`, members('users', 'BOB')), 204)
    mustBe(await ann.post(`${path}/users`, members('users', bob.id)), 204)
    const shown = mustBe(await ann.get(`/api/v2/teams/${ops.id}?include=users,organization-memberships`), 200).body
    expect(shown.data.attributes['users-count']).toBe(1)
    expect(shown.data.relationships.users.data).toEqual([{ type: 'users', id: bob.id }])
    expect(shown.included.map(({ type }: { type: string }) => type)).toEqual(['users', 'organization-memberships'])
    const [membership] = shown.data.relationships['organization-memberships'].data
    for (const unasked of [`/api/v2/teams/${ops.id}`, `${path}/organization-memberships`]) {
      expect(mustBe(await ann.get(unasked), 200).body).not.toHaveProperty('included')
    }
    const list = mustBe(await ann.get(`${path}/organization-memberships?include=user`), 200).body
    expect(list.data).toMatchObject([{ ...membership, attributes: { email: 'bob@example.com', status: 'active' } }])
    expect([list.meta.pagination['total-count'], list.included[0].id]).toEqual([1, bob.id])
    expect((await ann.get(`${path}/organization-memberships?filter[status]=invited`)).body.data).toEqual([])
    mustBe(await stranger.get(`${path}/organization-memberships`), 404)
    mustBe(
      await ann.delete(`${path}/organization-memberships`, members('organization-memberships', membership.id)),
      204,
    )
    expect((await named('crew')).attributes['users-count']).toBe(0)
    mustBe(await ann.post(`${path}/organization-memberships`, members('organization-memberships', membership.id)), 204)
    mustBe(await ann.delete(`${path}/users`, members('users', 'bob')), 204)
  })

  test('members: those who manage memberships fill the teams they see except the owners; others none', async () => {
    const crew = await team(acme, 'filled', { visibility: 'organization' })
    const secret = await team(acme, 'filled-in-secret')
    const plain = await team(acme, 'filling-none', { visibility: 'organization' })
    const managers = await team(acme, 'filling', { 'organization-access': { 'manage-membership': true } })
    await join(acme, await person(app, 'newcomer'))
    const body = members('users', 'newcomer')
    const at = (id: string) => `/api/v2/teams/${id}/relationships/users`
    mustBe(await plain.post(at(crew.id), body), 404)
    mustBe(await managers.post(at(crew.id), body), 204)
    mustBe(await plain.delete(at(crew.id), body), 404)
    mustBe(await managers.delete(at(crew.id), body), 204)
    for (const id of [secret.id, owners]) mustBe(await managers.post(at(id), body), 404)
  })

  test('members: removing a user from a team affects neither other teams nor other members', async () => {
    const [one, two] = [await person(app, 'one'), await person(app, 'two')]
    const crews = [await team(acme, 'crew-one'), await team(acme, 'crew-two')]
    for (const each of [one, two])
      await join(
        acme,
        each,
        crews.map(({ id }) => id),
      )
    const [first, second] = crews.map(({ id }) => `/api/v2/teams/${id}`)
    mustBe(await ann.delete(`${first}/relationships/users`, members('users', 'one')), 204)
    const usersOf = async (path: string | undefined) =>
      mustBe(await ann.get(`${path}`), 200)
        .body.data.relationships.users.data.map(({ id }: { id: string }) => id)
        .sort()
    expect(await usersOf(first)).toEqual([two.id])
    expect(await usersOf(second)).toEqual([one.id, two.id].sort())
  })

  test('members: a user id in a request is never matched with the user name of another user', async () => {
    const [mallory, victim, outsider] = [
      await person(app, 'mallory'),
      await person(app, 'victim'),
      await person(app, 'outsider'),
    ]
    await join(acme, mallory)
    await join(acme, victim)
    const crew = await team(acme, 'victims')
    const add = (id: string) =>
      ann.post(`/api/v2/teams/${crew.id}/relationships/users`, { data: [{ type: 'users', id }] })
    for (const [posed, status] of [
      [outsider, 422],
      [victim, 204],
    ] as const) {
      mustBe(await mallory.patch('/api/v2/account/update', doc('users', { username: posed.id })), 200)
      mustBe(await add(posed.id), status)
    }
    const { users } = mustBe(await ann.get(`/api/v2/teams/${crew.id}`), 200).body.data.relationships
    expect(users.data).toEqual([{ type: 'users', id: victim.id }])
  })

  test('owners: the last one cannot be removed, leave or be deleted (422)', async () => {
    const path = `/api/v2/teams/${owners}/relationships/users`
    mustBe(await ann.delete(path, members('users', 'ann')), 422)
    const mine = mustBe(await ann.get('/api/v2/organization-memberships'), 200).body.data[0]
    mustBe(await ann.delete(`/api/v2/organization-memberships/${mine.id}`), 422)
    mustBe(await app.root.delete(`/api/v2/admin/users/${ann.id}`), 422)
    mustBe(await ann.get('/api/v2/organizations/acme'), 200)
  })

  test('owners: of the last two leaving concurrently one stays (422)', async () => {
    const [left, right] = [await person(app, 'left'), await person(app, 'right')]
    const pair = await organization(left, 'pair')
    const crown = mustBe(await left.get('/api/v2/organizations/pair/teams'), 200).body.data[0].id
    await join(pair, right, [crown])
    const take = (who: Person) =>
      who.delete(`/api/v2/teams/${crown}/relationships/users`, members('users', who.username))
    const answers = await Promise.all([take(left), take(right)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('memberships: an invitation becomes active with the account, is 404 for strangers, can be ended', async () => {
    const path = '/api/v2/organizations/acme/organization-memberships'
    mustBe(await stranger.get(path), 404)
    mustBe(await bob.post(path, doc('organization-memberships', { email: 'x@y' })), 404)
    expect(pointers(mustBe(await ann.post(path, doc('organization-memberships', { email: 'x' })), 422))).toEqual([
      '/data/attributes/email',
    ])
    expect(
      pointers(mustBe(await ann.post(path, doc('organization-memberships', { email: 'BOB@example.com' })), 422)),
    ).toEqual(['/data/attributes/email'])
    const invitation = doc('organization-memberships', { email: 'later@example.com' })
    const { data: later, included } = mustBe(await ann.post(path, invitation), 201).body
    expect(later).toMatchObject({ attributes: { status: 'invited' } })
    expect(included).toMatchObject([
      { ...later.relationships.user.data, attributes: { username: '', email: 'later@example.com' } },
    ])
    const placeholder = `/api/v2/users/${later.relationships.user.data.id}`
    mustBe(await ann.get(placeholder), 200)
    const invited = mustBe(await ann.get(`${path}?filter[status]=invited`), 200).body.data
    expect(invited.map(({ id }: { id: string }) => id)).toContain(later.id)
    const arrived = await person(app, 'later')
    mustBe(await arrived.get('/api/v2/organizations/acme'), 200)
    mustBe(await ann.get(placeholder), 404)
    const shown = mustBe(await ann.get(`/api/v2/organization-memberships/${later.id}?include=user,teams`), 200).body
    expect(shown.data.attributes.status).toBe('active')
    expect(shown.included[0]).toMatchObject({ type: 'users', id: arrived.id })
    mustBe(await stranger.get(`/api/v2/organization-memberships/${later.id}`), 404)
    mustBe(await bob.delete(`/api/v2/organization-memberships/${later.id}`), 404)
    mustBe(await arrived.delete(`/api/v2/organization-memberships/${later.id}`), 204)
    mustBe(await arrived.get('/api/v2/organizations/acme'), 404)
    expect(mustBe(await ann.get(`${path}?q=lat`), 200).body.data).toEqual([])
  })

  test('memberships: an invitation becomes active only for the account with its e-mail address', async () => {
    const path = '/api/v2/organizations/acme/organization-memberships'
    const email = 'awaited@example.com'
    const { id } = mustBe(await ann.post(path, doc('organization-memberships', { email })), 201).body.data
    const status = async () =>
      mustBe(await ann.get(`/api/v2/organization-memberships/${id}`), 200).body.data.attributes.status
    const somebody = doc('users', { username: 'somebody-else', email: 'somebody-else@example.com' })
    mustBe(await app.root.post('/api/v2/admin/users', somebody), 201)
    expect(await status()).toBe('invited')
    mustBe(await app.root.post('/api/v2/admin/users', doc('users', { username: 'awaited', email })), 201)
    expect(await status()).toBe('active')
    mustBe(await ann.delete(`/api/v2/organization-memberships/${id}`), 204)
  })

  test('memberships: an invitation sent while the account is being created becomes active', async () => {
    const path = '/api/v2/organizations/acme/organization-memberships'
    const meet = async (_: unknown, place: number) => {
      const [username, email] = [`met-${place}`, `met-${place}@example.com`]
      const [invited, made] = await Promise.all([
        ann.post(path, doc('organization-memberships', { email })),
        app.root.post('/api/v2/admin/users', doc('users', { username, email })),
      ])
      mustBe(made, 201)
      return `/api/v2/organization-memberships/${mustBe(invited, 201).body.data.id}`
    }
    for (const membership of await Promise.all(Array.from({ length: 40 }, meet))) {
      expect(mustBe(await ann.get(membership), 200).body.data.attributes.status).toBe('active')
      mustBe(await ann.delete(membership), 204)
    }
  })

  test('memberships: their teams leave out secret teams the caller cannot see', async () => {
    const keen = await person(app, 'keen')
    const secret = await team(acme, 'secret-crew')
    const open = await team(acme, 'open-crew', { visibility: 'organization' })
    const id = await join(acme, keen, [secret.id, open.id])
    const onlooker = await person(app, 'onlooker')
    await join(acme, onlooker)
    const teamsIn = ({ relationships }: { relationships: { teams: { data: { id: string }[] } } }) =>
      relationships.teams.data.map((each) => each.id)
    const addresses = [
      `/api/v2/organization-memberships/${id}`,
      '/api/v2/organizations/acme/organization-memberships?q=keen',
      `/api/v2/teams/${open.id}/relationships/organization-memberships`,
    ]
    for (const address of addresses) {
      const [seen] = [mustBe(await onlooker.get(address), 200).body.data].flat()
      expect(teamsIn(seen)).toEqual([open.id])
      for (const who of [ann, keen, secret]) {
        const [all] = [mustBe(await who.get(address), 200).body.data].flat()
        expect(teamsIn(all)).toEqual([open.id, secret.id])
      }
    }
    const shown = `/api/v2/teams/${open.id}?include=organization-memberships`
    expect(mustBe(await onlooker.get(shown), 200).body.included.map(teamsIn)).toEqual([[open.id]])
    expect(mustBe(await ann.get(shown), 200).body.included.map(teamsIn)).toEqual([[open.id, secret.id]])
  })
  test('memberships: inviting into a team that is secret to the caller is 422 as for an unknown team', async () => {
    const hosts = await team(acme, 'hosts', { 'organization-access': { 'manage-membership': true } })
    const path = '/api/v2/organizations/acme/organization-memberships'
    const into = (id: string) =>
      doc('organization-memberships', { email: 'guest@example.com' }, { teams: { data: [{ type: 'teams', id }] } })
    const unknown = mustBe(await hosts.post(path, into('team-1111111111111111')), 422)
    const strong = { 'organization-access': { 'manage-workspaces': true } }
    for (const secret of [await team(acme, 'secret-club'), await team(acme, 'secret-masters', strong)]) {
      expect(mustBe(await hosts.post(path, into(secret.id)), 422).body).toEqual(unknown.body)
    }
    mustBe(await hosts.post(path, into(hosts.id)), 201)
  })
  test('memberships: only owners can end the membership of an owner', async () => {
    const wardens = await team(acme, 'wardens', { 'organization-access': { 'manage-membership': true } })
    const second = await person(app, 'second')
    const crowned = await join(acme, second, [owners])
    const plain = await join(acme, await person(app, 'plain'))
    for (const manager of [wardens, await organizationToken(acme)]) {
      mustBe(await manager.delete(`/api/v2/organization-memberships/${crowned}`), 404)
    }
    mustBe(await second.get('/api/v2/organizations/acme'), 200)
    mustBe(await wardens.delete(`/api/v2/organization-memberships/${plain}`), 204)
    mustBe(await ann.delete(`/api/v2/organization-memberships/${crowned}`), 204)
  })
})
