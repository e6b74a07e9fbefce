import { expect, test } from 'vitest'
import { noticeIn, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, person } from '../../../../test/support/platform.ts'

const tokens = '/app/settings/tokens'
const fromOwnPage = { 'sec-fetch-site': 'same-origin' }

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  test('form of a session that has ended: the sign-in page says that nothing was changed, once', async () => {
    const page = await site.signedIn()
    const csrf = await page.csrf()
    mustBe(await page.submit('/app/sign-out', { csrf }), 303)
    const sent = mustBe(await page.submit(tokens, { csrf, description: 'never made' }, fromOwnPage), 303)
    expect(sent.headers.location).toBe(`/app/sign-in?next=${encodeURIComponent(tokens)}`)
    const { text } = mustBe(await page.get(sent.headers.location as string), 200)
    expect(noticeIn(text)).toContain('nothing was changed. Sign in, then send the form again.')
    expect(text).toMatch(/name="username"[^>]* aria-describedby="notice" autofocus>/)
    expect(noticeIn(mustBe(await page.get('/app/sign-in'), 200).text)).toBeUndefined()
    expect(mustBe(await page.get(tokens), 303).headers['set-cookie']).toBeUndefined()
  })

  test('form of an earlier session: changes nothing and shows its page anew, with a form that works', async () => {
    const page = await site.signedIn()
    const csrf = await page.csrf()
    mustBe(await page.submit('/app/sign-out', { csrf }), 303)
    mustBe(await page.submit('/app/sign-in', { token: site.ann.token }), 303)
    for (const headers of [fromOwnPage, { origin: site.app.url }]) {
      const sent = mustBe(await page.submit(tokens, { csrf, description: 'from a stale tab' }, headers), 303)
      expect(sent.headers.location).toBe(tokens)
      const { text } = mustBe(await page.get(tokens), 200)
      expect(noticeIn(text)).toContain('Nothing was changed, because you signed in again')
      expect(text).not.toContain('from a stale tab')
      expect(text).toMatch(/role="alert" tabindex="-1" autofocus>/)
    }
    const out = mustBe(await page.submit('/app/sign-out', { csrf, everywhere: 'true' }, fromOwnPage), 303)
    expect(out.headers.location).toBe(tokens)
    mustBe(await page.submit(tokens, { csrf: await page.csrf() }, fromOwnPage), 200)
  })

  test('form with a wrong proof that no page of ours sent: 403, and it says what to do', async () => {
    const page = await site.signedIn()
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const { text } = mustBe(await page.submit(tokens, { csrf: 'forged' }, headers), 403)
      expect(text).toContain('Open the page again.')
    }
    mustBe(await page.submit(tokens, {}, fromOwnPage), 403)
  })

  test('notice: belongs to one page and one session, ends after a minute, and cannot be forged', async () => {
    const page = await site.signedIn()
    const revoke = async () => {
      const made = { csrf: await page.csrf(), form: site.app.deps.ids.text(24), description: 'gone' }
      const { text } = mustBe(await page.submit(tokens, made), 200)
      const id = /gone<\/th>[\s\S]*?tokens\/(at-\w+)\/revoke/.exec(text)?.[1]
      mustBe(await page.submit(`${tokens}/${id}/revoke`, made), 303)
    }
    const shown = async (path = tokens) => noticeIn((await page.get(path)).text)
    await revoke()
    expect(await shown('/app/workspaces')).toBeUndefined()
    expect(await shown('/ui/settings/tokens')).toBeUndefined()
    const other = site.newBrowser()
    mustBe(await other.submit('/app/sign-in', { token: (await person(site.app, 'other')).token }), 303)
    const [, left] = page.cookie().split('; ')
    expect(left).toMatch(/^holdfast_notice=/)
    const stolen = `${other.cookie()}; ${left}`
    expect(noticeIn((await site.app.anonymous.get(tokens, { headers: { cookie: stolen } })).text)).toBeUndefined()
    const forged = page.cookie().replace('holdfast_notice=', 'holdfast_notice=x')
    expect(noticeIn((await site.app.anonymous.get(tokens, { headers: { cookie: forged } })).text)).toBeUndefined()
    expect(await shown()).toContain('is revoked')
    expect(await shown()).toBeUndefined()
    await revoke()
    site.app.clock.advance('61s')
    expect(await shown()).toBeUndefined()
  })
})
