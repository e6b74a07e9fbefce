import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/support/client.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { doc, mustBe, organization, type Person, person } from '../../../test/support/platform.ts'
import { type TestApp, testApp } from '../../../test/support/test-app.ts'
import { later } from '../../kernel/clock.ts'
import { endSessionsOf, resumeSession, startSession } from '../users/index.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** A browser: keeps the cookie, sends forms, follows nothing. */
const browser = (client: Client) => {
  let cookie = ''
  const keep = (answer: Answer): Answer => {
    const [set] = [answer.headers['set-cookie']].flat()
    if (set) cookie = set.split(';')[0] as string
    return answer
  }
  const headers = (extra: Record<string, string> = {}) => ({ ...(cookie ? { cookie } : {}), ...extra })
  return {
    get: async (path: string) => keep(await client.get(path, { headers: headers() })),
    submit: async (path: string, fields: Record<string, string>, extra: Record<string, string> = {}) =>
      keep(
        await client.post(path, undefined, {
          raw: new URLSearchParams(fields).toString(),
          headers: headers({ ...form, ...extra }),
        }),
      ),
    send: (verb: string, path: string, body?: unknown, extra?: Record<string, string>) =>
      client.send(verb, path, body, { headers: headers(extra) }),
    csrf: async () => (await client.get('/app/session', { headers: headers() })).body?.csrf_token as string,
    cookie: () => cookie,
  }
}

eachEngine((engine) => {
  let app: TestApp
  let ann: Person

  beforeAll(async () => {
    app = await testApp({ engine })
    ann = await person(app, 'ann')
    mustBe(await ann.patch('/api/v2/account/password', doc('users', { password: 'right password' })), 200)
  })

  afterAll(() => app.close())

  const fresh = () => browser(app.anonymous)

  const signedIn = async () => {
    const page = fresh()
    mustBe(await page.submit('/app/sign-in', { token: ann.token }), 303)
    return page
  }

  test('sign-in: a wrong password and an unknown name get the same answer and no cookie', async () => {
    const wrong = mustBe(await fresh().submit('/app/sign-in', { username: 'ann', password: 'nope' }), 401)
    const unknown = mustBe(await fresh().submit('/app/sign-in', { username: 'nobody', password: 'nope' }), 401)
    expect(wrong.text).toBe(unknown.text.replace('value="nobody"', 'value="ann"'))
    expect(wrong.headers['set-cookie']).toBeUndefined()
    mustBe(await fresh().submit('/app/sign-in', { username: 'admin', password: '' }), 401)
    mustBe(await fresh().submit('/app/sign-in', {}), 401)
  })

  test('sign-in: after a wrong password the name is still there and the password is typed next', async () => {
    const empty = mustBe(await fresh().get('/app/sign-in'), 200)
    expect(empty.text).toMatch(/name="username"[^>]* autofocus>/)
    const wrong = mustBe(await fresh().submit('/app/sign-in', { username: '"ann"', password: 'nope' }), 401)
    expect(wrong.text).toContain('value="&quot;ann&quot;">')
    expect(wrong.text).toMatch(/name="password"[^>]* autofocus>/)
    expect(wrong.text).not.toContain('nope')
  })

  test('sign-in: a good password, by name in any case or by address, gives a cookie that scripts cannot read', async () => {
    for (const username of ['ann', 'ANN', 'ann@example.com']) {
      const answer = mustBe(await fresh().submit('/ui/sign-in', { username, password: 'right password' }), 303)
      expect(answer.headers.location).toBe('/ui/settings/tokens')
      expect(String(answer.headers['set-cookie'])).toMatch(
        /^holdfast_session=\w{40}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      )
    }
  })

  test('sign-in: behind a proxy that ends TLS the cookie stays on TLS', async () => {
    const behindProxy = await testApp({ engine, beside: app, settings: { baseUrl: 'https://holdfast.example.com' } })
    const answer = await browser(behindProxy.anonymous).submit('/app/sign-in', { token: ann.token })
    expect(String(mustBe(answer, 303).headers['set-cookie'])).toMatch(/; Secure$/)
    await behindProxy.close()
  })

  test('sign-in: leads only to pages of our own', async () => {
    const to = async (next: string) =>
      (await fresh().submit('/app/sign-in', { token: ann.token, next })).headers.location
    for (const own of ['/app/acme/workspaces', '/app/acme/workspaces?search=a+b&page=2'])
      expect(await to(own)).toBe(own)
    for (const bad of [
      'https://evil.example',
      '//evil.example',
      '/app//evil',
      '/v1/x',
      '/app/../v1',
      '/app?x=//evil.example',
      'javascript:alert(1)',
    ]) {
      expect(await to(bad)).toBe('/app/settings/tokens')
    }
  })

  test('sign-in: a form of another site is refused', async () => {
    const fields = { token: ann.token }
    mustBe(await fresh().submit('/app/sign-in', fields, { origin: 'https://evil.example' }), 403)
    mustBe(await fresh().submit('/app/sign-in', fields, { 'sec-fetch-site': 'cross-site' }), 403)
    mustBe(await fresh().submit('/app/sign-in', fields, { origin: app.url, 'sec-fetch-site': 'same-origin' }), 303)
  })

  test('pages: no inline script or style, nothing from elsewhere, and what was typed is escaped', async () => {
    const page = mustBe(await fresh().get('/app/sign-in?next=%22%3E%3Cscript%3E'), 200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text).not.toMatch(/<script|style="|https?:\/\//)
    mustBe(await fresh().get('/app/sign-in.css'), 200)
  })

  test('session: reads work, writes need the proof, and it serves the API as the person', async () => {
    const page = await signedIn()
    expect(mustBe(await page.get('/app/session'), 200).body).toMatchObject({ username: 'ann', site_admin: false })
    expect(mustBe(await page.get('/api/v2/account/details'), 200).body.data.id).toBe(ann.id)
    const body = doc('organizations', { name: 'by-session', email: 'a@b' })
    mustBe(await page.send('POST', '/api/v2/organizations', body), 403)
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': 'wrong' }), 403)
    const other = await signedIn()
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': await other.csrf() }), 403)
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': await page.csrf() }), 201)
    mustBe(await page.get('/v1/sys/mounts'), 403)
  })

  test('session: ends after a day without use and after two weeks in any case', async () => {
    const idle = await signedIn()
    app.clock.advance('23h')
    mustBe(await idle.get('/app/session'), 200)
    app.clock.advance('23h')
    mustBe(await idle.get('/app/session'), 200)
    app.clock.advance('25h')
    mustBe(await idle.get('/app/session'), 401)
    const busy = await signedIn()
    for (let hour = 0; hour < 14 * 24; hour += 23) {
      mustBe(await busy.get('/app/session'), 200)
      app.clock.advance('23h')
    }
    mustBe(await busy.get('/app/session'), 401)
  })

  test('sign-out: here, or everywhere; a foreign form cannot', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    mustBe(await here.submit('/app/sign-out', { csrf: 'wrong' }), 403)
    const stolen = here.cookie()
    mustBe(await here.submit('/app/sign-out', { csrf: await here.csrf() }), 303)
    mustBe(await app.anonymous.get('/app/session', { headers: { cookie: stolen } }), 401)
    mustBe(await there.get('/app/session'), 200)
    const again = await signedIn()
    mustBe(await again.submit('/app/sign-out', { csrf: await again.csrf(), everywhere: 'true' }), 303)
    mustBe(await there.get('/app/session'), 401)
  })

  test('sessions and passwords: what becomes of one concerns no other person', async () => {
    const [cat, dan] = [await person(app, 'cat'), await person(app, 'dan')]
    const setPassword = async (who: Person, fields: object) =>
      mustBe(await who.patch('/api/v2/account/password', doc('users', fields)), 200)
    await setPassword(dan, { password: 'password of dan' })
    await setPassword(cat, { password: 'password of cat' })
    const signIn = (username: string, password: string) => fresh().submit('/app/sign-in', { username, password })
    mustBe(await signIn('dan', 'password of dan'), 303)
    mustBe(await signIn('dan', 'password of cat'), 401)
    const [hers, his] = [fresh(), fresh()]
    mustBe(await hers.submit('/app/sign-in', { token: cat.token }), 303)
    mustBe(await his.submit('/app/sign-in', { token: dan.token }), 303)
    mustBe(await hers.submit('/app/sign-out', { csrf: await hers.csrf(), everywhere: 'true' }), 303)
    mustBe(await his.get('/app/session'), 200)
  })

  test('session: the use of one keeps no other alive', async () => {
    const [used, idle] = [await signedIn(), await signedIn()]
    app.clock.advance('20h')
    mustBe(await used.get('/app/session'), 200)
    app.clock.advance('5h')
    mustBe(await used.get('/app/session'), 200)
    mustBe(await idle.get('/app/session'), 401)
  })

  test('session: one that ends at the moment of its first use in a while is not remembered', async () => {
    for (let round = 0; round < 60; round++) {
      const text = await startSession(app.deps, { userId: ann.id, remoteAddress: '127.0.0.1', userAgent: '' })
      app.clock.advance('6m')
      const uses = Array.from({ length: 6 }, async (_, place) => {
        for (let ticks = 0; ticks < place; ticks++) await new Promise(setImmediate)
        return resumeSession(app.deps, text)
      })
      await endSessionsOf(app.deps, ann.id)
      await Promise.all(uses)
      expect(await resumeSession(app.deps, text)).toBeUndefined()
    }
  })

  test('password change: every session ends', async () => {
    const page = await signedIn()
    const change = { password: 'right password', 'current-password': 'right password' }
    mustBe(await ann.patch('/api/v2/account/password', doc('users', change)), 200)
    mustBe(await page.get('/app/session'), 401)
  })

  test('tokens page: leads to sign-in without a session, makes a token that works, and revokes it', async () => {
    const asked = mustBe(await fresh().get('/app/settings/tokens'), 303)
    expect(asked.headers.location).toBe('/app/sign-in?next=%2Fapp%2Fsettings%2Ftokens')
    const page = await signedIn()
    mustBe(await page.submit('/app/settings/tokens', { description: 'laptop' }), 403)
    const made = mustBe(
      await page.submit('/app/settings/tokens', { csrf: await page.csrf(), description: '<b>laptop' }),
      200,
    )
    const token = /hfu\.[0-9A-Za-z]{32}/.exec(made.text)?.[0] as string
    expect(made.text).toContain('&lt;b&gt;laptop')
    mustBe(await ann.as(token).get('/api/v2/account/details'), 200)
    const shown = mustBe(await page.get('/app/settings/tokens'), 200)
    expect(shown.text).not.toContain(token)
    const listed = mustBe(await ann.get(`/api/v2/users/${ann.id}/authentication-tokens`), 200).body.data
    const { id, attributes } = listed.find(
      (each: { attributes: { description: string } }) => each.attributes.description === '<b>laptop',
    )
    const inTwoYears = `${new Date(app.clock.now()).getUTCFullYear() + 2}-`
    expect(attributes['expired-at']).toMatch(new RegExp(`^${inTwoYears}`))
    expect(shown.text).toContain(`<td class="whole" data-label="Ends"><time>${inTwoYears}`)
    expect(shown.text).toContain('aria-label="Revoke &lt;b&gt;laptop"')
    mustBe(await page.submit(`/app/settings/tokens/${id}/revoke`, { csrf: await page.csrf() }), 303)
    mustBe(await ann.as(token).get('/api/v2/account/details'), 401)
  })

  test('tokens page: of very many the newest are shown, and that there are more is told', async () => {
    const bob = await person(app, 'many-tokens')
    const path = `/api/v2/users/${bob.id}/authentication-tokens`
    const make = (number: number) => bob.post(path, doc('authentication-tokens', { description: `number ${number}` }))
    for (let number = 1; number <= 100; number++) mustBe(await make(number), 201)
    const page = fresh()
    mustBe(await page.submit('/app/sign-in', { token: bob.token }), 303)
    const { text } = mustBe(await page.get('/app/settings/tokens'), 200)
    expect(text.match(/<tr><td>/g)).toHaveLength(100)
    expect(text).toContain('the newest 100 of 101')
  })

  test('tokens page: nobody revokes a token of another person', async () => {
    const bob = await person(app, 'bob')
    const page = await signedIn()
    const [{ id }] = mustBe(await bob.get(`/api/v2/users/${bob.id}/authentication-tokens`), 200).body.data
    mustBe(await page.submit(`/app/settings/tokens/${id}/revoke`, { csrf: await page.csrf() }), 303)
    mustBe(await bob.get('/api/v2/account/details'), 200)
  })

  test('sign-in with a token: a user token, the root token for both APIs, no other', async () => {
    const empty = await fresh().submit('/app/sign-in', { token: '' })
    mustBe(empty, 422)
    expect(empty.text).toContain('Enter the token.')
    mustBe(await fresh().submit('/app/sign-in', { token: 'nonsense' }), 401)
    const person = fresh()
    mustBe(await person.submit('/app/sign-in', { token: ann.token }), 303)
    expect(mustBe(await person.get('/app/session'), 200).body.username).toBe('ann')
    mustBe(await person.get('/v1/sys/mounts'), 403)
    const root = fresh()
    mustBe(await root.submit('/app/sign-in', { token: app.rootToken }), 303)
    expect(mustBe(await root.get('/app/session'), 200).body).toMatchObject({ username: 'admin', site_admin: true })
    mustBe(await root.get('/v1/sys/mounts'), 200)
    mustBe(await root.send('POST', '/v1/sys/policies/acl/by-session', { policy: '' }), 403)
    const proof = { 'x-csrf-token': await root.csrf() }
    mustBe(
      await root.send(
        'POST',
        '/v1/sys/policies/acl/by-session',
        { policy: 'path "a" { capabilities = ["read"] }' },
        proof,
      ),
      204,
    )
  })

  test('session: one that is used elsewhere does not end here for want of use', async () => {
    const page = await signedIn()
    mustBe(await page.get('/app/session'), 200)
    app.clock.advance('23h')
    await app.deps.db.updateTable('sessions').set({ last_seen_at: app.clock.now() }).execute()
    app.clock.advance('23h')
    mustBe(await page.get('/app/session'), 200)
    app.clock.advance('23h')
    mustBe(await page.get('/app/session'), 200)
    app.clock.advance('24h')
    mustBe(await page.get('/app/session'), 401)
  })

  test('session: one that began with a user token does not open an organization that is closed to those', async () => {
    const page = await signedIn()
    const byPassword = fresh()
    mustBe(await byPassword.submit('/app/sign-in', { username: 'ann', password: 'right password' }), 303)
    await organization(ann, 'closed')
    const change = doc('organizations', { 'user-tokens-enabled': false })
    mustBe(await ann.patch('/api/v2/organizations/closed', change), 200)
    mustBe(await ann.get('/api/v2/organizations/closed'), 403)
    mustBe(await page.get('/api/v2/organizations/closed'), 403)
    mustBe(await page.get('/app/closed/workspaces'), 404)
    mustBe(await byPassword.get('/api/v2/organizations/closed'), 200)
    mustBe(await byPassword.get('/app/closed/workspaces'), 200)
  })

  test('session: one that began with a user token ends when that is revoked or over', async () => {
    const begun = async (attributes: object) => {
      const body = doc('authentication-tokens', { description: 'for a browser', ...attributes })
      const made = mustBe(await ann.post(`/api/v2/users/${ann.id}/authentication-tokens`, body), 201).body.data
      const page = fresh()
      mustBe(await page.submit('/app/sign-in', { token: made.attributes.token }), 303)
      mustBe(await page.get('/app/session'), 200)
      return { page, id: made.id as string }
    }
    const revoked = await begun({})
    const { page: over } = await begun({ 'expired-at': new Date(app.clock.now() + 3_600_000).toISOString() })
    mustBe(await ann.delete(`/api/v2/authentication-tokens/${revoked.id}`), 204)
    mustBe(await revoked.page.get('/app/session'), 401)
    mustBe(await revoked.page.get('/api/v2/account/details'), 401)
    mustBe(await over.get('/app/session'), 200)
    app.clock.advance('1h')
    mustBe(await over.get('/app/session'), 401)
  })

  test('session: one that began with a root token ends with it, also for pages and the platform', async () => {
    const begun = async (terms: object) => {
      const { body } = mustBe(await app.root.post('/v1/auth/token/create', { policies: ['root'], ...terms }), 200)
      const page = fresh()
      mustBe(await page.submit('/app/sign-in', { token: body.auth.client_token }), 303)
      mustBe(await page.get('/api/v2/account/details'), 200)
      return { page, token: body.auth.client_token as string }
    }
    const revoked = await begun({})
    const { page: over } = await begun({ ttl: '1h' })
    mustBe(await app.root.post('/v1/auth/token/revoke', { token: revoked.token }), 204)
    mustBe(await revoked.page.get('/app/session'), 401)
    mustBe(await revoked.page.get('/api/v2/account/details'), 401)
    mustBe(await revoked.page.get('/app/settings/tokens'), 303)
    app.clock.advance('1h')
    mustBe(await over.get('/api/v2/account/details'), 401)
  })

  test('sign-in with a token: one whose uses are counted is refused, and its use is counted', async () => {
    const { body } = mustBe(await app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 1 }), 200)
    const token = body.auth.client_token as string
    mustBe(await fresh().submit('/app/sign-in', { token }), 401)
    mustBe(await app.root.post('/v1/auth/token/lookup', { token }), 403)
  })

  test('sign-in: a name that is far too long is a wrong name', async () => {
    const username = Array.from({ length: 4_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
    ).join('')
    mustBe(await fresh().submit('/app/sign-in', { username: username.slice(0, 1_500), password: 'nope' }), 401)
  })

  test('invitation: the link works once, for whoever is first, and for a week', async () => {
    const invite = async (username: string) => {
      const body = doc('users', { username, email: `${username}@example.com` })
      const url = mustBe(await app.root.post('/api/v2/admin/users', body), 201).body.data.attributes[
        'invitation-url'
      ] as string
      expect(url.startsWith(`${app.url}/app/invitations/`)).toBe(true)
      return url.slice(app.url.length)
    }
    const password = { password: 'first password', password_confirmation: 'first password' }
    const path = await invite('carl')
    mustBe(await fresh().get('/app/invitations/short'), 404)
    mustBe(await fresh().get('/app/invitations/workspaces'), 303)
    mustBe(await fresh().get(`/app/invitations/${'x'.repeat(32)}`), 404)
    mustBe(await fresh().get(path.replace('invitations', 'resets')), 404)
    expect(mustBe(await fresh().get(path), 200).text).toContain('carl')
    mustBe(await fresh().submit(path, { password: 'a', password_confirmation: 'a' }), 422)
    mustBe(await fresh().submit(path, { ...password, password_confirmation: 'other' }), 422)
    const answers = await Promise.all([fresh(), fresh()].map((page) => page.submit(path, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    mustBe(await fresh().get(path), 404)
    mustBe(await fresh().submit('/app/sign-in', { username: 'carl', password: 'first password' }), 303)
    const late = await invite('late')
    app.clock.advance('7d')
    mustBe(await fresh().get(late), 404)
  })

  test('reset: a new link makes the one before useless, and signs out everywhere', async () => {
    const link = async () => {
      const made = mustBe(await app.root.post(`/api/v2/admin/users/${ann.id}/actions/reset-password`), 201).body.data
      return (made.attributes['reset-url'] as string).slice(app.url.length)
    }
    const page = await signedIn()
    const [first, second] = [await link(), await link()]
    mustBe(await fresh().get(first), 404)
    const again = { password: 'right password', password_confirmation: 'right password' }
    mustBe(await fresh().submit(second, again), 303)
    mustBe(await page.get('/app/session'), 401)
  })

  test('links: what becomes of one leaves those of others as they are', async () => {
    const [eli, fay] = [await person(app, 'eli'), await person(app, 'fay')]
    const link = async (who: Person) => {
      const made = mustBe(await app.root.post(`/api/v2/admin/users/${who.id}/actions/reset-password`), 201).body.data
      return (made.attributes['reset-url'] as string).slice(app.url.length)
    }
    const waiting = await link(fay)
    const redeemed = await link(eli)
    mustBe(await fresh().get(waiting), 200)
    mustBe(await fresh().submit(redeemed, { password: 'of eli', password_confirmation: 'of eli' }), 422)
    const password = { password: 'password of eli', password_confirmation: 'password of eli' }
    mustBe(await fresh().submit(redeemed, password), 303)
    mustBe(await fresh().get(waiting), 200)
    const change = { password: 'another of eli', 'current-password': 'password of eli' }
    mustBe(await eli.patch('/api/v2/account/password', doc('users', change)), 200)
    mustBe(await fresh().get(waiting), 200)
  })

  test('reset: of links made at the same moment one works', async () => {
    const path = `/api/v2/admin/users/${ann.id}/actions/reset-password`
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(Array.from({ length: 8 }, () => app.root.post(path)))
      const links = made.map((answer) => mustBe(answer, 201).body.data.attributes['reset-url'].slice(app.url.length))
      const pages = await Promise.all(links.map((link: string) => fresh().get(link)))
      expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  test('throttling: the sixth wrong guess waits, longer each time, and a good password then works', async () => {
    const dora = await person(app, 'dora')
    mustBe(await dora.patch('/api/v2/account/password', doc('users', { password: 'right password' })), 200)
    const guess = (password: string) => fresh().submit('/app/sign-in', { username: 'dora', password })
    for (let count = 0; count < 5; count++) mustBe(await guess('wrong'), 401)
    const blocked = mustBe(await guess('right password'), 429)
    expect(blocked.headers['retry-after']).toBe('1')
    app.clock.advance('1s')
    mustBe(await guess('wrong'), 401)
    expect(mustBe(await guess('wrong'), 429).headers['retry-after']).toBe('2')
    app.clock.advance('2s')
    mustBe(await guess('right password'), 303)
    mustBe(await guess('wrong'), 401)
  })

  test('throttling: a clock that is set back keeps nobody out, and guesses wait as before', async () => {
    const gus = await person(app, 'gus')
    mustBe(await gus.patch('/api/v2/account/password', doc('users', { password: 'right password' })), 200)
    const guess = (password: string) => fresh().submit('/app/sign-in', { username: 'gus', password })
    for (let count = 0; count < 5; count++) mustBe(await guess('wrong'), 401)
    mustBe(await guess('right password'), 429)
    const before = app.clock.now()
    app.clock.set(later(before, -86_400_000))
    mustBe(await guess('wrong'), 401)
    mustBe(await guess('wrong'), 429)
    app.clock.advance('2s')
    mustBe(await guess('right password'), 303)
    app.clock.set(before)
  })

  test('throttling: many guesses at once are not judged at once', async () => {
    await person(app, 'eve')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => fresh().submit('/app/sign-in', { username: 'eve', password: 'wrong' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})
