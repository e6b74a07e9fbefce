import { expect, test } from 'vitest'
import { siteWithAnn } from '../../../../../test/support/browser.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, type Person, person } from '../../../../../test/support/platform.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  test('invitation: the link works once, also for concurrent requests, and expires after 7 days', async () => {
    const invite = async (username: string) => {
      const body = doc('users', { username, email: `${username}@example.com` })
      const url = mustBe(await site.app.root.post('/api/v2/admin/users', body), 201).body.data.attributes[
        'invitation-url'
      ] as string
      expect(url.startsWith(`${site.app.url}/app/invitations/`)).toBe(true)
      return url.slice(site.app.url.length)
    }
    const password = { password: 'first password', password_confirmation: 'first password' }
    const path = await invite('carl')
    mustBe(await site.newBrowser().get('/app/invitations/short'), 404)
    // The page of an organization of that name, or that the pages are not built yet.
    expect([200, 503]).toContain((await site.newBrowser().get('/app/invitations/workspaces')).status)
    mustBe(await site.newBrowser().get(`/app/invitations/${'x'.repeat(32)}`), 404)
    mustBe(await site.newBrowser().get(path.replace('invitations', 'resets')), 404)
    expect(mustBe(await site.newBrowser().get(path), 200).text).toContain('carl')
    mustBe(await site.newBrowser().submit(path, { password: 'a', password_confirmation: 'a' }), 422)
    const differ = mustBe(await site.newBrowser().submit(path, { ...password, password_confirmation: 'other' }), 422)
    expect(differ.text).toContain('<title>Error: Welcome to Holdfast – Holdfast</title>')
    expect(differ.text.match(/<input [^>]*aria-describedby="problem"/g)).toHaveLength(2)
    mustBe(await site.newBrowser().submit(path, password, { origin: 'https://evil.example' }), 403)
    const answers = await Promise.all([site.newBrowser(), site.newBrowser()].map((page) => page.submit(path, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    mustBe(await site.newBrowser().get(path), 404)
    mustBe(await site.newBrowser().submit('/app/sign-in', { username: 'carl', password: 'first password' }), 303)
    const late = await invite('late')
    site.app.clock.advance('7d')
    mustBe(await site.newBrowser().get(late), 404)
  })

  test('reset: a newer link invalidates the older one; setting the password ends all sessions', async () => {
    const link = async () => {
      const made = mustBe(await site.app.root.post(`/api/v2/admin/users/${site.ann.id}/actions/reset-password`), 201)
        .body.data
      return (made.attributes['reset-url'] as string).slice(site.app.url.length)
    }
    const page = await site.signedIn()
    const [first, second] = [await link(), await link()]
    mustBe(await site.newBrowser().get(first), 404)
    const again = { password: 'right password', password_confirmation: 'right password' }
    mustBe(await site.newBrowser().submit(second, again), 303)
    mustBe(await page.get('/app/session'), 401)
  })

  test('links: redeeming a link or changing a password leaves links of other users valid', async () => {
    const [eli, fay] = [await person(site.app, 'eli'), await person(site.app, 'fay')]
    const link = async (who: Person) => {
      const made = mustBe(await site.app.root.post(`/api/v2/admin/users/${who.id}/actions/reset-password`), 201).body
        .data
      return (made.attributes['reset-url'] as string).slice(site.app.url.length)
    }
    const waiting = await link(fay)
    const redeemed = await link(eli)
    mustBe(await site.newBrowser().get(waiting), 200)
    mustBe(await site.newBrowser().submit(redeemed, { password: 'of eli', password_confirmation: 'of eli' }), 422)
    const password = { password: 'password of eli', password_confirmation: 'password of eli' }
    mustBe(await site.newBrowser().submit(redeemed, password), 303)
    mustBe(await site.newBrowser().get(waiting), 200)
    const change = { password: 'another of eli', 'current-password': 'password of eli' }
    mustBe(await eli.patch('/api/v2/account/password', doc('users', change)), 200)
    mustBe(await site.newBrowser().get(waiting), 200)
  })

  test('reset: of links created concurrently exactly one works', async () => {
    const path = `/api/v2/admin/users/${site.ann.id}/actions/reset-password`
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(Array.from({ length: 8 }, () => site.app.root.post(path)))
      const links = made.map((answer) =>
        mustBe(answer, 201).body.data.attributes['reset-url'].slice(site.app.url.length),
      )
      const pages = await Promise.all(links.map((link: string) => site.newBrowser().get(link)))
      expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })
})
