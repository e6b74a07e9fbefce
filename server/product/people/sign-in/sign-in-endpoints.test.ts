import { expect, test } from 'vitest'
import { browser, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, person } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { later } from '../../../kernel/clock.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  test('sign-in: a wrong password and an unknown name get the same answer and no cookie', async () => {
    const wrong = mustBe(await site.newBrowser().submit('/app/sign-in', { username: 'ann', password: 'nope' }), 401)
    const unknown = mustBe(
      await site.newBrowser().submit('/app/sign-in', { username: 'nobody', password: 'nope' }),
      401,
    )
    expect(wrong.text).toBe(unknown.text.replace('value="nobody"', 'value="ann"'))
    expect(wrong.headers['set-cookie']).toBeUndefined()
    mustBe(await site.newBrowser().submit('/app/sign-in', { username: 'admin', password: '' }), 401)
    mustBe(await site.newBrowser().submit('/app/sign-in', {}), 401)
  })

  test('sign-in: after a wrong password the form keeps the name and focuses the password field', async () => {
    const empty = mustBe(await site.newBrowser().get('/app/sign-in'), 200)
    expect(empty.text).toMatch(/name="username"[^>]* autofocus>/)
    const wrong = mustBe(await site.newBrowser().submit('/app/sign-in', { username: '"ann"', password: 'nope' }), 401)
    expect(wrong.text).toContain('value="&quot;ann&quot;"')
    expect(wrong.text).toMatch(/name="password"[^>]* autofocus>/)
    expect(wrong.text).not.toContain('nope')
  })

  test('sign-in: a sealed server says so, whether the password is right or wrong', async () => {
    const sealed = await ownApp({ engine })
    await person(sealed, 'ann')
    mustBe(await sealed.root.post('/v1/sys/seal'), 204)
    const visitor = browser(sealed.anonymous)
    expect(mustBe(await visitor.get('/app/sign-in'), 503).text).toContain('Holdfast is sealed')
    for (const username of ['ann', 'nobody']) {
      const answer = await visitor.submit('/app/sign-in', { username, password: 'wrong password' })
      expect(mustBe(answer, 503).text).toContain('Holdfast is sealed')
    }
  })

  test('sign-in: after a wrong or missing token the form focuses the token field', async () => {
    for (const token of ['hfu.wrong', '']) {
      const { text } = await site.newBrowser().submit('/app/sign-in', { token })
      expect(text).toMatch(/name="token"[^>]* autofocus>/)
      expect(text.match(/ autofocus>/g)).toHaveLength(1)
      expect(text).not.toContain('hfu.wrong')
    }
  })

  test('sign-in: the password works with the name in any case or the e-mail; the cookie is HttpOnly', async () => {
    for (const username of ['ann', 'ANN', 'ann@example.com']) {
      const answer = mustBe(
        await site.newBrowser().submit('/ui/sign-in', { username, password: 'right password' }),
        303,
      )
      expect(answer.headers.location).toBe('/ui/workspaces')
      expect(String(answer.headers['set-cookie'])).toMatch(
        /^holdfast_session=\w{40}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      )
    }
  })

  test('sign-in: with an https base URL the cookie is Secure, also behind a proxy that terminates TLS', async () => {
    const behindProxy = await ownApp({
      engine,
      beside: site.app,
      settings: { baseUrl: 'https://holdfast.example.com' },
    })
    const answer = await browser(behindProxy.anonymous).submit('/app/sign-in', { token: site.ann.token })
    expect(String(mustBe(answer, 303).headers['set-cookie'])).toMatch(/; Secure$/)
  })

  test('sign-in: redirects only to own pages, whatever next says', async () => {
    const to = async (next: string) =>
      (await site.newBrowser().submit('/app/sign-in', { token: site.ann.token, next })).headers.location
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
      expect(await to(bad)).toBe('/app/workspaces')
    }
  })

  test('sign-in: an error is in the window title and tied to the fields of the form that was sent', async () => {
    const tied = / aria-invalid="true" aria-describedby="problem"/
    const fresh = mustBe(await site.newBrowser().get('/app/sign-in'), 200).text
    expect(fresh).toContain('<title>Sign in – Holdfast</title>')
    expect(fresh).not.toMatch(tied)
    const inputs = async (fields: Record<string, string>) => {
      const { text } = mustBe(await site.newBrowser().submit('/app/sign-in', fields), 401)
      expect(text).toContain('<title>Error: Sign in – Holdfast</title>')
      expect(text).toContain('role="alert" id="problem"')
      return [...text.matchAll(/<input name="(\w+)"[^>]*>/g)].filter(([tag]) => tied.test(tag)).map(([, name]) => name)
    }
    expect(await inputs({ username: 'ann', password: 'wrong password' })).toEqual(['username', 'password'])
    expect(await inputs({ token: 'hfu.wrong' })).toEqual(['token'])
  })

  test('sign-in page: after a link on another site it loads once more, to see whether somebody is signed in', async () => {
    const page = await site.signedIn()
    const asked = '/app/sign-in?next=%2Fapp%2Facme%2Fworkspaces'
    const get = (path: string) => page.send('GET', path, undefined, { 'sec-fetch-site': 'cross-site' })
    const again = '/app/sign-in?again=true&next=%2Fapp%2Facme%2Fworkspaces'
    expect(mustBe(await get(asked), 200).headers.refresh).toBe(`0; url=${again}`)
    expect(mustBe(await page.get(again), 303).headers.location).toBe('/app/acme/workspaces')
    const strangers = mustBe(await site.newBrowser().get(again), 200)
    expect(strangers.text).toContain('name="next" value="/app/acme/workspaces"')
    for (const path of [
      again.replace('%2Fapp', 'https%3A%2F%2Fevil.example'),
      '/app/sign-in?next=%2Foauth%2Fauthorization%3Fa',
    ])
      expect((await get(path)).headers.refresh).toBeUndefined()
  })

  test('sign-in: a form of another site is refused', async () => {
    const fields = { token: site.ann.token }
    mustBe(await site.newBrowser().submit('/app/sign-in', fields, { origin: 'https://evil.example' }), 403)
    mustBe(await site.newBrowser().submit('/app/sign-in', fields, { 'sec-fetch-site': 'cross-site' }), 403)
    mustBe(
      await site.newBrowser().submit('/app/sign-in', fields, { origin: site.app.url, 'sec-fetch-site': 'same-origin' }),
      303,
    )
  })

  test('pages: have a CSP and no inline script or style, no outside links, and escape the next parameter', async () => {
    const page = mustBe(await site.newBrowser().get('/app/sign-in?next=%22%3E%3Cscript%3E'), 200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text).not.toMatch(/<script|style="|https?:\/\//)
    const sheet = mustBe(await site.newBrowser().get('/app/sign-in.css'), 200)
    expect(sheet.headers['cache-control']).toBe('max-age=300')
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('sign-in with a token: accepts user and root tokens; only root opens /v1, with CSRF for writes', async () => {
    const empty = await site.newBrowser().submit('/app/sign-in', { token: '' })
    mustBe(empty, 422)
    expect(empty.text).toContain('Enter the token.')
    mustBe(await site.newBrowser().submit('/app/sign-in', { token: 'nonsense' }), 401)
    const person = site.newBrowser()
    mustBe(await person.submit('/app/sign-in', { token: site.ann.token }), 303)
    expect(mustBe(await person.get('/app/session'), 200).body.username).toBe('ann')
    mustBe(await person.get('/v1/sys/mounts'), 403)
    const root = site.newBrowser()
    mustBe(await root.submit('/app/sign-in', { token: site.app.rootToken }), 303)
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

  test('sign-in with a token: one with limited uses is refused with 401 and the attempt uses it up', async () => {
    const { body } = mustBe(await site.app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 1 }), 200)
    const token = body.auth.client_token as string
    mustBe(await site.newBrowser().submit('/app/sign-in', { token }), 401)
    mustBe(await site.app.root.post('/v1/auth/token/lookup', { token }), 403)
  })

  test('sign-in: a user name of 1500 characters is answered with 401', async () => {
    const username = Array.from({ length: 4_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
    ).join('')
    mustBe(
      await site.newBrowser().submit('/app/sign-in', { username: username.slice(0, 1_500), password: 'nope' }),
      401,
    )
  })

  test('throttling: no number of good passwords and tokens is too many', async () => {
    const good = [
      ...Array.from({ length: 6 }, () => ({ username: 'ann', password: 'right password' })),
      ...Array.from({ length: 51 }, () => ({ token: site.ann.token })),
    ]
    for (const fields of good) mustBe(await site.newBrowser().submit('/app/sign-in', fields), 303)
  })

  test('throttling: after five wrong guesses each further one waits longer (429); a good password works', async () => {
    await person(site.app, 'dora', 'right password')
    const guess = (password: string) => site.newBrowser().submit('/app/sign-in', { username: 'dora', password })
    for (let count = 0; count < 5; count++) mustBe(await guess('wrong'), 401)
    const blocked = mustBe(await guess('right password'), 429)
    expect(blocked.headers['retry-after']).toBe('1')
    site.app.clock.advance('1s')
    mustBe(await guess('wrong'), 401)
    expect(mustBe(await guess('wrong'), 429).headers['retry-after']).toBe('2')
    site.app.clock.advance('2s')
    mustBe(await guess('right password'), 303)
    mustBe(await guess('wrong'), 401)
  })

  test('throttling: after the clock is set back users are not locked out and guesses are still throttled', async () => {
    await person(site.app, 'gus', 'right password')
    const guess = (password: string) => site.newBrowser().submit('/app/sign-in', { username: 'gus', password })
    for (let count = 0; count < 5; count++) mustBe(await guess('wrong'), 401)
    mustBe(await guess('right password'), 429)
    const before = site.app.clock.now()
    site.app.clock.set(later(before, -86_400_000))
    mustBe(await guess('wrong'), 401)
    mustBe(await guess('wrong'), 429)
    site.app.clock.advance('2s')
    mustBe(await guess('right password'), 303)
    site.app.clock.set(before)
  })

  test('throttling: of twelve concurrent wrong guesses five are 401 and seven are 429', async () => {
    await person(site.app, 'eve')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        site.newBrowser().submit('/app/sign-in', { username: 'eve', password: 'wrong' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})
