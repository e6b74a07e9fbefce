import { expect, test } from 'vitest'
import { type Browser, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, organization, organizationToken, person } from '../../../../test/support/platform.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)
  type Listed = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
  const list = async (page: Browser): Promise<Listed[]> =>
    mustBe(await page.get('/api/v2/account/sessions'), 200).body.data

  test('sessions: strangers, organizations and other people neither list nor end the sessions of somebody', async () => {
    const page = await site.signedIn()
    const [own] = await list(page)
    mustBe(await site.app.anonymous.get('/api/v2/account/sessions'), 401)
    const bob = await person(site.app, 'bob')
    const token = await organizationToken(await organization(bob, 'of-bob'))
    mustBe(await token.get('/api/v2/account/sessions'), 404)
    expect(mustBe(await bob.get('/api/v2/account/sessions'), 200).body.data).toEqual([])
    mustBe(await bob.delete(`/api/v2/account/sessions/${own?.id}`), 404)
    mustBe(await page.send('DELETE', `/api/v2/account/sessions/${own?.id}`), 403)
    mustBe(await page.get('/app/session'), 200)
  })

  test('sessions: tells what each began with and which one asks, and ends one of them at once', async () => {
    const [here, there] = [await site.signedIn(), site.newBrowser()]
    const password = { username: 'ann', password: 'right password' }
    mustBe(await there.submit('/app/sign-in', password, { 'user-agent': 'Lynx/2.9' }), 303)
    const sessions = await list(here)
    const current = sessions.filter(({ attributes }) => attributes.current)
    expect(current.map(({ attributes }) => attributes['signed-in-with'])).toEqual(['api-token'])
    const other = sessions.find(({ attributes }) => attributes['user-agent'] === 'Lynx/2.9')
    expect(other?.attributes).toMatchObject({ current: false, 'signed-in-with': 'password' })
    const path = `/api/v2/account/sessions/${other?.id}`
    const proof = { 'x-csrf-token': await here.csrf() }
    mustBe(await here.send('DELETE', path, undefined, proof), 204)
    mustBe(await there.get('/app/session'), 401)
    mustBe(await here.get('/app/session'), 200)
    mustBe(await here.send('DELETE', path, undefined, proof), 404)
  })

  test('sessions: those that ended are not listed', async () => {
    await site.signedIn()
    site.app.clock.advance('25h')
    expect(await list(await site.signedIn())).toHaveLength(1)
  })
})
