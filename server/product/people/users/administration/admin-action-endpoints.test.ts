import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { openEvents } from '../../../../../test/support/event-source.ts'
import {
  join,
  mustBe,
  organization,
  type Person,
  person,
  pointers,
  team,
} from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const password = 'right password'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  let people = 0

  /** A new user with a password. */
  const newcomer = (): Promise<Person> => person(app, `newcomer-${++people}`, password)
  const path = ({ id }: Pick<Person, 'id'>, action: string) => `/api/v2/admin/users/${id}/actions/${action}`
  const act = (who: Pick<Person, 'id'>, action: string) => app.root.post(path(who, action))
  const signIn = async (fields: Record<string, string>) => {
    const raw = new URLSearchParams(fields).toString()
    const answer = await app.anonymous.post('/app/sign-in', undefined, { raw, headers: form })
    return { ...answer, cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' }
  }
  const session = (cookie: string) => app.anonymous.get('/app/session', { headers: { cookie } })

  test('actions: are 404 for anyone but site administrators, and for unknown users', async () => {
    for (const action of ['suspend', 'unsuspend', 'grant_admin', 'revoke_admin']) {
      mustBe(await ann.post(path(ann, action)), 404)
      mustBe(await act({ id: 'user-1111111111111111' }, action), 404)
      mustBe(await act({ id: 'nobody' }, action), 404)
    }
  })

  test('suspension: tokens and sessions stop working at once, and every kind of sign-in is 401', async () => {
    const bob = await newcomer()
    const { cookie } = await signIn({ username: bob.username, password })
    mustBe(await session(cookie), 200)
    mustBe(await bob.get('/api/v2/account/details'), 200)
    const { attributes } = mustBe(await act(bob, 'suspend'), 200).body.data
    expect(attributes).toMatchObject({ username: bob.username, 'is-suspended': true })
    mustBe(await bob.get('/api/v2/account/details'), 401)
    mustBe(await session(cookie), 401)
    expect(mustBe(await signIn({ username: bob.username, password }), 401).text).toContain('is suspended')
    expect(mustBe(await signIn({ username: bob.username, password: 'wrong' }), 401).text).not.toContain('suspended')
    mustBe(await signIn({ token: bob.token }), 401)

    expect(mustBe(await act(bob, 'unsuspend'), 200).body.data.attributes['is-suspended']).toBe(false)
    mustBe(await bob.get('/api/v2/account/details'), 200)
    mustBe(await session(cookie), 401)
    mustBe(await signIn({ username: bob.username, password }), 303)
    mustBe(await signIn({ token: bob.token }), 303)
  })

  test('suspension: open reset links become invalid, and new ones are refused with 400', async () => {
    const bob = await newcomer()
    const link = mustBe(await act(bob, 'reset-password'), 201).body.data.attributes['reset-url'] as string
    const { pathname } = new URL(link)
    mustBe(await app.anonymous.get(pathname), 200)
    mustBe(await act(bob, 'suspend'), 200)
    mustBe(await app.anonymous.get(pathname), 404)
    mustBe(await act(bob, 'reset-password'), 400)
    mustBe(await act(bob, 'unsuspend'), 200)
    mustBe(await app.anonymous.get(pathname), 404)
  })

  test('suspension: sessions started at any moment around it are 401, also after unsuspending', async () => {
    let sessions = 0
    // Checking a password takes a while. The suspension comes before, during and at last after it.
    for (let delay = 0; sessions === 0 || delay < 100; delay += 10) {
      const bob = await newcomer()
      const suspending = wait(delay).then(() => act(bob, 'suspend'))
      const [{ cookie }] = await Promise.all([signIn({ username: bob.username, password }), suspending])
      if (cookie) sessions++
      mustBe(await session(cookie), 401)
      mustBe(await act(bob, 'unsuspend'), 200)
      mustBe(await session(cookie), 401)
    }
  })

  test('suspension: takes effect on another node of the same database as well', async () => {
    const other = await ownApp({ beside: app })
    const bob = await newcomer()
    const there = other.anonymous.as(bob.token)
    const { cookie } = await signIn({ username: bob.username, password })
    const sessionThere = () => other.anonymous.get('/app/session', { headers: { cookie } })
    mustBe(await there.get('/api/v2/account/details'), 200)
    mustBe(await sessionThere(), 200)
    mustBe(await act(bob, 'suspend'), 200)
    mustBe(await there.get('/api/v2/account/details'), 401)
    mustBe(await sessionThere(), 401)
    mustBe(await act(bob, 'unsuspend'), 200)
    mustBe(await there.get('/api/v2/account/details'), 200)
  })

  test('suspension: ends an open event stream of the user', async () => {
    const bob = await newcomer()
    const org = await organization(bob, `suspended-${people}`)
    const source = await openEvents({ url: `${app.url}/api/v2/organizations/${org.name}/events`, token: bob.token })
    mustBe(await act(bob, 'suspend'), 200)
    await source.ended
  })

  test('suspension: the user stays a member and is found by filter[suspended]', async () => {
    const bob = await newcomer()
    const org = await organization(ann, `kept-${people}`)
    await join(org, bob)
    mustBe(await act(bob, 'suspend'), 200)
    const members = mustBe(await ann.get(`/api/v2/organizations/${org.name}/organization-memberships`), 200).body.data
    expect(members.map(({ attributes }: { attributes: { email: string } }) => attributes.email)).toContain(bob.email)
    const found = async (filter: string) => {
      const { body } = mustBe(await app.root.get(`/api/v2/admin/users?q=${bob.username}&${filter}`), 200)
      expect(body.meta.pagination['total-count']).toBe(body.data.length)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await found('filter[suspended]=true')).toEqual([bob.id])
    expect(await found('filter[suspended]=false')).toEqual([])
    expect(await found('')).toEqual([bob.id])
    const { attributes } = mustBe(await ann.get(`/api/v2/users/${bob.id}`), 200).body.data
    expect(attributes).not.toHaveProperty('is-suspended')
  })

  test('suspension: a suspended owner does not count as one that is left', async () => {
    const [bob, cleo, guest] = [await newcomer(), await newcomer(), await newcomer()]
    const org = await organization(bob, `owned-${people}`)
    const crown = mustBe(await bob.get(`/api/v2/organizations/${org.name}/teams`), 200).body.data[0].id
    const hers = await join(org, cleo, [crown])
    const managers = await team(org, 'managers', { 'organization-access': { 'manage-membership': true } })
    const guests = await join(org, guest)
    mustBe(await act(bob, 'suspend'), 200)
    const own = { data: [{ type: 'users', id: cleo.username }] }
    mustBe(await cleo.delete(`/api/v2/organization-memberships/${hers}`), 422)
    mustBe(await cleo.delete(`/api/v2/teams/${crown}/relationships/users`, own), 422)
    mustBe(await app.root.delete(`/api/v2/admin/users/${cleo.id}`), 422)
    // With every owner suspended, the others can still be managed, and one owner stays.
    mustBe(await act(cleo, 'suspend'), 200)
    mustBe(await managers.delete(`/api/v2/organization-memberships/${guests}`), 204)
    mustBe(await app.root.delete(`/api/v2/admin/users/${bob.id}`), 204)
    mustBe(await app.root.delete(`/api/v2/admin/users/${cleo.id}`), 422)
  })

  test('actions: one that changes nothing is 400; of concurrent suspensions one is 200', async () => {
    const bob = await newcomer()
    mustBe(await act(bob, 'unsuspend'), 400)
    mustBe(await act(bob, 'revoke_admin'), 400)
    const answers = await Promise.all([1, 2, 3].map(() => act(bob, 'suspend')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('actions: grant_admin and revoke_admin make and unmake a site administrator', async () => {
    const bob = await newcomer()
    mustBe(await bob.get('/api/v2/admin/users'), 404)
    expect(mustBe(await act(bob, 'grant_admin'), 200).body.data.attributes['is-admin']).toBe(true)
    mustBe(await act(bob, 'grant_admin'), 400)
    mustBe(await bob.get('/api/v2/admin/users'), 200)
    expect(mustBe(await act(bob, 'revoke_admin'), 200).body.data.attributes['is-admin']).toBe(false)
    mustBe(await bob.get('/api/v2/admin/users'), 404)
  })

  test('actions: the administrator behind the root token cannot be suspended or lose is-admin (422)', async () => {
    const { id } = mustBe(await app.root.get('/api/v2/account/details'), 200).body.data
    expect(pointers(mustBe(await act({ id }, 'suspend'), 422))).toEqual(['/data/attributes/is-suspended'])
    expect(pointers(mustBe(await act({ id }, 'revoke_admin'), 422))).toEqual(['/data/attributes/is-admin'])
  })

  test('administration: users link their organizations, which include=organizations adds', async () => {
    const bob = await newcomer()
    const [one, two] = [await organization(bob, `a-of-${people}`), await organization(ann, `b-of-${people}`)]
    await join(two, bob)
    const query = `q=${bob.username}`
    const plain = mustBe(await app.root.get(`/api/v2/admin/users?${query}`), 200).body
    const named = [one, two].map(({ name }) => ({ type: 'organizations', id: name }))
    expect(plain.data[0].relationships.organizations.data).toEqual(named)
    expect(plain).not.toHaveProperty('included')
    for (const at of [
      `/api/v2/admin/users?${query}&include=organizations`,
      `/api/v2/admin/users/${bob.id}?include=organizations`,
    ]) {
      expect(mustBe(await app.root.get(at), 200).body.included).toMatchObject([
        { type: 'organizations', id: one.name, attributes: { name: one.name, 'external-id': one.id } },
        { type: 'organizations', id: two.name, attributes: { name: two.name, email: ann.email } },
      ])
    }
    mustBe(await app.root.get(`/api/v2/admin/users?${query}&include=teams`), 400)
    mustBe(await act(ann, 'grant_admin'), 200)
    const own = mustBe(await ann.get(`/api/v2/organizations/${two.name}`), 200).body.data
    const [other, included] = mustBe(await ann.get(`/api/v2/admin/users/${bob.id}?include=organizations`), 200).body
      .included
    mustBe(await act(ann, 'revoke_admin'), 200)
    expect(included).toEqual(own)
    expect(own.attributes.permissions['can-update']).toBe(true)
    mustBe(await ann.get(`/api/v2/organizations/${one.name}`), 404)
    expect(Object.keys(other.attributes)).toEqual(Object.keys(own.attributes))
    expect(Object.values(other.attributes.permissions)).not.toContain(true)
    const cat = await newcomer()
    await join(two, cat)
    const all = mustBe(await app.root.get('/api/v2/admin/users?page[size]=100&include=organizations'), 200).body
    const linked = (id: string) => all.data.find((each: { id: string }) => each.id === id).relationships.organizations
    expect([linked(bob.id).data, linked(cat.id).data]).toEqual([named, named.slice(1)])
    expect(all.included.filter(({ id }: { id: string }) => id === two.name)).toHaveLength(1)
  })
})
