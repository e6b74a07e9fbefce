import { expect, test } from 'vitest'
import { noticeIn, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { shared } from '../../../../test/support/shared.ts'

const fromOwnPage = { 'sec-fetch-site': 'same-origin' }

eachEngine((engine) => {
  const site = siteWithAnn(engine)
  const acme = shared(() => organization(site.ann, 'acme'))
  let made = 0

  /** The page of an invitation: a form for somebody who is signed in. */
  const newForm = async (): Promise<string> => {
    const path = `/api/v2/organizations/${acme.name}/organization-memberships`
    const email = `guest-${++made}@corp.example`
    const { body } = mustBe(await site.ann.post(path, doc('organization-memberships', { email })), 201)
    return new URL(body.data.attributes['invitation-url']).pathname
  }
  const members = async (): Promise<number> => {
    const path = `/api/v2/organizations/${acme.name}/organization-memberships?filter[status]=active`
    return mustBe(await site.ann.get(path), 200).body.data.length
  }

  test('form of a session that has ended: the sign-in page says that nothing was changed, once', async () => {
    const page = await site.signedIn()
    const form = await newForm()
    const csrf = await page.csrf()
    mustBe(await page.submit('/app/sign-out', { csrf }), 303)
    const sent = mustBe(await page.submit(form, { csrf }, fromOwnPage), 303)
    expect(sent.headers.location).toBe(`/app/sign-in?next=${encodeURIComponent(form)}`)
    const { text } = mustBe(await page.get(sent.headers.location as string), 200)
    expect(noticeIn(text)).toContain('nothing was changed. Sign in, then send the form again.')
    expect(text).toMatch(/name="username"[^>]* aria-describedby="notice" autofocus>/)
    expect(noticeIn(mustBe(await page.get('/app/sign-in'), 200).text)).toBeUndefined()
  })

  test('form of an earlier session: changes nothing and shows its page anew, with a form that works', async () => {
    const bob = await person(site.app, 'bob')
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: bob.token }), 303)
    const form = await newForm()
    const csrf = await page.csrf()
    mustBe(await page.submit('/app/sign-out', { csrf }), 303)
    mustBe(await page.submit('/app/sign-in', { token: bob.token }), 303)
    for (const headers of [fromOwnPage, { origin: site.app.url }]) {
      const sent = mustBe(await page.submit(form, { csrf }, headers), 303)
      expect(sent.headers.location).toBe(form)
      const { text } = mustBe(await page.get(form), 200)
      expect(noticeIn(text)).toContain('Nothing was changed, because you signed in again')
      expect(text).toMatch(/role="alert" tabindex="-1" autofocus>/)
    }
    const out = mustBe(await page.submit('/app/sign-out', { csrf, everywhere: 'true' }, fromOwnPage), 303)
    expect(out.headers.location).toBe('/app')
    const before = await members()
    mustBe(await page.submit(form, { csrf: await page.csrf() }, fromOwnPage), 303)
    expect(await members()).toBe(before + 1)
  })

  test('form with a wrong proof that no page of ours sent: 403, and it says what to do', async () => {
    const page = await site.signedIn()
    const form = await newForm()
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const { text } = mustBe(await page.submit(form, { csrf: 'forged' }, headers), 403)
      expect(text).toContain('Open the page again.')
    }
    mustBe(await page.submit(form, {}, fromOwnPage), 403)
  })

  test('notice: belongs to one page and one session, ends after a minute, and cannot be forged', async () => {
    const page = await site.signedIn()
    const form = await newForm()
    const stale = await page.csrf()
    mustBe(await page.submit('/app/sign-out', { csrf: stale }), 303)
    mustBe(await page.submit('/app/sign-in', { token: site.ann.token }), 303)
    const leave = async () => mustBe(await page.submit(form, { csrf: stale }, fromOwnPage), 303)
    const shown = async (path = form) => noticeIn((await page.get(path)).text)
    await leave()
    expect(await shown(form.replace('/app/', '/ui/'))).toBeUndefined()
    expect(await shown(await newForm())).toBeUndefined()
    const other = site.newBrowser()
    mustBe(await other.submit('/app/sign-in', { token: (await person(site.app, 'other')).token }), 303)
    const [, left] = page.cookie().split('; ')
    expect(left).toMatch(/^holdfast_notice=/)
    const stolen = `${other.cookie()}; ${left}`
    expect(noticeIn((await site.app.anonymous.get(form, { headers: { cookie: stolen } })).text)).toBeUndefined()
    const forged = page.cookie().replace('holdfast_notice=', 'holdfast_notice=x')
    expect(noticeIn((await site.app.anonymous.get(form, { headers: { cookie: forged } })).text)).toBeUndefined()
    expect(await shown()).toContain('Nothing was changed')
    expect(await shown()).toBeUndefined()
    await leave()
    site.app.clock.advance('61s')
    expect(await shown()).toBeUndefined()
  })

  test('older addresses of the page of tokens lead to the account', async () => {
    const page = site.newBrowser()
    for (const prefix of ['/app', '/ui'])
      for (const path of ['/settings', '/settings/tokens'])
        expect(mustBe(await page.get(`${prefix}${path}`), 303).headers.location).toBe(`${prefix}/account/tokens`)
  })
})
