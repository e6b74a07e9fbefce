import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

test.runIf(chromiumPath)(
  'browser: the bare address leads through sign-in to the workspaces, and a token made on the token page works',
  async () => {
    const ann = await person(site.app, 'ann')
    const { page, errors } = await site.openPage()
    await page.goto(`${site.app.url}/`)
    expect(new URL(page.url()).pathname).toBe('/app/sign-in')
    await page.fill('input[name=token]', ann.token)
    await page.click('text=Sign in with token')
    expect(new URL(page.url()).pathname).toBe('/app/workspaces')
    await page.click('nav >> text=Tokens')
    expect(new URL(page.url()).pathname).toBe('/app/settings/tokens')
    await page.fill('input[name=description]', '<script>alert(1)</script>')
    await page.click('form:has(input[name=description]) button')
    const made = /hfu\.[A-Za-z0-9]+/.exec(await page.innerText('body'))?.[0] ?? ''
    expect((await site.app.root.as(made).get('/api/v2/account/details')).body.data.attributes.username).toBe('ann')
    expect(errors).toEqual([])
    await page.reload()
    expect(await page.innerText('body')).toContain(made)
    site.app.clock.advance('61s')
    await page.reload()
    expect(await page.innerText('body')).not.toContain(made)
    expect(await page.innerText('[role=alert]')).toContain('This form was sent before')
    await page.click('header >> text=Sign out')
    expect(new URL(page.url()).pathname).toBe('/app/sign-in')
  },
)

test.runIf(chromiumPath)('browser: a wrong token leads back to the sign-in page and signs nobody in', async () => {
  const { page } = await site.openPage()
  await page.goto(`${site.app.url}/app/sign-in`)
  await page.fill('input[name=token]', 'hfu.wrong')
  await page.click('text=Sign in with token')
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
  await page.goto(`${site.app.url}/app/settings/tokens`)
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
})

test.runIf(chromiumPath)(
  'browser: workspaces can be searched and opened in a narrow window without sideways scrolling',
  async () => {
    const owner = await person(site.app, 'owner')
    const acme = await organization(owner, 'acme')
    const described = { description: `<i>x</i> ${'y'.repeat(80)}` }
    await workspaceIn(acme, { name: 'billing', ...described })
    const network = await workspaceIn(acme, { name: `network-${'x'.repeat(80)}`, ...described })
    const state = stateOf({ outputs: { ['z'.repeat(80)]: 'w'.repeat(80) } })
    await owner.post(`/api/v2/workspaces/${network}/actions/lock`)
    const announced = stateDocument(state, { state: state.toString('base64') })
    mustBe(await owner.post(`/api/v2/workspaces/${network}/state-versions`, announced), 201)
    mustBe(await owner.post(`/api/v2/workspaces/${network}/actions/unlock`), 200)
    const { page, errors } = await site.openPage()
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(`${site.app.url}/app/sign-in`)
    await page.fill('input[name=token]', owner.token)
    await page.click('text=Sign in with token')
    await page.click('nav >> text=Workspaces')
    expect(new URL(page.url()).pathname).toBe('/app/acme/workspaces')
    expect(await page.innerText('main')).toContain('billing')
    await page.fill('input[name=search]', 'NET')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/workspaces?search=NET&tags=')
    expect(await page.innerText('main')).not.toContain('billing')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.click('main a')
    expect(await page.innerText('h1')).toMatch(/^network-x+$/)
    expect(await page.innerText('main')).toContain('z'.repeat(80))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)('browser: an unknown address shows a page with a link to the start page', async () => {
  const { page } = await site.openPage()
  await page.goto(`${site.app.url}/app/nothing/at/all`)
  await page.click('text=Go to the start page')
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
})
