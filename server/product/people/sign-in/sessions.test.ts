import { expect, test } from 'vitest'
import { siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { endSessionsOf, resumeSession, startSession } from '../users/index.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  test('session: serves /api/v2 as the user; writes need its own CSRF token; /v1 is 403', async () => {
    const page = await site.signedIn()
    expect(mustBe(await page.get('/app/session'), 200).body).toMatchObject({ username: 'ann', site_admin: false })
    expect(mustBe(await page.get('/api/v2/account/details'), 200).body.data.id).toBe(site.ann.id)
    const body = doc('organizations', { name: 'by-session', email: 'a@b' })
    mustBe(await page.send('POST', '/api/v2/organizations', body), 403)
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': 'wrong' }), 403)
    const other = await site.signedIn()
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': await other.csrf() }), 403)
    mustBe(await page.send('POST', '/api/v2/organizations', body, { 'x-csrf-token': await page.csrf() }), 201)
    mustBe(await page.get('/v1/sys/mounts'), 403)
  })

  test('session: ends after a day without use and after two weeks in any case', async () => {
    const idle = await site.signedIn()
    site.app.clock.advance('23h')
    mustBe(await idle.get('/app/session'), 200)
    site.app.clock.advance('23h')
    mustBe(await idle.get('/app/session'), 200)
    site.app.clock.advance('25h')
    mustBe(await idle.get('/app/session'), 401)
    const busy = await site.signedIn()
    for (let hour = 0; hour < 14 * 24; hour += 23) {
      mustBe(await busy.get('/app/session'), 200)
      site.app.clock.advance('23h')
    }
    mustBe(await busy.get('/app/session'), 401)
  })

  test('sign-out: ends this session, or all with everywhere; without the CSRF token it is 403', async () => {
    const [here, there] = [await site.signedIn(), await site.signedIn()]
    mustBe(await here.submit('/app/sign-out', { csrf: 'wrong' }), 403)
    const stolen = here.cookie()
    mustBe(await here.submit('/app/sign-out', { csrf: await here.csrf() }), 303)
    mustBe(await site.app.anonymous.get('/app/session', { headers: { cookie: stolen } }), 401)
    mustBe(await there.get('/app/session'), 200)
    const again = await site.signedIn()
    mustBe(await again.submit('/app/sign-out', { csrf: await again.csrf(), everywhere: 'true' }), 303)
    mustBe(await there.get('/app/session'), 401)
  })

  test('sessions and passwords: those of one user do not affect another user', async () => {
    const cat = await person(site.app, 'cat', 'password of cat')
    const dan = await person(site.app, 'dan', 'password of dan')
    const signIn = (username: string, password: string) =>
      site.newBrowser().submit('/app/sign-in', { username, password })
    mustBe(await signIn('dan', 'password of dan'), 303)
    mustBe(await signIn('dan', 'password of cat'), 401)
    const [hers, his] = [site.newBrowser(), site.newBrowser()]
    mustBe(await hers.submit('/app/sign-in', { token: cat.token }), 303)
    mustBe(await his.submit('/app/sign-in', { token: dan.token }), 303)
    mustBe(await hers.submit('/app/sign-out', { csrf: await hers.csrf(), everywhere: 'true' }), 303)
    mustBe(await his.get('/app/session'), 200)
  })

  test('session: using one session does not keep another session of the user alive', async () => {
    const [used, idle] = [await site.signedIn(), await site.signedIn()]
    site.app.clock.advance('20h')
    mustBe(await used.get('/app/session'), 200)
    site.app.clock.advance('5h')
    mustBe(await used.get('/app/session'), 200)
    mustBe(await idle.get('/app/session'), 401)
  })

  test('session: one that is ended while it is being resumed cannot be resumed afterwards', async () => {
    for (let round = 0; round < 60; round++) {
      const text = await startSession(site.app.deps, { userId: site.ann.id, remoteAddress: '127.0.0.1', userAgent: '' })
      site.app.clock.advance('6m')
      const uses = Array.from({ length: 6 }, async (_, place) => {
        for (let ticks = 0; ticks < place; ticks++) await new Promise(setImmediate)
        return resumeSession(site.app.deps, text)
      })
      await endSessionsOf(site.app.deps, site.ann.id)
      await Promise.all(uses)
      expect(await resumeSession(site.app.deps, text)).toBeUndefined()
    }
  })

  test('session: works even if its use cannot be recorded, as on a full disk', async () => {
    const { deps } = site.app
    const text = await startSession(deps, { userId: site.ann.id, remoteAddress: '127.0.0.1', userAgent: '' })
    await resumeSession(deps, text)
    site.app.clock.advance('6m')
    const updateTable = () => {
      throw new Error('no space left')
    }
    const db = { updateTable } as unknown as typeof deps.db
    expect(await resumeSession({ ...deps, db }, text)).toMatchObject({ userId: site.ann.id })
  })

  test('password change: ends all sessions of the user', async () => {
    const page = await site.signedIn()
    const change = { password: 'right password', 'current-password': 'right password' }
    mustBe(await site.ann.patch('/api/v2/account/password', doc('users', change)), 200)
    mustBe(await page.get('/app/session'), 401)
  })

  test('first password: a user token cannot set it, nor a session that began with one (403)', async () => {
    const eve = await person(site.app, 'eve')
    const body = doc('users', { password: 'password of eve' })
    mustBe(await eve.patch('/api/v2/account/password', body), 403)
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: eve.token }), 303)
    const csrf = { 'x-csrf-token': await page.csrf() }
    mustBe(await page.send('PATCH', '/api/v2/account/password', body, csrf), 403)
    mustBe(await site.newBrowser().submit('/app/sign-in', { username: 'eve', password: 'password of eve' }), 401)
    mustBe(await page.get('/app/session'), 200)
  })

  test('first password: a session without a token sets it', async () => {
    const fred = await person(site.app, 'fred')
    const text = await startSession(site.app.deps, { userId: fred.id, remoteAddress: '127.0.0.1', userAgent: '' })
    const cookie = `holdfast_session=${text}`
    const session = mustBe(await site.app.anonymous.get('/app/session', { headers: { cookie } }), 200)
    const headers = { cookie, 'x-csrf-token': session.body.csrf_token }
    const body = doc('users', { password: 'password of fred' })
    mustBe(await site.app.anonymous.send('PATCH', '/api/v2/account/password', body, { headers }), 200)
    mustBe(await site.newBrowser().submit('/app/sign-in', { username: 'fred', password: 'password of fred' }), 303)
  })

  test('session: use on another node counts; the cached last use does not end the session early', async () => {
    const page = await site.signedIn()
    mustBe(await page.get('/app/session'), 200)
    site.app.clock.advance('23h')
    await site.app.deps.db.updateTable('sessions').set({ last_seen_at: site.app.clock.now() }).execute()
    site.app.clock.advance('23h')
    mustBe(await page.get('/app/session'), 200)
    site.app.clock.advance('23h')
    mustBe(await page.get('/app/session'), 200)
    site.app.clock.advance('24h')
    mustBe(await page.get('/app/session'), 401)
  })

  test('session: one started with a user token gets 403 where user-tokens-enabled is false', async () => {
    const page = await site.signedIn()
    const byPassword = site.newBrowser()
    mustBe(await byPassword.submit('/app/sign-in', { username: 'ann', password: 'right password' }), 303)
    await organization(site.ann, 'closed')
    const change = doc('organizations', { 'user-tokens-enabled': false })
    mustBe(await site.ann.patch('/api/v2/organizations/closed', change), 200)
    mustBe(await site.ann.get('/api/v2/organizations/closed'), 403)
    mustBe(await page.get('/api/v2/organizations/closed'), 403)
    mustBe(await byPassword.get('/api/v2/organizations/closed'), 200)
  })

  test('session: one started with a user token ends when that token is revoked or expires', async () => {
    const begun = async (attributes: object) => {
      const body = doc('authentication-tokens', { description: 'for a browser', ...attributes })
      const made = mustBe(await site.ann.post(`/api/v2/users/${site.ann.id}/authentication-tokens`, body), 201).body
        .data
      const page = site.newBrowser()
      mustBe(await page.submit('/app/sign-in', { token: made.attributes.token }), 303)
      mustBe(await page.get('/app/session'), 200)
      return { page, id: made.id as string }
    }
    const revoked = await begun({})
    const { page: over } = await begun({ 'expired-at': new Date(site.app.clock.now() + 3_600_000).toISOString() })
    mustBe(await site.ann.delete(`/api/v2/authentication-tokens/${revoked.id}`), 204)
    mustBe(await revoked.page.get('/app/session'), 401)
    mustBe(await revoked.page.get('/api/v2/account/details'), 401)
    mustBe(await over.get('/app/session'), 200)
    site.app.clock.advance('1h')
    mustBe(await over.get('/app/session'), 401)
  })

  test('session: one started with a root token ends when that token is revoked or expires', async () => {
    const begun = async (terms: object) => {
      const { body } = mustBe(await site.app.root.post('/v1/auth/token/create', { policies: ['root'], ...terms }), 200)
      const page = site.newBrowser()
      mustBe(await page.submit('/app/sign-in', { token: body.auth.client_token }), 303)
      mustBe(await page.get('/api/v2/account/details'), 200)
      return { page, token: body.auth.client_token as string }
    }
    const revoked = await begun({})
    const { page: over } = await begun({ ttl: '1h' })
    mustBe(await site.app.root.post('/v1/auth/token/revoke', { token: revoked.token }), 204)
    mustBe(await revoked.page.get('/app/session'), 401)
    mustBe(await revoked.page.get('/api/v2/account/details'), 401)
    mustBe(await revoked.page.get('/oauth/authorization'), 400)
    site.app.clock.advance('1h')
    mustBe(await over.get('/api/v2/account/details'), 401)
  })
})
