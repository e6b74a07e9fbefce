import { expect, test } from 'vitest'
import { noticeIn, siteWithAnn } from '../../../../../test/support/browser.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../../test/support/platform.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  test('tokens page: needs a session and the CSRF token, creates a working token and revokes it', async () => {
    const asked = mustBe(await site.newBrowser().get('/app/settings/tokens'), 303)
    expect(asked.headers.location).toBe('/app/sign-in?next=%2Fapp%2Fsettings%2Ftokens')
    const page = await site.signedIn()
    mustBe(await page.submit('/app/settings/tokens', { description: 'laptop' }), 403)
    const made = mustBe(
      await page.submit('/app/settings/tokens', { csrf: await page.csrf(), description: '<b>laptop' }),
      200,
    )
    const token = /hfu\.[0-9A-Za-z]{32}/.exec(made.text)?.[0] as string
    expect(made.text).toContain('&lt;b&gt;laptop')
    mustBe(await site.ann.as(token).get('/api/v2/account/details'), 200)
    const shown = mustBe(await page.get('/app/settings/tokens'), 200)
    expect(shown.text).not.toContain(token)
    const listed = mustBe(await site.ann.get(`/api/v2/users/${site.ann.id}/authentication-tokens`), 200).body.data
    const { id, attributes } = listed.find(
      (each: { attributes: { description: string } }) => each.attributes.description === '<b>laptop',
    )
    const inTwoYears = `${new Date(site.app.clock.now()).getUTCFullYear() + 2}-`
    expect(attributes['expired-at']).toMatch(new RegExp(`^${inTwoYears}`))
    expect(shown.text).toContain(`<td class="whole" data-label="Expires"><time>${inTwoYears}`)
    expect(shown.text).toContain('<summary>Revoke<span class="unseen"> &lt;b&gt;laptop</span></summary>')
    expect(shown.text).toContain('>Revoke permanently<span class="unseen">: &lt;b&gt;laptop</span></button>')
    expect(shown.text).toContain('What uses it stops working at once.')
    const revoked = mustBe(await page.submit(`/app/settings/tokens/${id}/revoke`, { csrf: await page.csrf() }), 303)
    expect(revoked.headers.location).toBe('/app/settings/tokens')
    const after = mustBe(await page.get('/app/settings/tokens'), 200).text
    expect(noticeIn(after)).toBe('The token “&lt;b&gt;laptop” is revoked. What used it has no access any more.')
    expect(after).not.toContain('<th scope="row">&lt;b&gt;laptop')
    for (const path of ['/app/settings/tokens', '/app/settings/tokens?revoked=true'])
      expect(noticeIn(mustBe(await page.get(path), 200).text)).toBeUndefined()
    mustBe(await site.ann.as(token).get('/api/v2/account/details'), 401)
  })

  test('tokens page: a form creates one token and shows it to a second click; a minute later it is 409', async () => {
    const page = await site.signedIn()
    const numberIn = (text: string) => /name="form" value="(\w+)"/.exec(text)?.[1] as string
    const form = numberIn(mustBe(await page.get('/app/settings/tokens'), 200).text)
    const fields = { csrf: await page.csrf(), form, description: 'clicked twice' }
    const send = () => page.submit('/app/settings/tokens', fields)
    const answers = await Promise.all([send(), send(), send()])
    const tokens = answers.map((answer) => /hfu\.[0-9A-Za-z]{32}/.exec(mustBe(answer, 200).text)?.[0] as string)
    expect(new Set(tokens).size).toBe(1)
    expect(mustBe(await page.get('/app/settings/tokens'), 200).text).toMatch(
      /clicked twice<\/th>[\s\S]*?data-label="Last used">never/,
    )
    mustBe(await site.ann.as(tokens[0] as string).get('/api/v2/account/details'), 200)
    site.app.clock.advance('61s')
    const again = mustBe(await send(), 409)
    expect(again.text).toContain('its token was created then. If you did not see it, revoke it.')
    expect(again.text).not.toMatch(/hfu\.[0-9A-Za-z]{32}/)
    expect(again.text.match(/<th scope="row">clicked twice/g)).toHaveLength(1)
    mustBe(await page.submit('/app/settings/tokens', { ...fields, form: numberIn(again.text) }), 200)
    const other = await site.signedIn()
    const { text } = mustBe(await other.submit('/app/settings/tokens', { ...fields, csrf: await other.csrf() }), 200)
    expect(text).not.toContain(tokens[0])
  })

  test('tokens page: a token that is revoked at once is not shown to the second click', async () => {
    const page = await site.signedIn()
    const fields = { csrf: await page.csrf(), form: 'sent-twice', description: 'short-lived' }
    mustBe(await page.submit('/app/settings/tokens', fields), 200)
    const { text } = mustBe(await page.get('/app/settings/tokens'), 200)
    const id = /short-lived<\/th>[\s\S]*?tokens\/(at-\w+)\/revoke/.exec(text)?.[1]
    mustBe(await page.submit(`/app/settings/tokens/${id}/revoke`, fields), 303)
    expect(mustBe(await page.submit('/app/settings/tokens', fields), 409).text).not.toMatch(/hfu\.\w{32}/)
  })

  test('tokens page: whoever revokes the token of the own session learns on the sign-in page what happened', async () => {
    const bob = await person(site.app, 'leaver')
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: bob.token }), 303)
    const [{ id }] = mustBe(await bob.get(`/api/v2/users/${bob.id}/authentication-tokens`), 200).body.data
    const sent = await page.submit(`/app/settings/tokens/${id}/revoke`, { csrf: await page.csrf() })
    expect(mustBe(sent, 303).headers.location).toBe('/app/sign-in')
    expect(noticeIn(mustBe(await page.get('/app/sign-in'), 200).text)).toContain(
      'You had signed in with it, so you are signed out.',
    )
    expect(noticeIn(mustBe(await page.get('/app/sign-in'), 200).text)).toBeUndefined()
  })

  test('pages: each shows the signed-in user and a sign-out form', async () => {
    await organization(site.ann, 'shown')
    const page = await site.signedIn()
    const paths = ['/app/settings/tokens', '/app/shown/workspaces', '/app/nowhere/workspaces', '/ui/shown/workspaces']
    for (const path of paths) {
      const { text } = await page.get(path)
      expect([path, text]).toEqual([path, expect.stringContaining('Signed in as <strong>ann</strong>')])
      expect(text).toContain(
        `<form class="who" method="post" action="${path.slice(0, 4).replace(/\/$/, '')}/sign-out">`,
      )
    }
    const { text } = await page.get('/app/shown/workspaces')
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string
    mustBe(await page.submit('/app/sign-out', { csrf }), 303)
    mustBe(await page.get('/app/shown/workspaces'), 303)
  })

  test('tokens page: shows the newest 100 tokens and says how many there are', async () => {
    const bob = await person(site.app, 'many-tokens')
    const path = `/api/v2/users/${bob.id}/authentication-tokens`
    const make = (number: number) => bob.post(path, doc('authentication-tokens', { description: `number ${number}` }))
    for (let number = 1; number <= 100; number++) mustBe(await make(number), 201)
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: bob.token }), 303)
    const { text } = mustBe(await page.get('/app/settings/tokens'), 200)
    expect(text.match(/<th scope="row">/g)).toHaveLength(100)
    expect(text).toContain('the newest 100 of 101')
  })

  test('tokens page: nobody revokes a token of another person', async () => {
    const bob = await person(site.app, 'bob')
    const page = await site.signedIn()
    const [{ id }] = mustBe(await bob.get(`/api/v2/users/${bob.id}/authentication-tokens`), 200).body.data
    const revoked = mustBe(await page.submit(`/app/settings/tokens/${id}/revoke`, { csrf: await page.csrf() }), 303)
    expect(revoked.headers.location).toBe('/app/settings/tokens')
    mustBe(await bob.get('/api/v2/account/details'), 200)
  })
})
