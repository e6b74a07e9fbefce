import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  type Organization,
  organization,
  type Person,
  person,
  pointers,
} from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))
  let people = 0

  /** A new person with the address that an administrator has set. */
  const newcomer = (): Promise<Person> => person(app, `newcomer-${++people}`)
  const membersOf = ({ name }: Pick<Organization, 'name'>) => `/api/v2/organizations/${name}/organization-memberships`
  const invite = (email: string, of: Organization = acme) =>
    of.owner.post(membersOf(of), doc('organization-memberships', { email }))
  const statusOf = async (id: string) =>
    mustBe(await ann.get(`/api/v2/organization-memberships/${id}`), 200).body.data.attributes.status as string
  const setOwn = (who: Person, attributes: object) => who.patch('/api/v2/account/update', doc('users', attributes))
  const setFor = (who: Pick<Person, 'id'>, attributes: object) =>
    app.root.patch(`/api/v2/admin/users/${who.id}`, doc('users', attributes))
  const account = async (who: Person) =>
    mustBe(await who.get('/api/v2/account/details'), 200).body.data.attributes as Record<string, unknown>

  test('an address that users set themselves does not accept an invitation, whoever comes first', async () => {
    const [early, late] = [await newcomer(), await newcomer()]
    mustBe(await setOwn(early, { email: 'newhire@corp.example' }), 200)
    const first = mustBe(await invite('NewHire@corp.example'), 201).body
    expect(first.data.attributes).toMatchObject({ status: 'invited', email: 'NewHire@corp.example' })
    expect(first.data.relationships.user.data.id).not.toBe(early.id)
    const second = mustBe(await invite('second@corp.example'), 201).body
    mustBe(await setOwn(late, { email: 'second@corp.example' }), 200)
    for (const who of [early, late]) mustBe(await who.get('/api/v2/organizations/acme'), 404)
    for (const { data } of [first, second]) expect(await statusOf(data.id)).toBe('invited')
    // A verified one is a member at once, and is handed no link.
    const known = mustBe(await invite((await newcomer()).email), 201).body.data.attributes
    expect(known).toMatchObject({ status: 'active' })
    expect(known).not.toHaveProperty('invitation-url')
  })

  test('the answers for an unknown address and for one that somebody has set are alike', async () => {
    const squatter = await newcomer()
    mustBe(await setOwn(squatter, { email: 'set@alike.example' }), 200)
    const answers = [mustBe(await invite('set@alike.example'), 201), mustBe(await invite('new@alike.example'), 201)]
    const [one, other] = answers.map(({ text, body: { data } }) =>
      text
        .replaceAll(data.id.slice(3), 'ID')
        .replaceAll(/(memberships\/)\w{32}/g, '$1LINK')
        .replaceAll(/(set|new)@/g, 'X@')
        .replaceAll(/data:image[^"]*/g, 'PICTURE')
        .replaceAll(/"created-at":"[^"]*"/g, 'TIME'),
    )
    expect(one).toBe(other)
  })

  test('users show whether their address is verified to those who see it', async () => {
    const carl = await newcomer()
    expect(await account(carl)).toMatchObject({ 'is-email-verified': true })
    const same = { email: carl.email.toUpperCase(), username: 'carl' }
    expect(mustBe(await setOwn(carl, same), 200).body.data.attributes).toMatchObject({ 'is-email-verified': true })
    expect(mustBe(await setOwn(carl, { email: 'carl@other.example' }), 200).body.data.attributes).toMatchObject({
      'is-email-verified': false,
    })
    // Going back does not verify it again: somebody else could have had it meanwhile.
    mustBe(await setOwn(carl, { email: carl.email }), 200)
    expect(await account(carl)).toMatchObject({ email: carl.email, 'is-email-verified': false })
    mustBe(await setOwn(carl, { 'is-email-verified': true, emailVerified: true }), 200)
    expect(await account(carl)).toMatchObject({ 'is-email-verified': false })
    const shown = mustBe(await app.root.get(`/api/v2/users/${carl.id}`), 200).body.data.attributes
    expect(shown).toMatchObject({ 'is-email-verified': false })
    mustBe(await setFor(carl, { email: carl.email }), 200)
    expect(await account(carl)).toMatchObject({ 'is-email-verified': true })
    mustBe(await invite(carl.email), 201)
    const dana = await newcomer()
    mustBe(await invite(dana.email), 201)
    const toMembers = mustBe(await carl.get(`/api/v2/users/${dana.id}`), 200).body.data.attributes
    expect(toMembers.email).toBeNull()
    expect(toMembers).not.toHaveProperty('is-email-verified')
  })

  test('the administrator that the root token acts as has a verified address, and what site administrators set counts', async () => {
    const { attributes } = mustBe(await app.root.get('/api/v2/account/details'), 200).body.data
    expect(attributes).toMatchObject({ username: 'admin', 'is-email-verified': true })
    const chief = await newcomer()
    mustBe(await setFor(chief, { 'is-admin': true }), 200)
    mustBe(await setOwn(chief, { email: 'chief@corp.example' }), 200)
    expect(await account(chief)).toMatchObject({ 'is-email-verified': true })
  })

  test('an administrator who sets the address of an account lets it accept the invitations for it', async () => {
    const gina = await newcomer()
    const email = 'gina@moved.example'
    const { id } = mustBe(await invite(email), 201).body.data
    mustBe(await setOwn(gina, { email }), 200)
    expect(await statusOf(id)).toBe('invited')
    mustBe(await setFor(gina, { email }), 200)
    expect(await statusOf(id)).toBe('active')
    mustBe(await gina.get('/api/v2/organizations/acme'), 200)
    const told = mustBe(await ann.get(`/api/v2/organizations/acme/changes?filter[subject][id]=${id}`), 200).body.data
    expect(told[0].attributes).toMatchObject({ before: { status: 'invited' }, after: { status: 'active' } })
  })

  test('an administrator gives an address that somebody has set to another person, whose account then has it', async () => {
    const [squatter, owner] = [await newcomer(), await newcomer()]
    const yard = await organization(squatter, 'yard')
    const email = 'wanted@corp.example'
    mustBe(await setOwn(squatter, { email }), 200)
    const { id } = mustBe(await invite(email), 201).body.data
    // Nobody takes an address but an administrator, not even one of an organization.
    expect(pointers(mustBe(await setOwn(owner, { email }), 422))).toEqual(['/data/attributes/email'])
    const given = mustBe(await setFor(owner, { email: 'Wanted@corp.example' }), 200).body.data.attributes
    expect(given).toMatchObject({ email: 'Wanted@corp.example', 'is-email-verified': true })
    expect(await statusOf(id)).toBe('active')
    mustBe(await owner.get('/api/v2/organizations/acme'), 200)
    const lost = await account(squatter)
    expect(lost.email).toMatch(/^no-address-\w+@holdfast\.example\.com$/)
    expect(lost['is-email-verified']).toBe(false)
    const [own] = mustBe(await squatter.get(membersOf(yard)), 200).body.data
    expect(own.attributes).toMatchObject({ status: 'active', email: lost.email })
    // A verified one stays where it is.
    const third = await newcomer()
    expect(pointers(mustBe(await setFor(third, { email }), 422))).toEqual(['/data/attributes/email'])
  })

  test('an account that an administrator creates has its address, also one that somebody has set', async () => {
    const squatter = await newcomer()
    mustBe(await setOwn(squatter, { email: 'hired@corp.example' }), 200)
    const { id } = mustBe(await invite('hired@corp.example'), 201).body.data
    const body = doc('users', { username: 'hired', email: 'hired@corp.example' })
    expect(
      pointers(
        mustBe(
          await app.root.post('/api/v2/admin/users', doc('users', { username: 'ann', email: 'hired@corp.example' })),
          422,
        ),
      ),
    ).toEqual(['/data/attributes/username'])
    expect((await account(squatter)).email).toBe('hired@corp.example')
    const made = mustBe(await app.root.post('/api/v2/admin/users', body), 201).body.data
    expect(made.attributes).toMatchObject({ email: 'hired@corp.example', 'is-email-verified': true })
    const shown = mustBe(await ann.get(`/api/v2/organization-memberships/${id}`), 200).body.data
    expect(shown).toMatchObject({
      attributes: { status: 'active' },
      relationships: { user: { data: { id: made.id } } },
    })
    expect((await account(squatter)).email).not.toBe('hired@corp.example')
  })

  test('a member who sets the address of somebody else loses it in the organization, too', async () => {
    const [squatter, owner] = [await newcomer(), await newcomer()]
    for (const { email } of [squatter, owner]) mustBe(await invite(email), 201)
    mustBe(await setOwn(squatter, { email: 'both@corp.example' }), 200)
    mustBe(await setFor(owner, { email: 'both@corp.example' }), 200)
    const found = mustBe(await ann.get(`${membersOf(acme)}?filter[email]=both@corp.example`), 200).body.data
    expect(found).toMatchObject([{ relationships: { user: { data: { id: owner.id } } } }])
  })

  test('of an administrator and the user who set the address at the same moment the administrator has it', async () => {
    for (let round = 0; round < 10; round++) {
      const [user, other] = [await newcomer(), await newcomer()]
      const email = `race-${round}@corp.example`
      const [set, given] = await Promise.all([setOwn(user, { email }), setFor(other, { email })])
      mustBe(given, 200)
      expect([200, 422]).toContain(set.status)
      expect(await account(other)).toMatchObject({ email, 'is-email-verified': true })
      expect(await account(user)).not.toMatchObject({ email })
    }
  })

  test('who is invited can be read as a user by those who see the membership, and by nobody else', async () => {
    const stranger = await newcomer()
    const { data, included } = mustBe(await invite('placeholder@corp.example'), 201).body
    const path = `/api/v2/users/${data.relationships.user.data.id}`
    mustBe(await stranger.get(path), 404)
    mustBe(await stranger.get(`/api/v2/organization-memberships/${data.id}`), 404)
    const member = await newcomer()
    mustBe(await invite(member.email), 201)
    for (const who of [ann, member, app.root]) {
      const shown = mustBe(await who.get(path), 200).body.data
      expect(shown).toEqual(included[0])
      expect(shown.attributes).toMatchObject({ username: '', email: 'placeholder@corp.example' })
    }
    mustBe(await ann.delete(`/api/v2/organization-memberships/${data.id}`), 204)
    mustBe(await ann.get(path), 404)
  })
})
