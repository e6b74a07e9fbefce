import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Browser, noticeIn, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, person } from '../../../../test/support/platform.ts'
import { later, toIso } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { JobRun } from '../../../kit/job.ts'
import { resumeSession } from '../users/index.ts'
import { codeSweep, makeCode, redeemCode } from './code-actions.ts'

const verifier = 'a-verifier-of-at-least-forty-three-characters-000'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const redirectUri = 'http://localhost:10003/login'
const page = `/oauth/authorization?${new URLSearchParams({
  response_type: 'code',
  client_id: 'terraform-cli',
  redirect_uri: redirectUri,
  state: 'question 1',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})}`
const password = 'first password of everyone'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  /** A browser that is signed in, and a code that was made there. */
  const codeAfter = async (fields: Record<string, string>): Promise<{ browser: Browser; code: string }> => {
    const browser = site.newBrowser()
    mustBe(await browser.submit('/app/sign-in', fields), 303)
    const allowed = mustBe(await browser.submit(page, { csrf: await browser.csrf(), decision: 'allow' }), 303)
    return { browser, code: new URL(String(allowed.headers.location)).searchParams.get('code') ?? '' }
  }

  const redeem = (code: string) =>
    site.newBrowser().submit('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'terraform-cli',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    })

  const mustBeUseless = async (code: string) => {
    expect(code).toHaveLength(40)
    expect(mustBe(await redeem(code), 400).body.error).toBe('invalid_grant')
  }

  test('code: of a session that began with a user token it is invalid_grant once the token is revoked', async () => {
    const path = `/api/v2/users/${site.ann.id}/authentication-tokens`
    const { data } = mustBe(await site.ann.post(path, doc('authentication-tokens')), 201).body
    const [used, left] = [await codeAfter(data.attributes), await codeAfter(data.attributes)]
    mustBe(await redeem(used.code), 200)
    mustBe(await site.ann.delete(`/api/v2/authentication-tokens/${data.id}`), 204)
    mustBe(await left.browser.get('/app/session'), 401)
    await mustBeUseless(left.code)
  })

  test('code: of a session that began with a root token it is invalid_grant once the token is revoked', async () => {
    const { auth } = mustBe(await site.app.root.post('/v1/auth/token/create', { policies: ['root'] }), 200).body
    const [used, left] = [await codeAfter({ token: auth.client_token }), await codeAfter({ token: auth.client_token })]
    mustBe(await redeem(used.code), 200)
    mustBe(await site.app.root.post('/v1/auth/token/revoke', { token: auth.client_token }), 204)
    await mustBeUseless(left.code)
  })

  test('code: after a password change or a reset it is invalid_grant', async () => {
    const bob = await person(site.app, 'bob', password)
    const { code } = await codeAfter({ username: 'bob', password })
    const change = { 'current-password': password, password: 'second password of everyone' }
    mustBe(await bob.patch('/api/v2/account/password', doc('users', change)), 200)
    await mustBeUseless(code)
    const again = await codeAfter({ username: 'bob', password: change.password })
    const made = mustBe(await site.app.root.post(`/api/v2/admin/users/${bob.id}/actions/reset-password`), 201).body.data
    const link = (made.attributes['reset-url'] as string).slice(site.app.url.length)
    mustBe(await site.newBrowser().submit(link, { password, password_confirmation: password }), 303)
    await mustBeUseless(again.code)
    expect(await site.app.deps.db.selectFrom('oauth_codes').select('hash').execute()).toEqual([])
  })

  test('code: after signing out it is invalid_grant; the code of another session works', async () => {
    const [one, other] = [await codeAfter({ token: site.ann.token }), await codeAfter({ token: site.ann.token })]
    mustBe(await one.browser.submit('/app/sign-out', { csrf: await one.browser.csrf() }), 303)
    await mustBeUseless(one.code)
    mustBe(await redeem(other.code), 200)
  })

  test('code: it works up to the end of its session, and is invalid_grant from then on', async () => {
    const { clock } = site.app
    const path = `/api/v2/users/${site.ann.id}/authentication-tokens`
    const brief = doc('authentication-tokens', { 'expired-at': toIso(later(clock.now(), 30_000)) })
    const { attributes } = mustBe(await site.ann.post(path, brief), 201).body.data
    const [used, left] = [await codeAfter(attributes), await codeAfter(attributes)]
    clock.advance('29s')
    mustBe(await redeem(used.code), 200)
    clock.advance('1s')
    await mustBeUseless(left.code)
  })

  test.each([
    ['a refusal', failure('conflict', 'test.refused', 'The token is refused.')],
    ['an error', new Error('There are no random numbers.')],
  ])('code: %s while its token is made is not taken for the end of the session', async (_what, thrown) => {
    const { deps } = site.app
    const { code } = await codeAfter({ token: site.ann.token })
    const newId = () => {
      throw thrown
    }
    const redeeming = redeemCode(
      { ...deps, ids: { ...deps.ids, newId } },
      { code, verifier, redirectUri, requestId: '' },
    )
    await expect(redeeming).rejects.toBe(thrown)
  })

  test('code: none is made in a session that has just ended', async () => {
    const { deps } = site.app
    const browser = await site.signedIn()
    const session = await resumeSession(deps, browser.cookie().split('=')[1] ?? '')
    if (!session) throw new Error('There is no session.')
    mustBe(await browser.submit('/app/sign-out', { csrf: await browser.csrf() }), 303)
    expect(await makeCode(deps, session, { challenge, redirectUri, state: '' })).toBeUndefined()
  })

  test('code: none is made by the form of an earlier session; the page is shown anew and says so', async () => {
    const browser = await site.signedIn()
    const csrf = await browser.csrf()
    mustBe(await browser.submit('/app/sign-out', { csrf }), 303)
    mustBe(await browser.submit('/app/sign-in', { token: site.ann.token }), 303)
    const sent = await browser.submit(page, { csrf, decision: 'allow' }, { 'sec-fetch-site': 'same-origin' })
    expect(mustBe(sent, 303).headers.location).toBe(page)
    const shown = mustBe(await browser.get(page), 200).text
    expect(noticeIn(shown)).toContain('Nothing was changed, because you signed in again')
  })

  test('code: the token of a further login leaves those of earlier ones in force', async () => {
    const tokens: string[] = []
    for (const _login of [1, 2]) {
      const { code } = await codeAfter({ token: site.ann.token })
      tokens.push(mustBe(await redeem(code), 200).body.access_token)
    }
    for (const token of [...tokens, site.ann.token]) {
      mustBe(await site.app.anonymous.as(token).get('/api/v2/account/details'), 200)
    }
  })

  test('code: each yields a token of the person who allowed it, whichever was made first', async () => {
    const eve = await person(site.app, 'eve')
    const [hers, anns] = [await codeAfter({ token: eve.token }), await codeAfter({ token: site.ann.token })]
    for (const [{ code }, { id }] of [
      [anns, site.ann],
      [hers, eve],
    ] as const) {
      const { access_token } = mustBe(await redeem(code), 200).body
      const account = mustBe(await site.app.anonymous.as(access_token).get('/api/v2/account/details'), 200)
      expect(account.body.data.id).toBe(id)
    }
  })

  test('code: the sweep removes those that are too old and keeps the others', async () => {
    const { deps, clock } = site.app
    await codeAfter({ token: site.ann.token })
    clock.advance('60s')
    const { code } = await codeAfter({ token: site.ann.token })
    // The sweep does not use its run.
    await codeSweep.run(deps, {} as JobRun)
    expect(await deps.db.selectFrom('oauth_codes').select('username').execute()).toEqual([{ username: 'ann' }])
    mustBe(await redeem(code), 200)
  })
})
