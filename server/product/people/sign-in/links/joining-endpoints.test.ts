import { readFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { expect, test } from 'vitest'
import { type Browser, siteWithAnn } from '../../../../../test/support/browser.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  type Organization,
  organization,
  type Person,
  person,
  team,
} from '../../../../../test/support/platform.ts'
import { shared } from '../../../../../test/support/shared.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import { joinByLink } from '../../users/index.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)
  const acme = shared(() => organization(site.ann, 'acme'))
  const members = (of: Pick<Organization, 'name'> = acme) => `/api/v2/organizations/${of.name}/organization-memberships`
  let made = 0

  const newcomer = (): Promise<Person> => person(site.app, `newcomer-${++made}`, 'right password')
  const signedIn = async (who: Person): Promise<Browser> => {
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: who.token }), 303)
    return page
  }

  /** A new invitation: its membership, and the path of its link. */
  const invitation = async (email = `guest-${++made}@corp.example`, relationships?: object) => {
    const { data } = mustBe(
      await site.ann.post(members(), doc('organization-memberships', { email }, relationships)),
      201,
    ).body
    const url = data.attributes['invitation-url'] as string
    expect(url).toMatch(/^http:\/\/[^/]+\/app\/memberships\/\w{32}$/)
    return { id: data.id as string, email, url, path: new URL(url).pathname }
  }
  const shown = async (id: string) =>
    mustBe(await site.ann.get(`/api/v2/organization-memberships/${id}`), 200).body.data
  const account = (username: string, attributes: Record<string, string> = {}) => ({
    username,
    email: `${username}@own.example`,
    password: 'first password',
    password_confirmation: 'first password',
    ...attributes,
  })

  test('joining: a text that is no link, an old link and one of a withdrawn invitation are 404 and do nothing', async () => {
    const ben = await signedIn(await newcomer())
    const csrf = await ben.csrf()
    const refused = async (path: string) => {
      expect(mustBe(await ben.get(path), 404).text).toContain('This link does not work')
      mustBe(await ben.submit(path, { csrf }), 404)
      mustBe(await site.newBrowser().get(path), 404)
      mustBe(await site.newBrowser().submit(path, account(`never-${++made}`)), 404)
      const found = mustBe(await site.app.root.get(`/api/v2/admin/users?q=never-${made}`), 200).body.data
      expect(found).toEqual([])
    }
    await refused(`/app/memberships/${'x'.repeat(32)}`)
    await refused('/app/memberships/a%3Cb%3E')
    const withdrawn = await invitation()
    await refused(withdrawn.path.replace('memberships', 'invitations'))
    mustBe(await site.ann.delete(`/api/v2/organization-memberships/${withdrawn.id}`), 204)
    await refused(withdrawn.path)
    const late = await invitation()
    mustBe(await ben.get(late.path), 200)
    site.app.clock.advance('7d')
    const back = await signedIn(await newcomer())
    mustBe(await back.get(late.path), 404)
    mustBe(await back.submit(late.path, { csrf: await back.csrf() }), 404)
    mustBe(await site.newBrowser().submit(late.path, account(`late-${++made}`)), 404)
    expect((await shown(late.id)).attributes.status).toBe('invited')
    // Withdrawn and made again, it has a link that works.
    mustBe(await site.ann.delete(`/api/v2/organization-memberships/${late.id}`), 204)
    mustBe(await back.get((await invitation(late.email)).path), 200)
    // The page of an organization of that name, or that the pages are not built yet.
    expect([200, 503]).toContain((await ben.get('/app/memberships/workspaces')).status)
  })

  test('joining: whoever is signed in becomes the member, with the teams, and the link is used up', async () => {
    const crew = await team(acme, 'joining-crew')
    const ben = await newcomer()
    const { id, path, email } = await invitation(undefined, { teams: { data: [{ type: 'teams', id: crew.id }] } })
    const page = await signedIn(ben)
    const { text } = mustBe(await page.get(path), 200)
    expect(text).toContain('<strong>acme</strong>')
    expect(text).toContain(email)
    expect(text).toContain(`Join as ${ben.username}`)
    // Opening it does nothing yet.
    expect((await shown(id)).attributes.status).toBe('invited')
    const joined = mustBe(await page.submit(path, { csrf: await page.csrf() }), 303)
    expect(joined.headers.location).toBe('/app/acme/workspaces')
    const membership = await shown(id)
    expect(membership.attributes).toMatchObject({ status: 'active', email: ben.email })
    expect(membership.relationships.user.data.id).toBe(ben.id)
    expect(membership.relationships.teams.data.map((each: { id: string }) => each.id)).toEqual([crew.id])
    mustBe(await ben.get('/api/v2/organizations/acme'), 200)
    mustBe(await page.get(path), 404)
    const [told] = mustBe(await site.ann.get(`/api/v2/organizations/acme/changes?filter[subject][id]=${id}`), 200).body
      .data
    expect(told.attributes).toMatchObject({
      before: { status: 'invited', email },
      after: { status: 'active', email: ben.email },
      actor: { id: ben.id },
    })
  })

  test('joining: the form needs the proof that it is ours, and a session', async () => {
    const { id, path } = await invitation()
    const page = await signedIn(await newcomer())
    mustBe(await page.submit(path, {}), 403)
    mustBe(await page.submit(path, { csrf: 'x' }), 403)
    const asked = mustBe(await site.newBrowser().submit(path, { csrf: 'x' }), 303)
    expect(asked.headers.location).toBe(`/app/sign-in?next=${encodeURIComponent(path)}`)
    const foreign = { origin: 'https://evil.example' }
    mustBe(await site.newBrowser().submit(path, account(`forged-${++made}`), foreign), 403)
    expect((await shown(id)).attributes.status).toBe('invited')
  })

  test('joining: somebody who is not signed in is led through sign-in and back to the link', async () => {
    const ben = await newcomer()
    const { id, path } = await invitation()
    const page = site.newBrowser()
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
    const again = mustBe(await site.app.anonymous.get(path, crossSite), 200)
    expect(again.headers.refresh).toBe(`0; url=${path}?again=true`)
    mustBe(await site.app.anonymous.get(`${path}?again=true`, crossSite), 200)
    const { text } = mustBe(await page.get(path), 200)
    const address = /<a href="(\/app\/sign-in[^"]*)"/.exec(text)?.[1] ?? ''
    const next = /name="next" value="([^"]*)"/.exec(mustBe(await page.get(address), 200).text)?.[1] ?? ''
    expect(next).toBe(path)
    const back = mustBe(
      await page.submit('/app/sign-in', { username: ben.username, password: 'right password', next }),
      303,
    )
    expect(back.headers.location).toBe(path)
    mustBe(await page.submit(path, { csrf: await page.csrf() }), 303)
    expect((await shown(id)).relationships.user.data.id).toBe(ben.id)
  })

  test('joining: an account that is made there is the member, signed in, and its address is not verified', async () => {
    const { id, path, email } = await invitation()
    const page = site.newBrowser()
    expect(mustBe(await page.get(path), 200).text).toContain(`value="${email}"`)
    const username = `joined-${++made}`
    const answer = mustBe(await page.submit(path, account(username, { email })), 303)
    expect(answer.headers.location).toBe('/app/acme/workspaces')
    mustBe(await page.get('/app/session'), 200)
    const membership = await shown(id)
    expect(membership.attributes).toMatchObject({ status: 'active', email })
    const user = mustBe(await site.app.root.get(`/api/v2/users/${membership.relationships.user.data.id}`), 200).body
      .data
    expect(user.attributes).toMatchObject({ username, email, 'is-email-verified': false, 'is-admin': false })
    mustBe(await site.newBrowser().submit('/app/sign-in', { username, password: 'first password' }), 303)
    mustBe(await site.newBrowser().submit(path, account(`second-${++made}`)), 404)
    // The owner who chose the address must not have made it one that accepts the invitations of others.
    const zoo = await organization(await newcomer(), `zoo-${made}`)
    const elsewhere = mustBe(await zoo.owner.post(members(zoo), doc('organization-memberships', { email })), 201).body
    expect(elsewhere.data.attributes.status).toBe('invited')
  })

  test('joining: an account with a bad name, address or password, or with those of others, is 422 and leaves the link', async () => {
    const { id, path } = await invitation()
    const ben = await newcomer()
    const refused = async (attributes: Record<string, string>, text: string) => {
      const answer = mustBe(await site.newBrowser().submit(path, account('fine-name', attributes)), 422)
      expect(answer.text).toContain(text)
      expect(answer.text).toContain('<title>Error: Join acme – Holdfast</title>')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.text).not.toContain('first password')
    }
    await refused({ username: ben.username.toUpperCase() }, 'Username has already been taken')
    await refused({ username: '<b>' }, 'Username may contain only')
    await refused({ username: '' }, 'Username may contain only')
    await refused({ email: 'Ann@example.com' }, 'Email has already been taken. Use another one for now:')
    await refused({ email: 'nothing' }, 'E-mail address must be an e-mail address')
    await refused({ password: 'short', password_confirmation: 'short' }, 'at least 8 characters')
    await refused({ password_confirmation: 'other' }, 'The two passwords differ.')
    expect((await shown(id)).attributes.status).toBe('invited')
    mustBe(await site.newBrowser().submit(path, account(`fine-${++made}`)), 303)
  })

  test('joining: a member, and somebody whose address has another invitation there, are told so and leave the link', async () => {
    const first = await invitation()
    const owner = await site.signedIn()
    const answer = mustBe(await owner.submit(first.path, { csrf: await owner.csrf() }), 422)
    expect(answer.text).toContain('You are a member of acme already. The link still works for somebody else.')
    const ben = await newcomer()
    const second = await invitation()
    mustBe(await ben.patch('/api/v2/account/update', doc('users', { email: second.email })), 200)
    const page = await signedIn(ben)
    const other = mustBe(await page.submit(first.path, { csrf: await page.csrf() }), 422)
    expect(other.text).toContain(`acme has another invitation for ${second.email}: use the link of that one.`)
    mustBe(await page.submit(second.path, { csrf: await page.csrf() }), 303)
    for (const { id, status } of [
      { ...first, status: 'invited' },
      { ...second, status: 'active' },
    ])
      expect((await shown(id)).attributes.status).toBe(status)
  })

  test('joining: of several who use a link at the same moment exactly one is the member', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, path } = await invitation()
      const pages = await Promise.all(Array.from({ length: 3 }, async () => signedIn(await newcomer())))
      const tokens = await Promise.all(pages.map((page) => page.csrf()))
      const names = [`racer-${++made}`, `racer-${++made}`]
      const answers = await Promise.all([
        ...pages.map((page, at) => page.submit(path, { csrf: tokens[at] ?? '' })),
        ...names.map((name) => site.newBrowser().submit(path, account(name))),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404])
      expect((await shown(id)).attributes.status).toBe('active')
      // Whoever came too late has no account either.
      const there = mustBe(await site.app.root.get('/api/v2/admin/users?q=racer-'), 200).body.data
      const taken = there.map(({ attributes }: { attributes: { username: string } }) => attributes.username)
      expect(names.filter((name) => taken.includes(name)).length).toBe(
        answers.slice(3).filter(({ status }) => status === 303).length,
      )
    }
  })

  test('joining: of the withdrawal and the use of an invitation at the same moment, no half of either is left', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, path } = await invitation()
      const ben = await newcomer()
      const page = await signedIn(ben)
      const csrf = await page.csrf()
      const [used] = await Promise.all([
        page.submit(path, { csrf }),
        site.ann.delete(`/api/v2/organization-memberships/${id}`),
      ])
      expect([303, 404]).toContain(used.status)
      mustBe(await site.ann.get(`/api/v2/organization-memberships/${id}`), 404)
      mustBe(await ben.get('/api/v2/organizations/acme'), 404)
    }
  })

  test('joining: a suspended person does not join, and an administrator who gives the address ends the link', async () => {
    const ben = await newcomer()
    const { id, path, email } = await invitation()
    const page = await signedIn(ben)
    const csrf = await page.csrf()
    mustBe(await site.app.root.post(`/api/v2/admin/users/${ben.id}/actions/suspend`), 200)
    mustBe(await page.submit(path, { csrf }), 303)
    // Not even if the session is ended while the form is on its way.
    const late = joinByLink(site.app.deps, serverAuthor, path.split('/').at(-1) ?? '', ben.id)
    await expect(late).rejects.toMatchObject({ code: 'link.unknown' })
    expect((await shown(id)).attributes.status).toBe('invited')
    mustBe(await site.app.root.patch(`/api/v2/admin/users/${ben.id}`, doc('users', { email })), 200)
    expect((await shown(id)).relationships.user.data.id).toBe(ben.id)
    mustBe(await site.newBrowser().get(path), 404)
  })

  test('joining: the text of a link is in the one answer, and in no list, change, table or record', async () => {
    const file = joinPath(site.app.data.directory, 'joining-audit.log')
    mustBe(await site.app.root.post('/v1/sys/audit/joining', { type: 'file', options: { file_path: file } }), 204)
    const { id, path } = await invitation()
    const text = path.split('/').at(-1) ?? ''
    const page = site.newBrowser()
    mustBe(await page.get(path), 200)
    mustBe(await page.get(`/app/sign-in?next=${encodeURIComponent(path)}`), 200)
    const places = [members(), `${members()}?include=user`, `/api/v2/organization-memberships/${id}?include=user`]
    for (const place of [...places, '/api/v2/organizations/acme/changes']) {
      const answer = mustBe(await site.ann.get(place), 200).text
      expect(answer).toContain(id)
      expect(answer).not.toContain(text)
      expect(answer).not.toContain('invitation-url')
    }
    mustBe(await page.submit(path, account(`audited-${++made}`)), 303)
    await site.app.root.delete('/v1/sys/audit/joining')
    const records = await readFile(file, 'utf8')
    expect(records).toContain('app/memberships/:token')
    expect(records).not.toContain(text)
    const rows = JSON.stringify(await site.app.deps.db.selectFrom('organization_memberships').selectAll().execute())
    expect(rows).toContain(id)
    expect(rows).not.toContain(text)
  })
})
